import { concatHex, encodeAbiParameters, type Hex, maxUint256 } from "viem";
import type { DecodedSwap, SwapTransaction } from "./decodeSwap.js";
import { encodeProgram } from "./encodeProgram.js";

/**
 * The small swap shows the price before the real one moves it. It is a hundredth of the real one, so it moves the price
 * by only about a hundredth as much. A thousandth would often be too few units of the token to divide by.
 */
const SHARE = 100n;

/** The same swap of a hundredth of the amount, to the sender and without limits; null where that is nothing. */
export function encodeSmallSwap(
  swap: DecodedSwap,
  { from, to, value }: SwapTransaction,
): SwapTransaction | null {
  const { abi, selector, fields } = swap.call;
  const exact = (swap.kind === "exactIn" ? swap.amountIn : swap.amountOut) / SHARE;
  if (exact === 0n) return null;
  if (swap.program) {
    const { kind, isNativeIn } = swap;
    const order = { kind, isNativeIn, isBackwards: false, amount: exact, most: swap.amountIn };
    const paid = kind === "exactIn" ? exact : swap.amountIn;
    return {
      from,
      to,
      data: encodeProgram(swap, swap.program, order),
      value: isNativeIn ? paid.toString() : "0",
    };
  }
  const changes: Record<string, unknown> = {
    ...(swap.kind === "exactIn"
      ? { amountIn: exact, amountOutMin: 0n, amountOutMinimum: 0n }
      : { amountOut: exact }),
    to: from,
    recipient: from,
    deadline: maxUint256,
  };
  const changed = Object.fromEntries(
    Object.entries(fields).map(([name, given]) => [name, name in changes ? changes[name] : given]),
  );
  const isPacked = abi.inputs.length === 1 && abi.inputs[0]?.name === "params";
  const values = isPacked ? [changed] : abi.inputs.map(({ name }) => changed[name ?? ""]);
  const sent = !swap.isNativeIn ? 0n : swap.kind === "exactIn" ? exact : BigInt(value);
  const data: Hex = concatHex([selector, encodeAbiParameters(abi.inputs, values)]);
  return { from, to, data, value: sent.toString() };
}
