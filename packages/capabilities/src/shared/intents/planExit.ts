import type { Hex } from "@assay/protocol";
import { encodeFunctionData, parseAbi } from "viem";
import type { Act } from "./act.js";
import type { DecodedCall } from "./decodeCalls.js";

const abi = parseAbi([
  "function deposit(uint256 assets, address receiver)",
  "function withdraw(uint256 assets, address receiver, address owner)",
  "function redeem(uint256 shares, address receiver, address owner)",
  "function withdraw(uint256 amount)",
]);
const encode = (functionName: "deposit" | "withdraw" | "redeem", args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi, functionName, args } as never);

export interface ExitStep {
  readonly to: Hex;
  readonly value: bigint;
  readonly data: Hex;
}

/** Fees and rounding: a hundredth stays behind, so that a vault with an exit fee can still be left. */
const part = (amount: bigint) => (amount * 99n) / 100n;
const MAX = 2n ** 128n;

/**
 * Calls after the transaction that take back what it deposits, or that deposit with a new allowance and take that back:
 * whether they succeed shows whether a contract gives back what it takes. Empty where there is nothing to try.
 */
export function planExit(from: Hex, root: DecodedCall, acts: readonly Act[]): readonly ExitStep[] {
  const call = (to: Hex, data: Hex): ExitStep => ({ to, value: 0n, data });
  const [act] = acts;
  if (acts.length === 1 && act?.kind === "approval" && act.form === "erc20" && act.owner === from) {
    const amount = BigInt(act.amount ?? "0");
    if (amount === 0n || amount > MAX) return [];
    const { spender } = act;
    return [
      call(spender, encode("deposit", [amount, from])),
      call(spender, encode("withdraw", [part(amount), from, from])),
    ];
  }
  const { signature, args, to, value } = root;
  if (args === null || signature === null || root.inner.length > 0) return [];
  const first = /^[0-9]+$/.test(String(Object.values(args)[0])) ? BigInt(String(Object.values(args)[0])) : 0n;
  if (signature === "deposit(uint256,address)")
    return [call(to, encode("withdraw", [part(first), from, from]))];
  if (signature === "mint(uint256,address)") return [call(to, encode("redeem", [first, from, from]))];
  if (signature === "deposit(uint256)" || signature === "stake(uint256)")
    return [call(to, encode("withdraw", [first]))];
  if (signature === "deposit()" && value !== "0") return [call(to, encode("withdraw", [BigInt(value)]))];
  return [];
}
