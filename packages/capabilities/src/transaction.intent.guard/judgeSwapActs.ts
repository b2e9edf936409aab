import { describeJudgement, describeSwap } from "../shared/swaps/describeSwap.js";
import { judgeSwap } from "../shared/swaps/judgeSwap.js";
import type { SwapCode } from "../shared/swaps/reasons.js";
import type { Note } from "../shared/verdict/note.js";
import type { SwapAct } from "./act.js";
import type { IntentCase } from "./intentCase.js";

export type SwapActCode = SwapCode | "SWAP_ROUTER_UNKNOWN" | "SWAP_LIMITS_UNJUDGED" | "ROUTER_HAS_NO_CODE";

type Notes = readonly Note<SwapActCode>[];

interface SwapActJudgement {
  readonly notes: Notes;
  readonly limitations: readonly string[];
  /** As amm.swap.guard would describe it; null where there is no swap, or none that it supports. */
  readonly swap: (ReturnType<typeof describeSwap> & ReturnType<typeof describeJudgement>) | null;
}

/** Judges every swap in the calldata. A single swap on a supported router is judged as amm.swap.guard does. */
export function judgeSwapActs(one: IntentCase): SwapActJudgement {
  const swaps = one.listed.acts.filter((act): act is SwapAct => act.kind === "swap");
  if (swaps.length === 0 && one.swap === null) return { notes: [], limitations: [], swap: null };
  const parties = noteParties(one, swaps);
  if (one.swap === null)
    return { notes: [...parties, ...noteUnjudged(one, swaps)], limitations: [], swap: null };
  const { input, readings } = one;
  const { router, decoded } = one.swap;
  if (readings.swap === null) {
    const limitation = "The swap was not simulated by itself, so its limits were not compared with anything.";
    return { notes: [...parties, { code: "SWAP_UNREAD", limitation }], limitations: [], swap: null };
  }
  const { block, call } = readings;
  const judged = judgeSwap(decoded, input, { router, block, call, ifApproved: null, ...readings.swap });
  return {
    notes: [...parties, ...noteCode(one), ...judged.notes],
    limitations: judged.limitations,
    swap: { ...describeSwap(decoded), ...describeJudgement(judged) },
  };
}

function noteParties({ listed, input, routers }: IntentCase, swaps: readonly SwapAct[]): Notes {
  const notes: Note<SwapActCode>[] = [];
  const owners = new Set([input.from, ...swaps.flatMap(({ payer, router }) => [payer, router])]);
  const payouts = listed.acts.flatMap((act) => (act.kind === "payout" ? [act.to] : []));
  if ([...swaps.map(({ recipient }) => recipient), ...payouts].some((address) => !owners.has(address)))
    notes.push({ code: "RECIPIENT_NOT_SENDER" });
  if (swaps.some(({ router }) => !routers.has(router)))
    notes.push({
      code: "SWAP_ROUTER_UNKNOWN",
      limitation:
        "What an unknown router does with a swap's arguments is known only as far as it was measured.",
    });
  return notes;
}

/** Swaps inside other calls, several at once, or of a kind that amm.swap.guard does not support. */
function noteUnjudged({ listed }: IntentCase, swaps: readonly SwapAct[]): Notes {
  const limitation =
    "Limits are compared with a swap's result only where the transaction is one swap on a supported router.";
  const notes: Note<SwapActCode>[] = [{ code: "SWAP_LIMITS_UNJUDGED", limitation }];
  // A payout beside the swaps may have a minimum of its own.
  const hasPayout = listed.acts.some(({ kind }) => kind === "payout");
  if (!hasPayout && swaps.some(({ exact, amountOut }) => exact === "in" && amountOut === "0"))
    notes.push({ code: "MIN_OUT_ZERO" });
  return notes;
}

function noteCode({ readings: { target } }: IntentCase): Notes {
  const isEmpty = target.code.status === "value" && target.code.value.form === "empty";
  return isEmpty ? [{ code: "ROUTER_HAS_NO_CODE" }] : [];
}
