import { lowercase } from "@assay/chain/testing/lowercase";
import type { Hex } from "@assay/protocol";
import { encodeDeployData, getContractAddress, numberToHex, parseEther, parseUnits } from "viem";
import { loadSample, SCALE } from "./lendingActions.js";
import type { LendingQuestion, LendingWorld } from "./lendingFixture.js";

/** One situation with the verdict and reasons the guard must give. */
export interface LendingRow {
  readonly name: string;
  readonly verdict: "allow" | "review" | "block";
  /** Among the reasons given. */
  readonly reasons: readonly string[];
  /** Makes the situation and asks about it; undone after it. */
  prepare(world: LendingWorld): Promise<LendingQuestion> | LendingQuestion;
}

export const dollars = (amount: string) => parseUnits(amount, 6);
export const HOUR = 3600;
/** One store far into memory takes more gas than there is. */
export const OUT_OF_GAS: Hex = "0x600063ffffffff52";
/** `price()`: a proxy wants to be initialised with some call. */
export const PRICE: Hex = "0xa035b1fe";

/** Of ten ether at 3,000 dollars, 86 hundredths may be borrowed: 25,800 dollars. */
export const ask = (amount: string) => ({
  prepare: ({ honest, alice }: LendingWorld) => ({ params: honest, user: alice, amount: dollars(amount) }),
});

/** 5,000 dollars in a market like the honest one with another oracle, which the deployer deploys. */
export const withOracle = (deploy: (world: LendingWorld) => Promise<Hex> | Hex, amount = "5000") => ({
  async prepare(world: LendingWorld) {
    const params = await world.openLike({ oracle: await deploy(world) });
    return { params, user: world.alice, amount: dollars(amount) };
  },
});

export const feedsOf = ({ devnet: { contracts } }: LendingWorld) => [
  contracts.ethUsdFeed,
  contracts.usdcUsdFeed,
];
export const deployOracle = (world: LendingWorld, name: string, scale = SCALE, ...more: unknown[]) =>
  world.deploy(name, [...feedsOf(world), scale, ...more]);

/** Made by the factory, as the honest market's oracle is; the factory vouches for everything it was asked to make. */
export async function makeOracle(world: LendingWorld, feeds: readonly Hex[], scale = SCALE): Promise<Hex> {
  const from = world.devnet.contracts.morphoOracleFactory;
  const args = [...feeds, scale];
  // Another one than the honest market's, even where it is made of the same.
  const salt = numberToHex(1, { size: 32 });
  await world.call(from, loadSample("SampleOracleFactory").abi, "create", [...args, salt]);
  const { abi, bytecode } = loadSample("SampleFeedOracle");
  const created = encodeDeployData({ abi, bytecode, args });
  return lowercase(getContractAddress({ opcode: "CREATE2", from, salt, bytecode: created }));
}

export async function setMockPrice(world: LendingWorld, price: bigint): Promise<Hex> {
  const oracle = await world.deploy("OracleMock");
  await world.call(oracle, loadSample("OracleMock").abi, "setPrice", [price]);
  return oracle;
}

/** Code at an address of its own. */
export async function place(world: LendingWorld, code: Hex): Promise<Hex> {
  const address: Hex = "0x00000000000000000000000000000000000c0de5";
  await world.devnet.request("hardhat_setCode", [address, code]);
  return address;
}

/** The ether feed returns this answer, updated so many seconds ago. */
export const withFeed = (answer: bigint, ageSeconds: number) => ({
  async prepare(world: LendingWorld) {
    const { ethUsdFeed } = world.devnet.contracts;
    const { timestamp } = await world.devnet.request<{ timestamp: Hex }>("eth_getBlockByNumber", [
      "latest",
      false,
    ]);
    const at = BigInt(Number(timestamp) - ageSeconds);
    await world.call(ethUsdFeed, loadSample("SamplePriceFeed").abi, "setAnswer", [answer, at]);
    return { params: world.honest, user: world.alice, amount: dollars("5000") };
  },
});

/** A loan in a token of this sample contract, at one dollar each; it has 18 places. */
export const withLoanToken = (
  name: string,
  then: (world: LendingWorld, token: Hex) => Promise<unknown> = async () => undefined,
) => ({
  async prepare(world: LendingWorld) {
    const loanToken = await world.deploy(name, [parseEther("100000000")]);
    const oracle = await makeOracle(world, feedsOf(world), SCALE * 10n ** 12n);
    const params = { ...world.honest, loanToken, oracle };
    await world.createMarket(params);
    await world.supply(params, parseEther("1000000"));
    await world.addCollateral(params, parseEther("10"), world.alice);
    await then(world, loanToken);
    return { params, user: world.alice, amount: parseEther("5000") };
  },
});
