import type { Reading } from "@assay/protocol";
import { decodeRevert, type RevertReason } from "../shared/simulation/decodeRevert.js";
import type { DecodedSwap } from "../shared/swaps/decodeSwap.js";
import type { SwapMeasurements } from "../shared/swaps/judgeSwap.js";
import type { MeasuredSwap } from "../shared/swaps/measureSwap.js";
import type { Note } from "../shared/verdict/note.js";
import { readLeadingWord } from "../shared/words/readLeadingWord.js";
import type { SwapGuardReadings } from "./readings.js";

export type ExecutionCode =
  | "SWAP_REVERTS"
  | "ALLOWANCE_TOO_LOW"
  | "BALANCE_TOO_LOW"
  | "FEE_ON_TRANSFER_UNSUPPORTED_FN"
  | "GAS_ABOVE_CAP"
  | "SWAP_UNREAD";

export interface JudgedExecution {
  readonly notes: readonly Note<ExecutionCode>[];
  /** Null where neither the call nor the simulation was answered. */
  readonly succeeds: boolean | null;
  readonly revert: RevertReason | null;
}

/** Base refuses transactions with more gas (EIP-7825). */
const GAS_CAP = 16_777_216n;
/** The revert reason of a classic pair to which less arrived than the router sent, as with a token that keeps a part. */
const SHORT_DELIVERY = "UniswapV2: K";

/** Whether the transaction goes through now, by a plain call and by the runner; and why not. */
export function judgeExecution(
  swap: DecodedSwap,
  value: string,
  readings: SwapGuardReadings,
  measured: SwapMeasurements,
): JudgedExecution {
  const { call, simulation } = readings;
  const byCall = call.status === "unanswered" ? null : call.status !== "reverted";
  const byRunner = simulation.status === "value" ? simulation.value.success : null;
  const succeeds = byCall ?? byRunner;
  const payload =
    call.status === "reverted" ? call.data : simulation.status === "value" ? simulation.value.returned : null;
  const revert = succeeds === false ? decodeRevert(payload) : null;
  const notes: Note<ExecutionCode>[] = [...noteUnread(readings)];
  if (revert !== null) notes.push({ code: "SWAP_REVERTS" });
  if (revert?.reason === SHORT_DELIVERY && !swap.toleratesTransferFees)
    notes.push({ code: "FEE_ON_TRANSFER_UNSUPPORTED_FN" });
  notes.push(...noteMeans(swap, value, readings, measured, succeeds));
  const { gasEstimate } = readings;
  if (gasEstimate.status === "value" && BigInt(gasEstimate.value) > GAS_CAP)
    notes.push({ code: "GAS_ABOVE_CAP" });
  return { notes, succeeds, revert };
}

const unread = (limitation: string): Note<ExecutionCode> => ({ code: "SWAP_UNREAD", limitation });

function noteUnread({ call, gasEstimate, nativeBalance, ...rest }: SwapGuardReadings): Note<ExecutionCode>[] {
  const named: [string, Reading<unknown>, readonly Reading["status"][]][] = [
    ["The swap as a plain call", call, ["value", "absent", "reverted"]],
    // A swap that reverts has no gas estimate; that it reverts is noted by itself.
    ["The gas estimate", gasEstimate, call.status === "reverted" ? ["value", "reverted"] : ["value"]],
    ["The sender's native balance", nativeBalance, ["value"]],
    ["The sender's balance of the input token", rest.tokenBalance, ["value"]],
    ["The sender's allowance to the router", rest.allowance, ["value"]],
  ];
  return named
    .filter(([, { status }, accepted]) => !accepted.includes(status))
    .map(([what, { status }]) => unread(`${what} was not read: ${explain(status)}.`));
}

const explain = (status: Reading["status"]) =>
  status === "unanswered" ? "no node answered" : "the contract gave no answer";

/** Whether the sender has what the swap takes, and has let the router take it. */
function noteMeans(
  swap: DecodedSwap,
  value: string,
  { nativeBalance, tokenBalance, allowance }: SwapGuardReadings,
  { whole, ifApproved, small }: SwapMeasurements,
  succeeds: boolean | null,
): Note<ExecutionCode>[] {
  const notes: Note<ExecutionCode>[] = [];
  const isShortOfValue = nativeBalance.status === "value" && BigInt(nativeBalance.value) < BigInt(value);
  if (isShortOfValue) notes.push({ code: "BALANCE_TOO_LOW" });
  if (swap.isNativeIn || succeeds || whole !== null) return notes;
  const needed = swap.kind === "exactIn" ? swap.amountIn : leastPaid(small);
  const balance = readLeadingWord(tokenBalance);
  const allowed = readLeadingWord(allowance);
  if (balance !== null && balance < needed && !isShortOfValue) notes.push({ code: "BALANCE_TOO_LOW" });
  // Nothing but the allowance differs between the two simulations.
  const isSavedByApproval = succeeds === false && ifApproved !== null;
  if ((allowed !== null && allowed < needed) || isSavedByApproval) notes.push({ code: "ALLOWANCE_TOO_LOW" });
  return notes;
}

/** An exact output takes no less than a hundred times what its hundredth part takes, rounding aside. */
const leastPaid = (small: MeasuredSwap | null) => (small === null ? 1n : (small.paid - 1n) * 100n);
