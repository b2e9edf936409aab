import type { Hex } from "@assay/protocol";
import { encodeFunctionData, erc20Abi, maxUint256, parseEther, toHex, zeroAddress } from "viem";
import type { HookFixture, PoolInput } from "./hookFixture.js";
import { loadV4 } from "./loadV4.js";

const { abi } = loadV4("PoolSwapTest");
const LIMITS = [4295128740n, 1461446703485210103287273052203988822378723970341n] as const;

/** Enough for any swap of the samples. A hook that burns all gas burns it on both legs, at every size. */
const GAS = 2_000_000;

/** A trader that really sends the swaps that the capability has measured. */
export function createTrader(fixture: HookFixture) {
  async function balanceOf(currency: Hex, holder: Hex): Promise<bigint> {
    const { devnet } = fixture;
    if (currency === zeroAddress)
      return BigInt(await devnet.request<Hex>("eth_getBalance", [holder, "latest"]));
    const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [holder] });
    return BigInt(await devnet.request<Hex>("eth_call", [{ to: currency, data }, "latest"]));
  }

  /** Somebody without a part in any of the contracts. */
  const trader = () => fixture.devnet.accounts[0]?.address as Hex;

  async function send(transaction: { readonly to: Hex; readonly data: Hex; readonly value?: Hex }) {
    const { devnet } = fixture;
    const request = { from: trader(), gas: toHex(GAS), ...transaction };
    const hash = await devnet.request("eth_sendTransaction", [request]);
    const receipt = await devnet.request<Record<"status" | "gasUsed" | "effectiveGasPrice", Hex>>(
      "eth_getTransactionReceipt",
      [hash],
    );
    const gasWei = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
    return { success: receipt.status === "0x1", gasWei };
  }

  /** Gives the trader of both currencies and lets the router take them. */
  async function prepareTrader({ currency0, currency1 }: PoolInput): Promise<void> {
    const { opener, devnet } = fixture;
    const args = [devnet.contracts.v4SwapRouter, maxUint256] as const;
    for (const to of [currency0, currency1].filter((one) => one !== zeroAddress)) {
      await opener.call(to, erc20Abi, "transfer", [trader(), parseEther("100")]);
      await send({ to, data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args }) });
    }
  }

  /** Swaps in a transaction of its own, through v4-core's router for tests. */
  async function swap(input: PoolInput, zeroForOne: boolean, amount: bigint) {
    const { poolManager: _, ...key } = input;
    const currencies = zeroForOne ? [key.currency0, key.currency1] : [key.currency1, key.currency0];
    const [give, take] = currencies as [Hex, Hex];
    const params = { zeroForOne, amountSpecified: -amount, sqrtPriceLimitX96: LIMITS[zeroForOne ? 0 : 1] };
    const settings = { takeClaims: false, settleUsingBurn: false };
    const data = encodeFunctionData({ abi, functionName: "swap", args: [key, params, settings, "0x"] });
    const [gave, took] = [await balanceOf(give, trader()), await balanceOf(take, trader())];
    const value = toHex(give === zeroAddress ? amount : 0n);
    const { success, gasWei } = await send({ to: fixture.devnet.contracts.v4SwapRouter, data, value });
    const paidIn = (currency: Hex) => (currency === zeroAddress ? gasWei : 0n);
    return {
      success,
      sent: gave - (await balanceOf(give, trader())) - paidIn(give),
      received: (await balanceOf(take, trader())) - took + paidIn(take),
    };
  }

  return { prepareTrader, swap };
}
