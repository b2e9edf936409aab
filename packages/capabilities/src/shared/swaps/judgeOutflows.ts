import { zeroAddress } from "viem";
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
/** Value that is sent to be refunded is, until then, with every contract on the way. */
const REVIEW_VALUE_BPS = 500n;
const BLOCK_VALUE_BPS = 10_000n;

/** What the call takes from the sender besides what the swap says that it takes. */
export function judgeOutflows(
  swap: DecodedSwap,
  { value }: SwapTransaction,
  measured: MeasuredSwap | null,
): Note<OutflowCode>[] {
  const { amountIn, kind, isNativeIn, program } = swap;
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
  const sent = BigInt(value) - (isNativeIn ? amountIn : 0n);
  const base = isNativeIn ? amountIn : 0n;
  return [
    ...strays,
    ...lost,
    ...grade(paid, amountIn, REVIEW_PAID_BPS, BLOCK_PAID_BPS, ["PAID_ABOVE_INPUT", "PAID_FAR_ABOVE_INPUT"]),
    ...grade(sent, base, REVIEW_VALUE_BPS, BLOCK_VALUE_BPS, ["VALUE_ABOVE_INPUT", "VALUE_FAR_ABOVE_INPUT"]),
  ];
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
