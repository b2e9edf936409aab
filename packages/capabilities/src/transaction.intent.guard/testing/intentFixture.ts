import { createRequire } from "node:module";
import type { BlockHeader, Chain, ChainRead } from "@assay/chain";
import { lowercase } from "@assay/chain/testing/lowercase";
import { useLocalChain } from "@assay/chain/testing/useLocalChain";
import type { Devnet } from "@assay/devnet";
import type { Hex } from "@assay/protocol";
import { type Abi, encodeDeployData, encodeFunctionData, parseAbiItem } from "viem";
import { beforeAll } from "vitest";
import { PERMIT2 } from "../../shared/chain-facts/knownContracts.js";
import { createGatherContext } from "../../testing/createGatherContext.js";
import { launchTrap } from "../../testing/launchTrap.js";
import type { MemoryRecords } from "../../testing/memoryRecords.js";
import { createMemoryRecords } from "../../testing/memoryRecords.js";
import { runCapability } from "../../testing/runCapability.js";
import { gatherer } from "../gather/gather.js";
import { input as inputSchema } from "../input.js";
import { rule } from "../rule.js";

const transactionIntentGuard = { ...rule, ...gatherer };

/** A transaction as a caller gives it. */
export interface Transaction {
  readonly from?: string;
  readonly to: string;
  readonly data?: Hex;
  readonly value?: bigint;
}

/** Calldata of a function named by its signature. */
export function encode(signature: string, args: readonly unknown[] = []): Hex {
  return encodeFunctionData({ abi: [parseAbiItem(`function ${signature}`)], args } as never);
}

interface Artifact {
  readonly abi: Abi;
  readonly bytecode: Hex;
  readonly deployedBytecode: Hex;
}
const loadSample = (name: string) =>
  createRequire(import.meta.url)(`@assay/contracts/out/${name}.json`) as Artifact;

/** In the order of `WatchfulToken.Tell`. */
const SIGNS = ["none", "gasPrice", "baseFee", "senderCode", "originCode"] as const;

/** A local chain with who deceives and what is deceived. */
export interface IntentWorld {
  readonly devnet: Devnet;
  readonly chain: Chain;
  readonly records: MemoryRecords;
  readonly alice: Hex;
  readonly bob: Hex;
  readonly safe: Hex;
  readonly drainer: Hex;
  /** Tokens that are honest while they believe they are simulated, by the sign that they use. */
  readonly watchers: Readonly<Record<(typeof SIGNS)[number], Hex>>;
  /** A token that only its owner can sell, in a concentrated pool against wrapped ether, one for one. */
  readonly trapToken: Hex;
  /** Contracts that behave well until their owner decides otherwise, and one that keeps what no balance shows. */
  readonly patient: Readonly<Record<"vault" | "desk" | "keeper", Hex>>;
  send(transaction: Transaction): Promise<{ readonly status: string; readonly gasUsed: Hex }>;
  deploy(name: string, args: readonly unknown[]): Promise<Hex>;
  guard(transaction: Transaction, through?: Chain): Promise<GuardResult>;
}

export type GuardResult = Awaited<ReturnType<typeof runGuard>>;

async function createIntentWorld(devnet: Devnet, chain: Chain, records: MemoryRecords): Promise<IntentWorld> {
  const accountOf = (name: string) =>
    lowercase(devnet.accounts.find((account) => account.name === name)?.address ?? "");
  const [alice, bob, deployer] = [accountOf("alice"), accountOf("bob"), lowercase(devnet.deployer.address)];
  await devnet.request("hardhat_impersonateAccount", [deployer]);

  async function send({ from = alice, to, data = "0x", value = 0n }: Transaction) {
    const hash = await devnet.request<Hex>("eth_sendTransaction", [
      { from, to, data, value: `0x${value.toString(16)}`, gas: "0xf42400" },
    ]);
    return devnet.request<{ status: string; gasUsed: Hex }>("eth_getTransactionReceipt", [hash]);
  }
  async function deploy(name: string, args: readonly unknown[]): Promise<Hex> {
    const { abi, bytecode } = loadSample(name);
    const hash = await devnet.request<Hex>("eth_sendTransaction", [
      { from: deployer, data: encodeDeployData({ abi, bytecode, args }), gas: "0xf42400" },
    ]);
    const receipt = await devnet.request<{ contractAddress: Hex }>("eth_getTransactionReceipt", [hash]);
    return lowercase(receipt.contractAddress);
  }

  async function deployWatchers(): Promise<IntentWorld["watchers"]> {
    const { stablecoin, pausableToken } = devnet.contracts;
    const watchers: [string, Hex][] = [];
    for (const [index, sign] of SIGNS.entries()) {
      // One that always takes goes for what is not among the tokens that are measured.
      const prize = sign === "none" ? pausableToken : stablecoin;
      watchers.push([sign, await deploy("WatchfulToken", [alice, bob, prize, index])]);
    }
    return Object.fromEntries(watchers) as IntentWorld["watchers"];
  }

  const safe = await deploy("SampleSafe", [alice]);
  const drainer = await deploy("SampleDrainer", [bob, devnet.stablecoin.address]);
  const trapToken = await launchTrap(devnet);
  const watchers = await deployWatchers();
  const { address: dollars } = devnet.stablecoin;
  const owner: Hex = "0x00000000000000000000000000000000de5c0001";
  const patient = {
    vault: await deploy("PatientVault", [dollars, owner]),
    desk: await deploy("PatientDesk", [dollars, devnet.contracts.weth, owner]),
    keeper: await deploy("PlainKeeper", []),
  };
  await devnet.request("hardhat_setCode", [PERMIT2, loadSample("SamplePermit2").deployedBytecode]);
  await devnet.mine();
  return {
    devnet,
    chain,
    records,
    alice,
    bob,
    safe,
    drainer,
    watchers,
    trapToken,
    patient,
    send,
    deploy,
    guard: (transaction, through = chain) => runGuard(through, records, { from: alice, ...transaction }),
  };
}

/** What the capability is asked about this transaction. */
export const parseTransaction = ({ from, to, data = "0x", value = 0n }: Transaction & { from: string }) =>
  inputSchema.parse({ from, to, data, value: value.toString() });

/** Runs the capability as the service does, recording the batches it asks for. */
async function runGuard(chain: Chain, records: MemoryRecords, transaction: Transaction & { from: string }) {
  const asked: (readonly ChainRead[])[] = [];
  let turn: ChainRead[] = [];
  const counted: Chain = {
    ...chain,
    readAt<const R extends readonly ChainRead[]>(block: BlockHeader, reads: R) {
      // What is asked in one turn travels in one request.
      if (turn.length === 0) {
        asked.push(turn);
        setImmediate(() => {
          turn = [];
        });
      }
      turn.push(...reads);
      return chain.readAt(block, reads);
    },
  };
  const block = await chain.latestBlock();
  const input = parseTransaction(transaction);
  const context = createGatherContext(counted, block, records);
  const result = await runCapability(transactionIntentGuard, context, input);
  return { ...result, input, proofs: context.proofs, block, batches: asked.length };
}

/** A world for the tests of one file, as it was before each of them. */
export function useIntentWorld(prepare?: (world: IntentWorld) => Promise<void>) {
  const local = useLocalChain();
  const records = createMemoryRecords();
  let world: IntentWorld | undefined;
  beforeAll(async () => {
    world = await createIntentWorld(local.devnet, local.chain, records);
    await prepare?.(world);
  }, 60_000);
  return (): IntentWorld => {
    if (!world) throw new Error("the world is not there yet");
    return world;
  };
}
