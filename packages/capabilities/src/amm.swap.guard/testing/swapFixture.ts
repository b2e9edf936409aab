import type { Chain } from "@assay/chain";
import { lowercase } from "@assay/chain/testing/lowercase";
import { recordReads } from "@assay/chain/testing/recordReads";
import { useLocalChain } from "@assay/chain/testing/useLocalChain";
import type { Hex } from "@assay/protocol";
import { encodeFunctionData, erc20Abi, maxUint256, parseUnits } from "viem";
import { beforeAll } from "vitest";
import { baseSwapRouters, type SwapRouter } from "../../shared/swaps/swapRouters.js";
import { createGatherContext } from "../../testing/createGatherContext.js";
import { runCapability } from "../../testing/runCapability.js";
import type { Transaction } from "../../testing/swapOrders.js";
import { gatherer } from "../gather/gather.js";
import { rule } from "../rule.js";

const swapGuard = { ...rule, ...gatherer };

export const ether = (amount: string) => parseUnits(amount, 18);
export const dollars = (amount: string) => parseUnits(amount, 6);
/** A price a little under, or over, the given one. */
export const less = (amount: bigint, percent: bigint) => (amount * (100n - percent)) / 100n;

export interface DescribedSwap {
  readonly tokenIn: { address: Hex; isNative: boolean };
  readonly tokenOut: { address: Hex; isNative: boolean };
  readonly recipient: Hex;
}
/** What left the sender and reached the recipient. */
export interface Measured {
  readonly paid: string;
  readonly received: string;
}

/** A local chain on which alice holds every token and has let both routers take them; undone after each test. */
export function useSwapFixture() {
  const local = useLocalChain();

  beforeAll(async () => {
    const { devnet } = local;
    for (const from of [fixture.alice, lowercase(devnet.deployer.address)])
      await devnet.request("hardhat_impersonateAccount", [from]);
    const { plainToken, taxedToken, honeypotToken, weth } = fixture.tokens;
    for (const token of [plainToken, taxedToken, honeypotToken])
      await fixture.call(lowercase(devnet.deployer.address), token, "transfer", [
        fixture.alice,
        ether("1000000"),
      ]);
    // WETH's deposit().
    await fixture.send({
      from: fixture.alice,
      to: weth,
      data: "0xd0e30db0",
      value: ether("1000").toString(),
    });
    for (const token of Object.values(fixture.tokens))
      for (const router of [fixture.v2, fixture.v3])
        await fixture.call(fixture.alice, token, "approve", [router, maxUint256]);
  }, 60_000);

  const fixture = {
    get devnet() {
      return local.devnet;
    },
    get chain() {
      return local.chain;
    },
    get alice() {
      return lowercase(local.devnet.accounts[0]?.address ?? "0x");
    },
    get bob() {
      return lowercase(local.devnet.accounts[1]?.address ?? "0x");
    },
    get v2() {
      return lowercase(local.devnet.contracts.uniswapV2Router);
    },
    get v3() {
      return lowercase(local.devnet.contracts.swapRouter02);
    },
    get tokens() {
      const { contracts } = local.devnet;
      return {
        weth: lowercase(contracts.weth),
        usdc: lowercase(contracts.stablecoin),
        plainToken: lowercase(contracts.plainToken),
        taxedToken: lowercase(contracts.taxedToken),
        honeypotToken: lowercase(contracts.honeypotToken),
        freshToken: lowercase(contracts.freshToken),
      };
    },

    /** Ten minutes after the newest block. */
    async soon(): Promise<bigint> {
      return BigInt((await local.chain.latestBlock()).timestamp + 600);
    },

    /** Really sends it; throws when it fails. Returns what its gas cost, in wei. */
    async send({ from, to, data, value }: Transaction): Promise<{ gasCost: bigint }> {
      const hash = await local.devnet.request<Hex>("eth_sendTransaction", [
        { from, to, data, value: `0x${BigInt(value).toString(16)}`, gas: "0xf00000" },
      ]);
      const receipt = await local.devnet.request<Record<string, Hex>>("eth_getTransactionReceipt", [hash]);
      if (receipt.status !== "0x1") throw new Error(`the transaction ${hash} failed`);
      return { gasCost: BigInt(receipt.gasUsed ?? 0) * BigInt(receipt.effectiveGasPrice ?? 0) };
    },

    /** Really sends it, and returns what left the sender and reached the recipient, gas aside. */
    async sendAndCount(transaction: Transaction, swap: DescribedSwap): Promise<Measured> {
      const input = swap.tokenIn.isNative ? "native" : swap.tokenIn.address;
      const output = swap.tokenOut.isNative ? "native" : swap.tokenOut.address;
      const count = async () => ({
        input: await fixture.balanceOf(input, transaction.from),
        output: await fixture.balanceOf(output, swap.recipient),
      });
      const before = await count();
      const { gasCost } = await fixture.send(transaction);
      const after = await count();
      const isOwn = swap.recipient === transaction.from;
      return {
        paid: (before.input - after.input - (input === "native" ? gasCost : 0n)).toString(),
        received: (after.output - before.output + (output === "native" && isOwn ? gasCost : 0n)).toString(),
      };
    },

    call(from: Hex, token: Hex, functionName: "transfer" | "approve", args: readonly [Hex, bigint]) {
      const data = encodeFunctionData({ abi: erc20Abi, functionName, args });
      return fixture.send({ from, to: token, data, value: "0" });
    },

    async balanceOf(token: Hex | "native", holder: Hex): Promise<bigint> {
      if (token === "native")
        return BigInt(await local.devnet.request<Hex>("eth_getBalance", [holder, "latest"]));
      const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [holder] });
      return BigInt(await local.devnet.request<Hex>("eth_call", [{ to: token, data }, "latest"]));
    },

    /** Runs the capability as the service does, counting the batches it asks for. */
    async guard(
      input: Transaction,
      through: Chain = local.chain,
      swapRouters: readonly SwapRouter[] = baseSwapRouters,
    ) {
      const { chain, asked } = recordReads(through);
      const block = await local.chain.latestBlock();
      const context = Object.assign(createGatherContext(chain, block), {
        swapRouters,
        // These tests are about swaps; what is bought is judged in `judgeBought.test.ts`.
        skipsBoughtTokens: true,
      });
      const result = await runCapability(swapGuard, context, input);
      return { ...result, context, block, batches: asked.length };
    },
  };
  return fixture;
}
