import type { EventLog } from "@assay/protocol";
import { WETH } from "../shared/chain-facts/knownContracts.js";
import { listTransfers } from "../shared/events/transferEvents.js";
import type { DecodedSwap } from "../shared/swaps/decodeSwap.js";
import type { Note } from "../shared/verdict/note.js";
import type { RealisedFlow } from "./judgeRealised.js";

export type LimitCode =
  | "LIMIT_KEPT"
  | "LIMIT_NOT_KEPT"
  | "LIMIT_UNCONFIRMED"
  | "MIN_OUT_ZERO"
  | "RECIPIENT_NOT_SENDER";

/** An amount and its source: balances, events of the token, or the wrapping of native currency. */
interface RealisedAmount {
  readonly amount: bigint;
  readonly source: "measured" | "events" | "inferred";
}

export interface LimitJudgement {
  readonly notes: Note<LimitCode>[];
  readonly paid: RealisedAmount | null;
  readonly received: RealisedAmount | null;
  readonly isKept: boolean | null;
}

/** Whether a swap brought at least what its calldata asks for, and took at most what it allows. */
export function judgeLimit(
  swap: DecodedSwap,
  router: string,
  sender: string,
  flows: readonly RealisedFlow[],
  logs: readonly EventLog[],
  isProven: boolean,
): LimitJudgement {
  const find = (holder: string, token: string | null) =>
    flows.find((flow) => flow.holder === holder && flow.token === token);
  const wrapped = sumWrapping(router, logs);
  const received = swap.isNativeOut
    ? readNative(find(swap.recipient, null), 1n, wrapped.out)
    : readToken(find(swap.recipient, swap.tokenOut), 1n);
  const paid = swap.isNativeIn
    ? readNative(find(sender, null), -1n, wrapped.in)
    : readToken(find(sender, swap.tokenIn), -1n);
  const notes: Note<LimitCode>[] = swap.recipient === sender ? [] : [{ code: "RECIPIENT_NOT_SENDER" }];
  if (received === null || paid === null || !isProven)
    return {
      notes: [
        {
          code: "LIMIT_UNCONFIRMED",
          limitation:
            "What the swap took or brought could not be seen, is not proven, or differs between balances and the wrapping of native currency.",
        },
        ...notes,
      ],
      paid,
      received,
      isKept: null,
    };
  const isKept = received.amount >= swap.amountOut && paid.amount <= swap.amountIn;
  notes.unshift({ code: isKept ? "LIMIT_KEPT" : "LIMIT_NOT_KEPT" });
  if (swap.kind === "exactIn" && swap.amountOut === 0n) notes.push({ code: "MIN_OUT_ZERO" });
  return { notes, paid, received, isKept };
}

/** Measured balances are preferred to events. Events are used where balances were not measured. */
function readToken(flow: RealisedFlow | undefined, sign: bigint): RealisedAmount | null {
  if (flow === undefined || flow.byEvents === null) return null;
  const isMeasured = flow.agreement !== "unconfirmed" && flow.measured !== null;
  return isMeasured
    ? { amount: sign * (flow.measured ?? 0n), source: "measured" }
    : { amount: sign * flow.byEvents, source: "events" };
}

/**
 * Native currency has no events of its own, so the router's wrapping and unwrapping stands for it. A balance covers the
 * whole block, and another transaction may have moved some of it. Where the two differ, the amount is not known.
 */
function readNative(
  flow: RealisedFlow | undefined,
  sign: bigint,
  wrapped: bigint | null,
): RealisedAmount | null {
  if (wrapped === null) return null;
  if (flow?.agreement !== "measured" || flow.measured === null)
    return { amount: wrapped, source: "inferred" };
  return sign * flow.measured === wrapped ? { amount: wrapped, source: "measured" } : null;
}

function sumWrapping(router: string, logs: readonly EventLog[]): { in: bigint | null; out: bigint | null } {
  const sums: { in: bigint | null; out: bigint | null } = { in: null, out: null };
  for (const log of logs.filter(({ address }) => address === WETH)) {
    for (const { kind, from, to, amount } of listTransfers(log)) {
      if (kind !== "wrapping") continue;
      if (to === router) sums.in = (sums.in ?? 0n) + amount;
      if (from === router) sums.out = (sums.out ?? 0n) + amount;
    }
  }
  return sums;
}
