import type { Hex } from "@assay/protocol";
import { decodeFunctionResult } from "viem";
import { decodeRevert, type RevertReason } from "../shared/simulation/decodeRevert.js";
import type { Note } from "../shared/verdict/note.js";
import { readLeadingWord } from "../shared/words/readLeadingWord.js";
import { type Borrowed, leastCollateral } from "./computeBorrow.js";
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
  | "MEASURE_UNREAD"
  | "ORACLE_ANSWERS_BY_CALLER"
  | "LIQUIDATION_LINE_DIFFERS";

type Notes = Note<BorrowCode>[];

export interface BorrowJudgement {
  readonly notes: Notes;
  /** By the contract itself, called with no change of state; null where nobody answered. */
  readonly succeeds: boolean | null;
  readonly revert: RevertReason | null;
  /** What the user's balance of the loan token grew by in the simulation. */
  readonly received: bigint | null;
  /** Whether Morpho draws the line where it was computed; null where that was not tried. */
  readonly isLineConfirmed: boolean | null;
}

/** Morpho's revert reasons when the loan token, and not Morpho, refuses. */
const TOKEN_REASONS: readonly (string | null)[] = ["transfer reverted", "transfer returned false", "no code"];

/** Whether the borrow runs: computed from Morpho's state, called, and measured; the three must agree. */
export function judgeBorrow(one: LendingCase): BorrowJudgement {
  const { found, computation, amount } = one;
  if (found === null)
    return { notes: [], succeeds: null, revert: null, received: null, isLineConfirmed: null };
  const { call, probe } = found.read.borrow;
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
  if (probe.status === "value" && received === null && probe.value.success)
    notes.push({ code: "MEASURE_UNREAD", limitation: "How much of the loan arrives was not measured." });
  if (received !== null && received < amount) notes.push({ code: "LOAN_ARRIVES_SHORT" });
  const line = judgeLine(one);
  notes.push(...noteAgreement(one, succeeds, revert), ...line.notes);
  if (isComputed && succeeds && notes.length === 0) notes.push({ code: "BORROW_ALLOWED" });
  return { notes, succeeds, revert, received, isLineConfirmed: line.isConfirmed };
}

function noteComputed({ computation, readings: { loanTokenHeld }, amount }: LendingCase): Notes {
  const notes: Notes = [];
  if (computation?.status === "reverts") notes.push({ code: "AMOUNT_TOO_LARGE" });
  const refusals = computation?.status === "computed" ? computation.borrowed.refusals : [];
  if (refusals.includes("insufficient collateral")) notes.push({ code: "COLLATERAL_TOO_LOW" });
  const held = readLeadingWord(loanTokenHeld);
  if (refusals.includes("insufficient liquidity") || (held !== null && held < amount))
    notes.push({ code: "LIQUIDITY_TOO_LOW" });
  return notes;
}

function measureReceived({ borrow: { probe } }: MarketReadings): bigint | null {
  if (probe.status !== "value" || !probe.value.success) return null;
  const { heldBefore, heldAfter } = probe.value;
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
  const { call, probe } = found.read.borrow;
  const notes: Notes = [];
  if (probe.status !== "value") {
    const limitation =
      "Nothing was measured: the probe gave no answer (a node may refuse state overrides), so whether the contract sees this price is not known.";
    notes.push({ code: "SIMULATION_UNAVAILABLE", limitation });
  } else if (succeeds !== null && probe.value.success !== succeeds)
    notes.push({
      code: "SIMULATION_DISAGREES",
      limitation: "The plain call and the probe's do not end alike.",
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
  if (probe.status === "value" && probe.value.success && !isMeasuredAs(probe.value, borrowed))
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

type Probe = Extract<MarketReadings["borrow"]["probe"], { status: "value" }>["value"];

const isMeasuredAs = (after: Probe, { market, position }: Borrowed): boolean =>
  Object.entries(after.market).every(
    ([name, value]) => BigInt(value) === market[name as keyof typeof market],
  ) &&
  BigInt(after.position.borrowShares) === position.borrowShares &&
  BigInt(after.position.collateral) === position.collateral;

/**
 * The price that an oracle returns to us need not be the one that it returns to Morpho in a transaction. So the probe
 * tries Morpho itself: it may withdraw all collateral beyond what carries the debt at this price, and not one unit more.
 */
function judgeLine({ found, terms, computation }: LendingCase): {
  readonly notes: Notes;
  readonly isConfirmed: boolean | null;
} {
  const probe = found?.read.borrow.probe;
  if (probe?.status !== "value" || !probe.value.success) return { notes: [], isConfirmed: null };
  if (terms === null || computation?.status !== "computed") return { notes: [], isConfirmed: null };
  const { price, line, holdsOnLine, holdsBelowLine } = probe.value;
  if (price === null || BigInt(price) !== terms.price)
    return { notes: [{ code: "ORACLE_ANSWERS_BY_CALLER" }], isConfirmed: false };
  const isConfirmed =
    BigInt(line) === leastCollateral(computation.borrowed.debt, terms) && holdsOnLine && !holdsBelowLine;
  if (isConfirmed) return { notes: [], isConfirmed };
  const limitation = `At the price that the oracle returns, ${line} of the collateral carry the debt; the contract ${holdsBelowLine ? "is content with less" : "asks for more, or does not give collateral back"}.`;
  return { notes: [{ code: "LIQUIDATION_LINE_DIFFERS", limitation }], isConfirmed };
}
