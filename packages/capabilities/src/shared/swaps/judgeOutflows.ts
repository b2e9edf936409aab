import { zeroAddress } from "viem";
import { findCanonicalToken } from "../chain-facts/canonicalTokens.js";
import type { Note } from "../verdict/note.js";
import type { DecodedSwap, SwapTransaction } from "./decodeSwap.js";
import type { MeasuredSwap } from "./measureSwap.js";

export type OutflowCode =
  | "OTHER_ASSET_MOVED"
  | "OTHER_ASSET_LOST"
  | "PAID_ABOVE_INPUT"
  | "PAID_FAR_ABOVE_INPUT"
  | "VALUE_ABOVE_INPUT"
  | "VALUE_FAR_ABOVE_INPUT";

const WHOLE_BPS = 10_000n;
/** What exchanges charge at most, and what nobody does, in hundredths of a percent of the input. */
const REVIEW_PAID_BPS = 100n;
const BLOCK_PAID_BPS = 500n;
/** Value that is sent to be refunded is, until then, where every contract on the way could take it. */
const REVIEW_VALUE_BPS = 500n;
const BLOCK_VALUE_BPS = 10_000n;
/** The same where only published tokens are on the way. */
const REVIEW_SAFE_VALUE_BPS = 10_000n;

/** What the call takes from the sender besides what the swap says that it takes. */
export function judgeOutflows(
  swap: DecodedSwap,
  { value }: SwapTransaction,
  measured: MeasuredSwap | null,
): Note<OutflowCode>[] {
  const { amountIn, kind, program } = swap;
  const strays = (program?.strays ?? []).map(({ name, asset, recipient }): Note<OutflowCode> => {
    const what = asset === zeroAddress ? "native value" : asset;
    const where = recipient === null ? "" : ` for ${recipient}`;
    return { code: "OTHER_ASSET_MOVED", limitation: `The step ${name} moves ${what}${where}.` };
  });
  const lost = (measured?.lost ?? []).map(({ token, amount }): Note<OutflowCode> => {
    const limitation = `The sender would lose ${amount} units of ${token ?? "native value"}.`;
    return { code: "OTHER_ASSET_LOST", limitation };
  });
  // An exact output has a maximum, which the router keeps.
  const paid = kind === "exactIn" && measured ? measured.paid - amountIn : 0n;
  return [
    ...strays,
    ...lost,
    ...grade(paid, amountIn, REVIEW_PAID_BPS, BLOCK_PAID_BPS, ["PAID_ABOVE_INPUT", "PAID_FAR_ABOVE_INPUT"]),
    ...judgeValue(swap, BigInt(value)),
  ];
}

function judgeValue({ amountIn, isNativeIn, hops }: DecodedSwap, value: bigint): Note<OutflowCode>[] {
  if (!isNativeIn) return value > 0n ? [{ code: "VALUE_FAR_ABOVE_INPUT" }] : [];
  const excess = value - amountIn;
  const isPublished = hops.every(
    ({ tokenIn, tokenOut, hooks = zeroAddress }) =>
      hooks === zeroAddress && [tokenIn, tokenOut].every((token) => findCanonicalToken(token) !== undefined),
  );
  if (!isPublished)
    return grade(excess, amountIn, REVIEW_VALUE_BPS, BLOCK_VALUE_BPS, [
      "VALUE_ABOVE_INPUT",
      "VALUE_FAR_ABOVE_INPUT",
    ]);
  return excess * WHOLE_BPS > amountIn * REVIEW_SAFE_VALUE_BPS ? [{ code: "VALUE_ABOVE_INPUT" }] : [];
}

function grade(
  excess: bigint,
  base: bigint,
  review: bigint,
  block: bigint,
  [high, far]: readonly [OutflowCode, OutflowCode],
): Note<OutflowCode>[] {
  if (excess * WHOLE_BPS > base * block) return [{ code: far }];
  return excess * WHOLE_BPS > base * review ? [{ code: high }] : [];
}
