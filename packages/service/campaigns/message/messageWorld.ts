import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Hex } from "@assay/protocol";
import { privateKeyToAccount } from "viem/accounts";
import type { AccuracyWorld, Artifact } from "../accuracy/accuracyWorld.js";
import { encode } from "../accuracy/accuracyWorld.js";
import { type Setup, UNIVERSAL_ROUTER, USDC } from "../accuracy/setUp.js";
import {
  COW,
  DELEGATIONS,
  ONE_INCH,
  ONE_INCH_V5,
  PERMIT2,
  PRIORITY_REACTOR,
  SEAPORT,
  SEAPORT_15,
  SPEND_PERMISSIONS,
  V3_REACTOR,
  X402_CHANNELS,
  X402_COLLECTOR,
  X402_PERMIT2_COLLECTOR,
  X402_PROXY,
  ZERO,
  ZERO_EX,
} from "./documents.js";

const require = createRequire(import.meta.url);
const artifact = (name: string) =>
  require(`@assay/contracts/out/${name}.json`) as Artifact & { readonly deployedBytecode: Hex };

export const SIMPLE_7702_ACCOUNT: Hex = "0xe6cae83bde06e4c305530e199d7217f42808555b";

/** AERO's, for a token that is known. */
const LISTED_TOKEN: Hex = "0x940181a94a35a4569e4529a3cdfb74e38fd98631";

/** What messages refer to beyond what transactions do. */
export interface MessageWorld {
  readonly world: AccuracyWorld;
  readonly setup: Setup;
  readonly alice: Hex;
  readonly bob: Hex;
  readonly thief: Hex;
  /** An account that the thief has used for long, so that it does not look new. */
  readonly oldThief: Hex;
  readonly aliceKey: ReturnType<typeof privateKeyToAccount>;
  /** A token that takes permits. */
  readonly permitToken: { readonly name: string; readonly version: string; readonly verifyingContract: Hex };
  /** The same at an address that the registry lists. */
  readonly listedToken: MessageWorld["permitToken"];
  readonly collection: Hex;
  readonly drainer: Hex;
  readonly sweeper: Hex;
  /** A Safe of alice and bob, both of whom have to sign; null without the packages. */
  readonly sharedSafe: Hex | null;
  /** Whether CoW's settlement is there. */
  readonly hasCow: boolean;
  /** Of alice's account. */
  readonly aliceNonce: number;
}

/** Without the packages, contracts that only have to exist are there without what they do. */
const standIns: readonly Hex[] = [
  SEAPORT,
  SEAPORT_15,
  PRIORITY_REACTOR,
  V3_REACTOR,
  ONE_INCH,
  ONE_INCH_V5,
  ZERO_EX,
  X402_PROXY,
  X402_COLLECTOR,
  X402_PERMIT2_COLLECTOR,
  DELEGATIONS,
  SPEND_PERMISSIONS,
  UNIVERSAL_ROUTER,
];
/** Answers a call of 36 bytes, as `channels(bytes32)` is one, with five million units held and nothing claimed. */
const CHANNELS_CODE: Hex = "0x36602414600857005b63004c4b4060005260406000f3";

export async function prepareMessages(
  world: AccuracyWorld,
  setup: Setup,
  /** The folder of `bench/message`. */
  kits: string | undefined,
): Promise<MessageWorld> {
  const { devnet, alice, bob, carol, thief } = world;
  for (const address of standIns)
    if ((await devnet.request<Hex>("eth_getCode", [address, "latest"])) === "0x")
      await devnet.request("hardhat_setCode", [address, "0x00"]);
  await devnet.request("hardhat_setCode", [X402_CHANNELS, CHANNELS_CODE]);
  const key = devnet.accounts.find(({ name }) => name === "alice")?.privateKey;
  if (key === undefined) throw new Error("alice has no key");
  const token = await world.deploy(artifact("SamplePermitToken"), [alice]);
  await world.install(LISTED_TOKEN, artifact("SamplePermitToken"), [alice]);
  // A friend was paid a good part of what is paid now.
  await world.send({
    from: alice,
    to: USDC,
    data: encode("transfer(address t, uint256 a)", [bob, 200_000_000n]),
  });
  const drainer = await world.deploy(artifact("SampleDrainer"), [bob, USDC]);
  // Somebody else paid carol, who has sent transactions of her own.
  await world.send({ from: carol, to: USDC, data: encode("transfer(address t, uint256 a)", [bob, 1n]) });
  await devnet.request("hardhat_setCode", [PERMIT2, artifact("SamplePermit2").deployedBytecode]);
  if (world.packages !== undefined) {
    await world.install(SIMPLE_7702_ACCOUNT, world.load("aa8/artifacts/Simple7702Account.json"));
  }
  const sharedSafe = world.packages === undefined ? null : await makeSharedSafe(world);
  if (kits !== undefined) {
    const path = `${kits}/node_modules/@cowprotocol/contracts/deployments/base/GPv2Settlement.json`;
    await world.install(COW, JSON.parse(readFileSync(path, "utf8")) as Artifact, [bob, bob]);
  }
  await devnet.mine();
  const aliceNonce = Number(await devnet.request<Hex>("eth_getTransactionCount", [alice, "latest"]));
  return {
    aliceNonce,
    hasCow: kits !== undefined,
    world,
    setup,
    alice,
    bob,
    thief,
    oldThief: carol,
    aliceKey: privateKeyToAccount(key),
    permitToken: { name: "Permit Token", version: "1", verifyingContract: token },
    listedToken: { name: "Permit Token", version: "1", verifyingContract: LISTED_TOKEN },
    collection: setup.collection,
    drainer,
    sharedSafe,
    sweeper: setup.sweeper,
  };
}

async function makeSharedSafe(world: AccuracyWorld): Promise<Hex> {
  const { alice, bob, deploy, load, send } = world;
  const proxy = "@safe-global/safe-contracts/build/artifacts/contracts/proxies/SafeProxy.sol/SafeProxy.json";
  const safe = await deploy(load(proxy), ["0x41675c099f32341bf84bfc5382af534df5c7461a"]);
  await send({
    to: safe,
    data: encode(
      "setup(address[] owners, uint256 threshold, address to, bytes data, address handler, address token, uint256 payment, address receiver)",
      [[alice, bob], 2n, ZERO, "0x", ZERO, ZERO, 0n, ZERO],
    ),
  });
  await send({
    from: alice,
    to: USDC,
    data: encode("transfer(address t, uint256 a)", [safe, 1_000_000_000n]),
  });
  return safe;
}
