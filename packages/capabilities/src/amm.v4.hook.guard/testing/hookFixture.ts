import type { Chain } from "@assay/chain";
import { alteredChain, type Change } from "@assay/chain/testing/alteredChain";
import { lowercase } from "@assay/chain/testing/lowercase";
import { recordReads } from "@assay/chain/testing/recordReads";
import { useLocalChain } from "@assay/chain/testing/useLocalChain";
import type { Devnet } from "@assay/devnet";
import type { Hex } from "@assay/protocol";
import {
  encodeDeployData,
  erc20Abi,
  getAddress,
  maxUint256,
  numberToHex,
  parseEther,
  zeroAddress,
} from "viem";
import { beforeAll } from "vitest";
import { verifyFacts } from "../../shared/proofs/provableFact.js";
import { createGatherContext } from "../../testing/createGatherContext.js";
import { createLauncher } from "../../testing/createLauncher.js";
import { loadSample } from "../../testing/loadSample.js";
import { createMemoryRecords } from "../../testing/memoryRecords.js";
import { runCapability } from "../../testing/runCapability.js";
import { gatherer } from "../gather/gather.js";
import type { HookGuardInput } from "../input.js";
import { rule } from "../rule.js";
import { loadV4 } from "./loadV4.js";

const hookGuard = { ...rule, ...gatherer };

export type PoolInput = HookGuardInput;

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
    lowercase(await launcher.send({ data: encodeDeployData({ ...loadV4(name), args }) }));

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
      const [currency0, currency1] = currencies.map(lowercase).sort() as [Hex, Hex];
      const { poolManager } = terms.elsewhere ?? known;
      return {
        poolManager: lowercase(poolManager),
        currency0,
        currency1,
        fee,
        tickSpacing,
        hooks: lowercase(hooks),
      };
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
  const local = useLocalChain();
  const records = createMemoryRecords();
  let opener: PoolOpener;
  beforeAll(() => {
    opener = createPoolOpener(local.devnet);
  });

  return {
    get devnet() {
      return local.devnet;
    },
    get opener() {
      return opener;
    },

    /** Runs the capability as the service does, recording the batches it asks for. */
    async guard(input: PoolInput, through: Chain = local.chain) {
      const { chain, asked } = recordReads(through);
      const block = await local.chain.latestBlock();
      const context = createGatherContext(chain, block, records);
      const result = await runCapability(hookGuard, context, input);
      if (through === local.chain) verifyFacts(context.proofs, result.facts);
      return { ...result, asked };
    },

    answering: (change: Change): Chain => alteredChain(local.chain, change),
  };
}
export type HookFixture = ReturnType<typeof useHookFixture>;
