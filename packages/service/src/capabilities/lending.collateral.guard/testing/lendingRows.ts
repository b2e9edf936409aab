import type { Hex } from "@assay/protocol";
import { maxUint256, parseEther, parseUnits, zeroAddress } from "viem";
import { loadSample, low, SCALE } from "./lendingActions.js";
import type { LendingQuestion, LendingWorld } from "./lendingFixture.js";

/** One situation with what the guard must say of it. */
export interface LendingRow {
  readonly name: string;
  readonly verdict: "allow" | "review" | "block";
  /** Among the reasons given. */
  readonly reasons: readonly string[];
  /** Makes the situation and asks about it; undone after it. */
  prepare(world: LendingWorld): Promise<LendingQuestion> | LendingQuestion;
}

const dollars = (amount: string) => parseUnits(amount, 6);
const HOUR = 3600;
/** One store far into memory takes more gas than there is. */
const OUT_OF_GAS: Hex = "0x600063ffffffff52";
/** `price()`: a proxy wants to be initialised with some call. */
const PRICE: Hex = "0xa035b1fe";

/** Of ten ether at 3,000 dollars, 86 hundredths may be borrowed: 25,800 dollars. */
const ask = (amount: string) => ({
  prepare: ({ honest, alice }: LendingWorld) => ({ params: honest, user: alice, amount: dollars(amount) }),
});

/** 5,000 dollars in a market like the honest one with another oracle, which the deployer deploys. */
const withOracle = (deploy: (world: LendingWorld) => Promise<Hex> | Hex, amount = "5000") => ({
  async prepare(world: LendingWorld) {
    const params = await world.openLike({ oracle: await deploy(world) });
    return { params, user: world.alice, amount: dollars(amount) };
  },
});

const feedsOf = ({ devnet: { contracts } }: LendingWorld) => [contracts.ethUsdFeed, contracts.usdcUsdFeed];
const deployOracle = (world: LendingWorld, name: string, scale = SCALE, ...more: unknown[]) =>
  world.deploy(name, [...feedsOf(world), scale, ...more]);

async function setMockPrice(world: LendingWorld, price: bigint): Promise<Hex> {
  const oracle = await world.deploy("OracleMock");
  await world.call(oracle, loadSample("OracleMock").abi, "setPrice", [price]);
  return oracle;
}

/** Code at an address of its own. */
async function place(world: LendingWorld, code: Hex): Promise<Hex> {
  const address: Hex = "0x00000000000000000000000000000000000c0de5";
  await world.devnet.request("hardhat_setCode", [address, code]);
  return address;
}

/** The ether feed says this, as of so many seconds ago. */
const withFeed = (answer: bigint, ageSeconds: number) => ({
  async prepare(world: LendingWorld) {
    const { ethUsdFeed } = world.devnet.contracts;
    const { timestamp } = await world.devnet.request<{ timestamp: Hex }>("eth_getBlockByNumber", [
      "latest",
      false,
    ]);
    const at = BigInt(Number(timestamp) - ageSeconds);
    await world.call(ethUsdFeed, loadSample("SampleFeed").abi, "setAnswer", [answer, at]);
    return { params: world.honest, user: world.alice, amount: dollars("5000") };
  },
});

/** A loan in a token of this sample contract, at one dollar each; it has 18 places. */
const withLoanToken = (
  name: string,
  then: (world: LendingWorld, token: Hex) => Promise<unknown> = async () => undefined,
) => ({
  async prepare(world: LendingWorld) {
    const loanToken = await world.deploy(name, [parseEther("100000000")]);
    const oracle = await deployOracle(world, "SampleFeedOracle", SCALE * 10n ** 12n);
    const params = { ...world.honest, loanToken, oracle };
    await world.createMarket(params);
    await world.supply(params, parseEther("1000000"));
    await world.addCollateral(params, parseEther("10"), world.alice);
    await then(world, loanToken);
    return { params, user: world.alice, amount: parseEther("5000") };
  },
});

const safe: LendingRow[] = [
  {
    name: "a loan that survives a fall of a fifth",
    verdict: "allow",
    reasons: ["MARKET_MATCHES", "ORACLE_PRICE_EXPLAINED", "BORROW_ALLOWED", "HEALTHY_AFTER_FALL_20"],
    ...ask("10000"),
  },
  {
    name: "a second loan beside the first, a month later",
    verdict: "allow",
    reasons: ["BORROW_ALLOWED", "HEALTHY_AFTER_FALL_20"],
    async prepare(world) {
      await world.borrow(world.honest, dollars("6000"), world.alice);
      await world.devnet.request("evm_increaseTime", [30 * 24 * HOUR]);
      await world.devnet.mine();
      return { params: world.honest, user: world.alice, amount: dollars("4000") };
    },
  },
  {
    name: "a loan without interest",
    verdict: "allow",
    reasons: ["INTEREST_FREE", "BORROW_ALLOWED"],
    async prepare(world) {
      const params = await world.openLike({ irm: zeroAddress });
      return { params, user: world.alice, amount: dollars("10000") };
    },
  },
  {
    name: "a loan that a fall of a fifth would liquidate",
    verdict: "allow",
    reasons: ["BORROW_ALLOWED", "UNHEALTHY_AFTER_FALL_20"],
    ...ask("22000"),
  },
  {
    name: "a user who is a contract wallet",
    verdict: "allow",
    reasons: ["BORROW_ALLOWED"],
    async prepare(world) {
      const user = low(world.devnet.contracts.wallet1271);
      await world.addCollateral(world.honest, parseEther("10"), user);
      return { params: world.honest, user, amount: dollars("10000") };
    },
  },
  {
    name: "a user with nothing to pay fees with",
    verdict: "allow",
    reasons: ["BORROW_ALLOWED"],
    async prepare(world) {
      const user: Hex = "0x00000000000000000000000000000000000b0b0b";
      await world.addCollateral(world.honest, parseEther("10"), user);
      return { params: world.honest, user, amount: dollars("10000") };
    },
  },
];

const tight: LendingRow[] = [
  {
    name: "a loan that a fall of a tenth would liquidate",
    verdict: "review",
    reasons: ["BORROW_ALLOWED", "UNHEALTHY_AFTER_FALL_10"],
    ...ask("24000"),
  },
  {
    name: "a loan that a fall of a twentieth would liquidate",
    verdict: "block",
    reasons: ["BORROW_ALLOWED", "UNHEALTHY_AFTER_FALL_5"],
    ...ask("25000"),
  },
  {
    name: "the most that can be borrowed",
    verdict: "block",
    reasons: ["BORROW_ALLOWED", "UNHEALTHY_AFTER_FALL_5"],
    ...ask("25800"),
  },
  {
    name: "one unit more than can be borrowed",
    verdict: "block",
    reasons: ["COLLATERAL_TOO_LOW", "BORROW_REVERTS"],
    ...ask("25800.000001"),
  },
  {
    name: "no collateral",
    verdict: "block",
    reasons: ["COLLATERAL_TOO_LOW", "BORROW_REVERTS"],
    prepare: ({ honest, bob }) => ({ params: honest, user: bob, amount: 1n }),
  },
  {
    name: "more than the market has",
    verdict: "block",
    reasons: ["LIQUIDITY_TOO_LOW", "BORROW_REVERTS"],
    async prepare(world) {
      await world.addCollateral(world.honest, parseEther("1000"), world.alice);
      return { params: world.honest, user: world.alice, amount: dollars("900000.000001") };
    },
  },
  {
    name: "a position that can be liquidated already",
    verdict: "block",
    reasons: ["ALREADY_UNHEALTHY", "COLLATERAL_TOO_LOW", "BORROW_REVERTS"],
    async prepare(world) {
      await world.borrow(world.honest, dollars("25000"), world.alice);
      return withFeed(parseUnits("2800", 8), 0).prepare(world);
    },
  },
  {
    name: "an amount beyond all numbers",
    verdict: "block",
    reasons: ["AMOUNT_TOO_LARGE", "LIQUIDITY_TOO_LOW", "BORROW_REVERTS"],
    prepare: ({ honest, alice }) => ({ params: honest, user: alice, amount: maxUint256 }),
  },
];

const mistaken: LendingRow[] = [
  {
    name: "an id under which there is no market",
    verdict: "block",
    reasons: ["MARKET_NOT_CREATED"],
    prepare: ({ honest, alice }) => ({
      params: honest,
      user: alice,
      amount: 1n,
      marketId: `0x${"ab".repeat(32)}`,
    }),
  },
  {
    name: "the two tokens exchanged",
    verdict: "block",
    reasons: ["MARKET_TOKENS_DIFFER"],
    prepare: ({ honest, alice }) => ({
      params: honest,
      user: alice,
      amount: 1n,
      loanToken: honest.collateralToken,
      collateralToken: honest.loanToken,
    }),
  },
  {
    name: "another collateral token than the market's",
    verdict: "block",
    reasons: ["MARKET_TOKENS_DIFFER"],
    prepare: ({ honest, alice, devnet }) => ({
      params: honest,
      user: alice,
      amount: 1n,
      collateralToken: low(devnet.contracts.plainToken),
    }),
  },
  {
    name: "no Morpho on the chain",
    verdict: "block",
    reasons: ["LENDING_CONTRACT_ABSENT"],
    async prepare(world) {
      await world.devnet.request("hardhat_setCode", [world.morpho, "0x"]);
      await world.devnet.mine();
      return { params: world.honest, user: world.alice, amount: dollars("10000") };
    },
  },
];

const oracles: LendingRow[] = [
  {
    name: "an oracle that says zero",
    verdict: "block",
    reasons: ["ORACLE_PRICE_ZERO", "COLLATERAL_TOO_LOW", "BORROW_REVERTS"],
    ...withOracle((world) => world.deploy("OracleMock")),
  },
  {
    name: "an oracle that reverts",
    verdict: "block",
    reasons: ["ORACLE_GIVES_NO_PRICE", "BORROW_REVERTS"],
    ...withOracle((world) => place(world, "0x60006000fd")),
  },
  {
    name: "an oracle that answers with nothing",
    verdict: "block",
    reasons: ["ORACLE_GIVES_NO_PRICE", "BORROW_REVERTS"],
    ...withOracle((world) => place(world, "0x00")),
  },
  {
    name: "an oracle that burns all gas",
    verdict: "block",
    reasons: ["ORACLE_GIVES_NO_PRICE", "BORROW_REVERTS"],
    ...withOracle((world) => place(world, OUT_OF_GAS)),
  },
  {
    name: "an oracle that answers 64 kB of zeros",
    verdict: "block",
    reasons: ["ORACLE_PRICE_ZERO", "BORROW_REVERTS"],
    ...withOracle((world) => place(world, "0x620100005ff3")),
  },
  {
    name: "an oracle without code",
    verdict: "block",
    reasons: ["ORACLE_HAS_NO_CODE", "BORROW_REVERTS"],
    ...withOracle(() => "0x00000000000000000000000000000000000e0a00"),
  },
  {
    name: "an oracle whose price no number holds",
    verdict: "block",
    reasons: ["AMOUNT_TOO_LARGE", "BORROW_REVERTS"],
    ...withOracle((world) => setMockPrice(world, maxUint256)),
  },
  {
    name: "an oracle that tells no sources",
    verdict: "review",
    reasons: ["ORACLE_SOURCE_UNKNOWN", "BORROW_ALLOWED"],
    ...withOracle((world) => setMockPrice(world, 3000n * SCALE)),
  },
  {
    name: "an oracle behind an upgradeable proxy",
    verdict: "review",
    reasons: ["ORACLE_UPGRADEABLE", "BORROW_ALLOWED"],
    ...withOracle(async (world) => {
      const behind = await deployOracle(world, "SampleFeedOracle");
      return world.deploy("TransparentUpgradeableProxy", [behind, world.deployer, PRICE]);
    }),
  },
  {
    name: "an oracle that says more than its feeds",
    verdict: "review",
    reasons: ["ORACLE_PRICE_UNEXPLAINED", "BORROW_ALLOWED"],
    ...withOracle((world) => deployOracle(world, "BoastfulOracle")),
  },
  {
    name: "an oracle with a zero too many",
    verdict: "review",
    reasons: ["ORACLE_SCALE_UNUSUAL", "BORROW_ALLOWED"],
    ...withOracle((world) => deployOracle(world, "SampleFeedOracle", SCALE * 10n)),
  },
  {
    name: "an oracle made of its maker's own feeds",
    verdict: "review",
    reasons: ["ORACLE_FEED_UNKNOWN", "BORROW_ALLOWED"],
    ...withOracle(async (world) => {
      const feed = await world.deploy("SampleFeed", [8, parseUnits("3000", 8)]);
      return world.deploy("SampleFeedOracle", [feed, world.devnet.contracts.usdcUsdFeed, SCALE]);
    }),
  },
  {
    name: "an oracle that halves the price in transactions",
    verdict: "review",
    reasons: ["LIQUIDATION_LINE_DIFFERS"],
    ...withOracle((world) => deployOracle(world, "TwoFacedOracle", SCALE, world.morpho)),
  },
  {
    name: "the same oracle, for more than the half carries",
    verdict: "block",
    reasons: ["BORROW_REVERTS", "COMPUTATION_DISAGREES"],
    ...withOracle((world) => deployOracle(world, "TwoFacedOracle", SCALE, world.morpho), "20000"),
  },
  {
    name: "an oracle with a price for the market alone",
    verdict: "review",
    reasons: ["ORACLE_ANSWERS_BY_CALLER"],
    ...withOracle((world) => deployOracle(world, "PartialOracle", SCALE, world.morpho)),
  },
  {
    name: "a feed two hours old that should be twenty minutes old",
    verdict: "review",
    reasons: ["ORACLE_FEED_STALE", "BORROW_ALLOWED"],
    ...withFeed(parseUnits("3000", 8), 2 * HOUR),
  },
  {
    name: "a feed of tomorrow",
    verdict: "review",
    reasons: ["ORACLE_FEED_STALE", "BORROW_ALLOWED"],
    ...withFeed(parseUnits("3000", 8), -24 * HOUR),
  },
  {
    name: "a feed below zero",
    verdict: "block",
    reasons: ["ORACLE_GIVES_NO_PRICE", "BORROW_REVERTS"],
    ...withFeed(-1n, 0),
  },
];

const tokens: LendingRow[] = [
  {
    name: "a loan in a plain token",
    verdict: "allow",
    reasons: ["BORROW_ALLOWED"],
    ...withLoanToken("PlainToken"),
  },
  {
    name: "a loan in a token that keeps a hundredth",
    verdict: "block",
    reasons: ["LOAN_ARRIVES_SHORT"],
    ...withLoanToken("SkimmingToken"),
  },
  {
    name: "a loan in a token that has blacklisted the user",
    verdict: "block",
    reasons: ["BORROW_REVERTS", "LOAN_TOKEN_REFUSES"],
    ...withLoanToken("BlacklistingToken", (world, token) =>
      world.call(token, loadSample("BlacklistingToken").abi, "blacklist", [world.alice]),
    ),
  },
  {
    name: "a loan in a paused token",
    verdict: "block",
    reasons: ["BORROW_REVERTS", "LOAN_TOKEN_REFUSES"],
    ...withLoanToken("PausableToken", (world, token) =>
      world.call(token, loadSample("PausableToken").abi, "pause"),
    ),
  },
  {
    name: "a loan whose interest model hides its rate",
    verdict: "review",
    reasons: ["COMPUTATION_DISAGREES"],
    async prepare(world) {
      const params = await world.openLike({ irm: await world.deploy("TwoFacedRateModel") });
      await world.addCollateral(params, parseEther("10"), world.bob);
      await world.borrow(params, dollars("10000"), world.bob);
      await world.devnet.request("evm_increaseTime", [HOUR]);
      await world.devnet.mine();
      return { params, user: world.alice, amount: dollars("5000") };
    },
  },
];

export const lendingRows: readonly LendingRow[] = [...safe, ...tight, ...mistaken, ...oracles, ...tokens];
