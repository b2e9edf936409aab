import { createDevnet, type Devnet } from "@assay/devnet";
import { canonicalJson, type Hex } from "@assay/protocol";
import { baseSwapRouters, type SwapRouter, swapGuardReadingsSchema } from "@assay/rules";
import { encodeFunctionData, erc20Abi, maxUint256, parseUnits } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { createChain } from "../../../chain/createChain.js";
import type { Chain } from "../../../chain/types.js";
import { createGatherContext } from "../../../testing/createGatherContext.js";
import { swapGuard } from "../definition.js";

export interface Transaction {
  readonly from: Hex;
  readonly to: Hex;
  readonly data: Hex;
  readonly value: string;
}

export const low = (address: string) => address.toLowerCase() as Hex;
export const ether = (amount: string) => parseUnits(amount, 18);
export const dollars = (amount: string) => parseUnits(amount, 6);
/** A price a little under, or over, the given one. */
export const less = (amount: bigint, percent: bigint) => (amount * (100n - percent)) / 100n;

/** A local chain on which alice holds every token and has let both routers take them; undone after each test. */
export function useSwapFixture() {
  let devnet: Devnet;
  let chain: Chain;
  let snapshot: Hex;

  beforeAll(async () => {
    devnet = await createDevnet({ blockTimeMs: 0 });
    chain = await createChain({ rpcUrls: [devnet.rpcUrl], expectedChainId: 8453 });
    for (const from of [fixture.alice, low(devnet.deployer.address)])
      await devnet.request("hardhat_impersonateAccount", [from]);
    const { plainToken, taxedToken, honeypotToken, freshToken, weth } = fixture.tokens;
    for (const token of [plainToken, taxedToken, honeypotToken, freshToken])
      await fixture.call(low(devnet.deployer.address), token, "transfer", [fixture.alice, ether("1000000")]);
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
  afterAll(async () => {
    await chain?.close();
    await devnet?.close();
  });
  beforeEach(async () => {
    snapshot = await devnet.snapshot();
  });
  afterEach(() => devnet.revert(snapshot));

  const fixture = {
    get devnet() {
      return devnet;
    },
    get chain() {
      return chain;
    },
    get alice() {
      return low(devnet.accounts[0]?.address ?? "0x");
    },
    get bob() {
      return low(devnet.accounts[1]?.address ?? "0x");
    },
    get v2() {
      return low(devnet.contracts.uniswapV2Router);
    },
    get v3() {
      return low(devnet.contracts.swapRouter02);
    },
    get tokens() {
      const { contracts } = devnet;
      return {
        weth: low(contracts.weth),
        usdc: low(contracts.stablecoin),
        plainToken: low(contracts.plainToken),
        taxedToken: low(contracts.taxedToken),
        honeypotToken: low(contracts.honeypotToken),
        freshToken: low(contracts.freshToken),
      };
    },

    /** Ten minutes after the newest block. */
    async soon(): Promise<bigint> {
      return BigInt((await chain.latestBlock()).timestamp + 600);
    },

    /** Really sends it; throws when it fails. Tells the wei its gas cost. */
    async send({ from, to, data, value }: Transaction): Promise<{ gasCost: bigint }> {
      const hash = await devnet.request<Hex>("eth_sendTransaction", [
        { from, to, data, value: `0x${BigInt(value).toString(16)}`, gas: "0xf00000" },
      ]);
      const receipt = await devnet.request<Record<string, Hex>>("eth_getTransactionReceipt", [hash]);
      if (receipt.status !== "0x1") throw new Error(`the transaction ${hash} failed`);
      return { gasCost: BigInt(receipt.gasUsed ?? 0) * BigInt(receipt.effectiveGasPrice ?? 0) };
    },

    call(from: Hex, token: Hex, functionName: "transfer" | "approve", args: readonly [Hex, bigint]) {
      const data = encodeFunctionData({ abi: erc20Abi, functionName, args });
      return fixture.send({ from, to: token, data, value: "0" });
    },

    async balanceOf(token: Hex | "native", holder: Hex): Promise<bigint> {
      if (token === "native") return BigInt(await devnet.request<Hex>("eth_getBalance", [holder, "latest"]));
      const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [holder] });
      return BigInt(await devnet.request<Hex>("eth_call", [{ to: token, data }, "latest"]));
    },

    /** Runs the capability as the service does, counting the batches it asks for. */
    async guard(
      input: Transaction,
      through: Chain = chain,
      swapRouters: readonly SwapRouter[] = baseSwapRouters,
    ) {
      let batches = 0;
      const counted: Chain = {
        ...through,
        readAt: (block, reads) => {
          batches += 1;
          return through.readAt(block, reads);
        },
      };
      const block = await chain.latestBlock();
      const context = Object.assign(createGatherContext(counted, block), { swapRouters });
      const gathered = await swapGuard.gather(context, input);
      const recorded = swapGuardReadingsSchema.parse(JSON.parse(canonicalJson(gathered.readings)));
      const facts = swapGuard.listFacts(input, recorded);
      return { ...swapGuard.evaluate(input, recorded), readings: recorded, facts, context, block, batches };
    },
  };
  return fixture;
}
