import type { Hex } from "@assay/protocol";
import { decodeFunctionResult } from "viem";
import { firstWord } from "../firstWord.js";
import { decodeRevert, type RevertReason } from "../intent/decodeRevert.js";
import type { Note } from "../note.js";
import type { Borrowed } from "./computeBorrow.js";
import { agreesWith } from "./judgeMarket.js";
import type { LendingCase, MarketReadings } from "./lendingCase.js";
import { morphoAbi } from "./morphoLayout.js";

export type BorrowCode =
  | "BORROW_ALLOWED"
  | "BORROW_REVERTS"
  | "COLLATERAL_TOO_LOW"
  | "LIQUIDITY_TOO_LOW"
  | "AMOUNT_TOO_LARGE"
  | "LOAN_TOKEN_REFUSES"
  | "LOAN_ARRIVES_SHORT"
  | "COMPUTATION_DISAGREES"
  | "CALL_UNREAD"
  | "SIMULATION_UNAVAILABLE"
  | "SIMULATION_DISAGREES"
  | "MEASURE_UNREAD";

type Notes = Note<BorrowCode>[];

export interface BorrowJudgement {
  readonly notes: Notes;
  /** By the contract itself, called with no change of state; null where nobody answered. */
  readonly succeeds: boolean | null;
  readonly revert: RevertReason | null;
  /** What the user's balance of the loan token grew by in the simulation. */
  readonly received: bigint | null;
}

/** What Morpho says when the loan token, and not Morpho, refuses. */
const TOKEN_REASONS: readonly (string | null)[] = ["transfer reverted", "transfer returned false", "no code"];

/** Whether the borrow runs: computed from Morpho's state, called, and measured; the three must agree. */
export function judgeBorrow(one: LendingCase): BorrowJudgement {
  const { found, computation, amount } = one;
  if (found === null) return { notes: [], succeeds: null, revert: null, received: null };
  const { call, simulation } = found.read.borrow;
  const succeeds = call.status === "unanswered" ? null : call.status !== "reverted";
  const revert = call.status === "reverted" ? decodeRevert(call.data) : null;
  const received = measureReceived(found.read);
  const notes: Notes = [...noteComputed(one)];
  const isComputed = computation?.status === "computed" && computation.borrowed.refusals.length === 0;
  if (succeeds === null)
    notes.push({ code: "CALL_UNREAD", limitation: "No node answered the borrow as a plain call." });
  if (revert !== null) notes.push({ code: "BORROW_REVERTS" });
  if (TOKEN_REASONS.includes(revert?.reason ?? null) && revert !== null)
    notes.push({ code: "LOAN_TOKEN_REFUSES" });
  if (simulation.status === "value" && received === null && simulation.value.success)
    notes.push({ code: "MEASURE_UNREAD", limitation: "How much of the loan arrives was not measured." });
  if (received !== null && received < amount) notes.push({ code: "LOAN_ARRIVES_SHORT" });
  notes.push(...noteAgreement(one, succeeds, revert));
  if (isComputed && succeeds && notes.length === 0) notes.push({ code: "BORROW_ALLOWED" });
  return { notes, succeeds, revert, received };
}

function noteComputed({ computation, readings: { loanTokenHeld }, amount }: LendingCase): Notes {
  const notes: Notes = [];
  if (computation?.status === "reverts") notes.push({ code: "AMOUNT_TOO_LARGE" });
  const refusals = computation?.status === "computed" ? computation.borrowed.refusals : [];
  if (refusals.includes("insufficient collateral")) notes.push({ code: "COLLATERAL_TOO_LOW" });
  const held = firstWord(loanTokenHeld);
  if (refusals.includes("insufficient liquidity") || (held !== null && held < amount))
    notes.push({ code: "LIQUIDITY_TOO_LOW" });
  return notes;
}

function measureReceived({ borrow: { simulation } }: MarketReadings): bigint | null {
  if (simulation.status !== "value" || !simulation.value.success) return null;
  const { heldBefore, heldAfter } = simulation.value;
  return heldBefore === null || heldAfter === null ? null : BigInt(heldAfter) - BigInt(heldBefore);
}

const disagrees = (limitation: string): Note<"COMPUTATION_DISAGREES"> => ({
  code: "COMPUTATION_DISAGREES",
  limitation,
});

function noteAgreement(
  { found, computation }: LendingCase,
  succeeds: boolean | null,
  revert: RevertReason | null,
): Notes {
  if (found === null) return [];
  const { call, simulation } = found.read.borrow;
  const notes: Notes = [];
  if (simulation.status !== "value") {
    const limitation =
      "Nothing was measured: the runner gave no answer (a node may refuse state overrides, or the user is Morpho itself).";
    notes.push({ code: "SIMULATION_UNAVAILABLE", limitation });
  } else if (succeeds !== null && simulation.value.success !== succeeds)
    notes.push({
      code: "SIMULATION_DISAGREES",
      limitation: "The plain call and the runner's do not end alike.",
    });
  if (computation === null || succeeds === null) return notes;
  const borrowed = computation.status === "computed" ? computation.borrowed : null;
  const isExpected = borrowed !== null && borrowed.refusals.length === 0;
  // Whether the token pays out is not computed.
  const isTokens = TOKEN_REASONS.includes(revert?.reason ?? null) && revert !== null;
  if (isExpected !== succeeds && !(isExpected && isTokens))
    notes.push(disagrees("Whether the borrow runs was computed otherwise than the contract answers."));
  if (!isExpected || !succeeds || borrowed === null) return notes;
  if (call.status !== "value" || sharesIn(call.value) !== borrowed.shares)
    notes.push(disagrees("The contract answers with another debt than was computed."));
  if (simulation.status === "value" && simulation.value.success && !isMeasuredAs(simulation.value, borrowed))
    notes.push(disagrees("After the simulated borrow the market or the position is not as computed."));
  return notes;
}

function sharesIn(data: Hex): bigint | null {
  try {
    return decodeFunctionResult({ abi: morphoAbi, functionName: "borrow", data })[1];
  } catch {
    return null;
  }
}

const isMeasuredAs = (after: { market: Hex; position: Hex }, { market, position }: Borrowed): boolean =>
  agreesWith("market", after.market, [
    market.totalSupplyAssets,
    market.totalSupplyShares,
    market.totalBorrowAssets,
    market.totalBorrowShares,
    market.lastUpdate,
    market.fee,
  ]) && agreesWith("position", after.position, [undefined, position.borrowShares, position.collateral]);
