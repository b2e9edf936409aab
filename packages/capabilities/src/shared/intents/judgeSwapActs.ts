import type { Hex } from "@assay/protocol";
import { WETH } from "../chain-facts/knownContracts.js";
import { describeJudgement, describeSwap } from "../swaps/describeSwap.js";
import { judgeSwap } from "../swaps/judgeSwap.js";
import type { SwapCode } from "../swaps/reasons.js";
import type { Note } from "../verdict/note.js";
import type { PayoutAct, SwapAct } from "./act.js";
import { type GroupFlows, groupFlows } from "./groupFlows.js";
import type { IntentCase } from "./intentCase.js";
import { isKnownAsset, isSmallSum } from "./priceAssets.js";

export type SwapActCode =
  | SwapCode
  | "SWAP_ROUTER_UNKNOWN"
  | "SWAP_LIMITS_UNJUDGED"
  | "SWAP_RETURNS_NOTHING"
  | "ROUTER_HAS_NO_CODE";

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
  if (swaps.length === 0 && one.swap === null) return { notes: judgeMeant(one), limitations: [], swap: null };
  const parties = noteParties(one, swaps);
  if (one.swap === null)
    return { notes: [...parties, ...judgeTogether(one, swaps)], limitations: [], swap: null };
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

function noteParties(one: IntentCase, swaps: readonly SwapAct[]): Notes {
  const notes: Note<SwapActCode>[] = [];
  const owners = new Set([
    ...one.own,
    ...one.claimed,
    ...swaps.flatMap(({ payer, router }) => [payer, router]),
  ]);
  const flows = groupFlows(one, one.claimed.length > 0 ? new Set([...one.own, ...one.claimed]) : one.own);
  const recipients = swaps.map(({ recipient }) => recipient).filter((to) => !owners.has(to));
  // A pool or a router may be paid first and pass on what it got.
  if (recipients.some((to) => one.viewParty(to).kind !== "known" && !isPassedOn(one, to)))
    notes.push({ code: "RECIPIENT_NOT_SENDER" });
  if (flows !== null && flows.leaves.length > 0 && flows.returns.length === 0)
    notes.push({ code: "SWAP_RETURNS_NOTHING" });
  if (swaps.some(({ router }) => !one.routers.has(router) && one.viewParty(router).kind !== "known"))
    notes.push({
      code: "SWAP_ROUTER_UNKNOWN",
      limitation:
        "What an unknown router does with a swap's arguments is known only as far as it was measured.",
    });
  return notes;
}

const isPassedOn = ({ traced }: IntentCase, address: Hex): boolean =>
  traced !== null && !traced.net.some(({ holder, change }) => holder === address && change > 0n);

/** Swaps inside other calls, several at once, or of a router that amm.swap.guard does not support: by what they bring in. */
function judgeTogether(one: IntentCase, swaps: readonly SwapAct[]): Notes {
  const group = new Set([...one.own, ...one.claimed]);
  const flows = groupFlows(one, group);
  if (flows === null) {
    const limitation =
      "What the swaps bring in was not measured, so their limits were not compared with anything.";
    return [{ code: "SWAP_LIMITS_UNJUDGED", limitation }];
  }
  const exactIn = swaps.filter(({ exact }) => exact === "in");
  const isSame = (token: Hex | null, other: Hex | null) =>
    token === other || (isEther(token) && isEther(other));
  const judged = flows.returns.flatMap(({ asset, amount }): Note<SwapActCode>[] => {
    const last = exactIn.filter(({ tokenOut }) => isSame(tokenOut, asset.token));
    if (last.length === 0) return [];
    const payouts = one.listed.acts.filter(
      (act): act is PayoutAct => act.kind === "payout" && isSame(act.token, asset.token) && group.has(act.to),
    );
    const promised = [
      last.reduce((sum, { amountOut }) => sum + BigInt(amountOut), 0n),
      payouts.reduce((sum, { minimum }) => sum + BigInt(minimum ?? "0"), 0n),
    ].reduce((most, one) => (one > most ? one : most), 0n);
    return [{ code: compareMinimum(promised, amount) }];
  });
  return [...noteUntried(one, flows), ...judged];
}

/** Swaps that are known only by what their protocol says: the least that must arrive, against what arrives. */
function judgeMeant(one: IntentCase): Notes {
  const swaps = one.calls.filter(
    ({ meaning, caller }) => meaning?.effect === "swap" && !one.operated.has(caller),
  );
  const flows = swaps.length === 0 ? null : groupFlows(one, new Set([...one.own, ...one.claimed]));
  if (flows === null || flows.returns.length === 0) return [];
  const notes = noteUntried(one, flows);
  const [swap] = swaps;
  const { minimum, tokenOut } = swap?.meaning?.roles ?? {};
  const [first] = flows.returns;
  const got = flows.returns.find(({ asset }) => asset.token === tokenOut) ?? first;
  if (swaps.length !== 1 || typeof minimum !== "string" || got === undefined) return notes;
  return [...notes, { code: compareMinimum(BigInt(minimum), got.amount) }];
}

function compareMinimum(promised: bigint, amount: bigint): SwapActCode {
  if (promised === 0n) return "MIN_OUT_ZERO";
  if (promised * 2n < amount) return "MIN_OUT_NEGLIGIBLE";
  return promised * 100n < amount * 95n ? "MIN_OUT_BELOW_TOLERANCE" : "LIMIT_WITHIN_TOLERANCE";
}

/** A bought token that is not a published one may be impossible to sell, which only a sale shows. */
function noteUntried(one: IntentCase, { leaves, returns }: GroupFlows): Note<SwapActCode>[] {
  const isUntried = returns.some(({ asset }) => asset.kind === "erc20" && !isKnownAsset(one, asset));
  // A small sum may be lost in a token that cannot be sold.
  if (isSmallSum(one, leaves)) return [];
  const limitation = "Selling what is bought is tried only for one swap on a supported router.";
  return isUntried ? [{ code: "RESALE_UNMEASURED", limitation }] : [];
}

const isEther = (token: Hex | null) => token === null || token === WETH;

function noteCode({ readings: { target } }: IntentCase): Notes {
  const isEmpty = target.code.status === "value" && target.code.value.form === "empty";
  return isEmpty ? [{ code: "ROUTER_HAS_NO_CODE" }] : [];
}
