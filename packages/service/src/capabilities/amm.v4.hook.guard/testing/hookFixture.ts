import { createDevnet, type Devnet } from "@assay/devnet";
import { type CapabilityInput, canonicalJson, type Hex } from "@assay/protocol";
import { hookGuardReadingsSchema, verifyFacts } from "@assay/rules";
import {
  encodeDeployData,
  erc20Abi,
  getAddress,
  maxUint256,
  numberToHex,
  parseEther,
  zeroAddress,
} from "viem";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { createChain } from "../../../chain/createChain.js";
import type { Chain, ChainRead } from "../../../chain/types.js";
import { createGatherContext } from "../../../testing/createGatherContext.js";
import { createTestDatabase, type TestDatabase } from "../../../testing/createTestDatabase.js";
import { createLauncher, loadSample, low } from "../../token.launch.guard/testing/launchFixture.js";
import { hookGuard } from "../definition.js";
import { loadV4 } from "./loadV4.js";

export type PoolInput = CapabilityInput<"amm.v4.hook.guard">;

/** Bits of a hook's address. */
export const BITS = {
  beforeSwap: 0x80,
  afterSwap: 0x40,
  beforeSwapReturnsDelta: 0x08,
  afterSwapReturnsDelta: 0x04,
  beforeAddLiquidity: 0x800,
  beforeRemoveLiquidity: 0x200,
  afterRemoveLiquidity: 0x100,
  afterRemoveLiquidityReturnsDelta: 0x01,
} as const;
export const TAKES_OUTPUT = BITS.afterSwap | BITS.afterSwapReturnsDelta;
export const TAKES_INPUT = BITS.beforeSwap | BITS.beforeSwapReturnsDelta;

const manager = loadV4("PoolManager");
const providing = loadV4("PoolModifyLiquidityTest");

export interface PoolTerms {
  readonly hooks?: Hex;
  readonly fee?: number;
  readonly tickSpacing?: number;
  readonly currencies?: readonly [Hex, Hex];
  /** Zero leaves the pool as it was initialized. */
  readonly liquidity?: bigint;
  /** Another manager than v4's. */
  readonly elsewhere?: Managers;
}

interface Managers {
  readonly poolManager: Hex;
  readonly v4LiquidityRouter: Hex;
}

/** Opens pools and installs hooks as the deployer of a local chain. */
export function createPoolOpener(devnet: Devnet) {
  const launcher = createLauncher(devnet);
  const { plainToken, weth } = devnet.contracts;
  const known: Managers = devnet.contracts;
  let installed = 0n;

  const nextAddress = (bits: number): Hex => {
    installed += 1n;
    return getAddress(numberToHex((0x50n << 152n) | (installed << 16n) | BigInt(bits), { size: 20 }));
  };

  const deployV4 = async (name: string, args: readonly unknown[]): Promise<Hex> =>
    low(await launcher.send({ data: encodeDeployData({ ...loadV4(name), args }) }));

  return {
    ...launcher,
    nextAddress,
    deployer: devnet.deployer,

    /** A manager like v4's at an address of its own. */
    async deployManager(): Promise<Managers> {
      const poolManager = await deployV4("PoolManager", [devnet.deployer.address]);
      return { poolManager, v4LiquidityRouter: await deployV4("PoolModifyLiquidityTest", [poolManager]) };
    },

    /** Runs a sample's constructor at an address with these bits, as the local chain's own deployer does. */
    async installHook(sample: string, bits: number, args: readonly unknown[] = []): Promise<Hex> {
      const { abi, bytecode } = loadSample(sample);
      const address = nextAddress(bits);
      const from = devnet.deployer.address;
      await devnet.request("hardhat_setCode", [address, encodeDeployData({ abi, bytecode, args })]);
      const runtime = await devnet.request<Hex>("eth_call", [{ from, to: address }, "latest"]);
      await launcher.send({ to: address, data: "0x" });
      await devnet.request("hardhat_setCode", [address, runtime]);
      await devnet.mine();
      return address;
    },

    /** The input that asks about a pool, without opening it. */
    describePool(terms: PoolTerms = {}): PoolInput {
      const { hooks = zeroAddress, fee = 3000, tickSpacing = 60, currencies = [plainToken, weth] } = terms;
      const [currency0, currency1] = currencies.map(low).sort() as [Hex, Hex];
      const { poolManager } = terms.elsewhere ?? known;
      return { poolManager: low(poolManager), currency0, currency1, fee, tickSpacing, hooks: low(hooks) };
    },

    /** A pool at par over the whole range. */
    async openPool(terms: PoolTerms = {}): Promise<PoolInput> {
      const input = this.describePool(terms);
      const { poolManager, ...key } = input;
      const { v4LiquidityRouter } = terms.elsewhere ?? known;
      await launcher.call(poolManager, manager.abi, "initialize", [key, 2n ** 96n]);
      const liquidityDelta = terms.liquidity ?? parseEther("1000");
      if (liquidityDelta === 0n) return input;
      for (const token of [input.currency0, input.currency1].filter((one) => one !== zeroAddress)) {
        await launcher.call(token, erc20Abi, "approve", [v4LiquidityRouter, maxUint256]);
      }
      const widest = Math.floor(887_272 / input.tickSpacing) * input.tickSpacing;
      const range = { tickLower: -widest, tickUpper: widest };
      const position = { ...range, liquidityDelta, salt: `0x${"0".repeat(64)}` };
      const value = input.currency0 === zeroAddress ? liquidityDelta * 2n : 0n;
      await launcher.call(v4LiquidityRouter, providing.abi, "modifyLiquidity", [key, position, "0x"], value);
      return input;
    },
  };
}
export type PoolOpener = ReturnType<typeof createPoolOpener>;

/** A local chain for the tests of one file; what a test changes in its state is undone after it. */
export function useHookFixture() {
  let devnet: Devnet;
  let chain: Chain;
  let database: TestDatabase;
  let snapshot: Hex;
  let opener: PoolOpener;

  beforeAll(async () => {
    [devnet, database] = await Promise.all([createDevnet({ blockTimeMs: 0 }), createTestDatabase()]);
    chain = await createChain({ rpcUrls: [devnet.rpcUrl], expectedChainId: 8453 });
    opener = createPoolOpener(devnet);
  }, 60_000);
  afterAll(async () => {
    await chain?.close();
    await Promise.all([devnet?.close(), database?.close()]);
  });
  beforeEach(async () => {
    snapshot = await devnet.snapshot();
  });
  afterEach(() => devnet.revert(snapshot));

  return {
    get devnet() {
      return devnet;
    },
    get opener() {
      return opener;
    },

    /** Runs the capability as the service does, recording the batches it asks for. */
    async guard(input: PoolInput, through: Chain = chain) {
      const asked: (readonly ChainRead[])[] = [];
      const readAt: Chain["readAt"] = (block, reads) => {
        asked.push(reads);
        return through.readAt(block, reads);
      };
      const block = await chain.latestBlock();
      const context = createGatherContext({ ...through, readAt }, block, database);
      const gathered = await hookGuard.gather(context, input);
      const readings = hookGuardReadingsSchema.parse(JSON.parse(canonicalJson(gathered.readings)));
      const facts = hookGuard.listFacts(input, readings);
      if (through === chain) verifyFacts(context.proofs, facts);
      return { ...hookGuard.evaluate(input, readings), readings, facts, asked };
    },

    /** A chain in front of the real one that answers some reads in its own way. */
    answering(change: (read: ChainRead) => unknown): Chain {
      const readAt: Chain["readAt"] = async (block, reads) => {
        const readings = await chain.readAt(block, reads);
        return reads.map((read, index) => change(read) ?? readings[index]) as unknown as typeof readings;
      };
      return { ...chain, readAt };
    },
  };
}
export type HookFixture = ReturnType<typeof useHookFixture>;
