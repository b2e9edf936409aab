import type { Hex } from "@assay/protocol";
import { TRANSACTION_GAS_CAP } from "../chain-facts/transactionGasCap.js";
import { decodeRevert, type RevertReason } from "../simulation/decodeRevert.js";
import type { Note } from "../verdict/note.js";
import type { IntentCase } from "./intentCase.js";
import { listStrangers } from "./judgeBeneath.js";

export type ExecutionCode =
  | "TX_EXECUTES"
  | "TX_REVERTS"
  | "CALL_UNREAD"
  | "GAS_ABOVE_CAP"
  | "GAS_UNREAD"
  | "NATIVE_BALANCE_TOO_LOW"
  | "SIMULATION_UNAVAILABLE"
  | "SIMULATION_DISAGREES"
  | "SENDER_HAS_CODE"
  | "SENDER_IS_ACCOUNT"
  | "SENDER_UNREAD"
  | "UNKNOWN_FUNCTION"
  | "UNKNOWN_FUNCTION_AT_PARTY"
  | "STRANGER_NAMED"
  | "EFFECTS_UNSEEN"
  | "UNDECODED_BYTES"
  | "DECODE_BOUND_REACHED"
  | "MEASURE_BOUND_REACHED";

type Notes = Note<ExecutionCode>[];

export interface ExecutionFindings {
  /** `unpayable`: the sender does not hold the value to be sent. */
  readonly status: "succeeds" | "reverts" | "unpayable" | "unread";
  readonly revert: RevertReason | null;
  readonly gasEstimate: string | null;
  readonly gasCap: string;
  /** Gas of the call itself in the runner, without what every transaction costs. */
  readonly simulatedGas: string | null;
}

interface ExecutionJudgement {
  readonly notes: Notes;
  readonly execution: ExecutionFindings;
}

/** Whether it runs, at what cost, and whether all of it is understood. */
export function judgeExecution(one: IntentCase): ExecutionJudgement {
  const { call, simulation, gasEstimate } = one.readings;
  const cannotPay = isUnpayable(one);
  const failed = findFailure(one);
  // Some nodes run a call although its sender could not pay for it.
  const runs = !cannotPay && (call.status === "value" || call.status === "absent");
  const notes: Notes = [];
  if (cannotPay) notes.push({ code: "NATIVE_BALANCE_TOO_LOW" });
  else if (failed !== null) notes.push({ code: "TX_REVERTS" });
  else if (runs) notes.push({ code: "TX_EXECUTES" });
  if (call.status === "unanswered") notes.push({ code: "CALL_UNREAD", limitation: tellUnread(call.reason) });
  notes.push(...noteSimulation(one, runs), ...noteGas(one, runs), ...noteSender(one), ...noteContent(one));
  return {
    notes,
    execution: {
      status: cannotPay ? "unpayable" : failed !== null ? "reverts" : runs ? "succeeds" : "unread",
      revert: failed,
      gasEstimate: gasEstimate.status === "value" ? gasEstimate.value : null,
      gasCap: TRANSACTION_GAS_CAP.toString(),
      simulatedGas: simulation.status === "value" ? simulation.value.gasUsed : null,
    },
  };
}

const tellUnread = (reason: string): string =>
  reason === "too_heavy"
    ? "No node ran the transaction to its end in time; with 1,000,000 gas it ends without a result. Nothing of what it does was seen."
    : "No node answered the transaction as a plain call.";

const isUnpayable = ({ readings: { senderBalance }, input }: IntentCase): boolean =>
  senderBalance.status === "value" && BigInt(senderBalance.value) < BigInt(input.value);

/** The plain call decides. The runner's outcome is used only where no node answered the call. */
function findFailure({ readings }: IntentCase): RevertReason | null {
  const { call, simulation } = readings;
  if (call.status === "reverted") return decodeRevert(call.data);
  const isRunnerAlone = call.status === "unanswered" && simulation.status === "value";
  return isRunnerAlone && !simulation.value.success ? decodeRevert(simulation.value.returned) : null;
}

function noteSimulation({ readings: { simulation, call, trace } }: IntentCase, runs: boolean): Notes {
  // The trace shows the plain transaction; the runner, which gives the sender code, is only needed without one.
  if (trace.status === "value") {
    // One node gives the trace; what the runner measured, two nodes may be asked for.
    if (simulation.status === "unanswered" && simulation.reason !== "sender_is_target") {
      const limitation =
        "The trace of the plain transaction was not held against a measurement: the runner gave no answer.";
      return [{ code: "SIMULATION_UNAVAILABLE", limitation }];
    }
    if (call.status === "unanswered" || trace.value.success === (call.status !== "reverted")) return [];
    return [disagrees("The plain call and its trace end differently")];
  }
  if (simulation.status !== "value") {
    const limitation =
      "Nothing was measured: no node offers traces, and the runner gave no answer (a node may refuse state overrides, or the sender calls itself). Differences are inferred from calldata alone.";
    return [{ code: "SIMULATION_UNAVAILABLE", limitation }];
  }
  const { success } = simulation.value;
  if (success === runs || (!runs && call.status !== "reverted")) return [];
  return [disagrees("The plain call and the runner's end differently")];
}

const disagrees = (what: string): Note<"SIMULATION_DISAGREES"> => ({
  code: "SIMULATION_DISAGREES",
  limitation: `${what}, so the measured differences may not be what would happen.`,
});

function noteGas({ readings: { gasEstimate } }: IntentCase, runs: boolean): Notes {
  if (gasEstimate.status === "value")
    return BigInt(gasEstimate.value) > BigInt(TRANSACTION_GAS_CAP) ? [{ code: "GAS_ABOVE_CAP" }] : [];
  if (gasEstimate.status === "reverted" && !runs) return [];
  return [{ code: "GAS_UNREAD", limitation: "No gas estimate was given." }];
}

function noteSender({ input, readings: { senderCode, senderBalance, parties, trace } }: IntentCase): Notes {
  if (senderBalance.status !== "value")
    return [{ code: "SENDER_UNREAD", limitation: "What the sender holds was not read." }];
  if (senderCode.status !== "value")
    return [{ code: "SENDER_UNREAD", limitation: "The sender's own code was not read." }];
  if (senderCode.value.form === "empty") return [];
  const account = parties.find(({ address }) => address === input.from)?.account;
  if (account && trace.status === "value") return [{ code: "SENDER_IS_ACCOUNT" }];
  const limitation = account
    ? "The sender has code of its own, which the runner replaced while it measured."
    : "The sender has code that is not a published wallet's; what it does on other occasions was not seen.";
  return [{ code: "SENDER_HAS_CODE", limitation }];
}

function noteContent(one: IntentCase): Notes {
  const { decoded, listed, measurements, traced, effects } = one;
  const notes: Notes = [];
  if (listed.unknownCalls.length > 0) notes.push(...noteUnknownCalls(one));
  notes.push(...noteStrangers(listStrangers(one)));
  if (decoded.undecodedBytes > 0 && listed.unknownCalls.length === 0) {
    const limitation = `${decoded.undecodedBytes} bytes of calldata were not decoded.`;
    notes.push({ code: "UNDECODED_BYTES", limitation });
  }
  if (decoded.isBounded || listed.isBounded)
    notes.push({
      code: "DECODE_BOUND_REACHED",
      limitation: "Calls nested deeper than 5, beyond the first 100, or acts beyond 200 were not checked.",
    });
  const { tokens, holders, counterparties } = measurements.cut;
  // The trace shows every token and holder; only the code of more counterparties stays unread.
  const isCut =
    traced === null || effects === null ? tokens + holders + counterparties > 0 : counterparties > 0;
  if (isCut)
    notes.push({
      code: "MEASURE_BOUND_REACHED",
      limitation: `Left out by the bounds of what is measured: ${tokens} tokens, ${holders} holders, ${counterparties} counterparties.`,
    });
  return notes;
}

/**
 * A function whose meaning is not known is judged by its effects. That is not enough where they were not traced, or where
 * the contract keeps positions and permissions that no balance shows.
 */
function noteUnknownCalls(one: IntentCase): Notes {
  const { listed, traced, readings } = one;
  if (traced === null || readings.storage.status !== "value") {
    const limitation =
      "The function is not known, and the events and storage that the transaction changes were not read; only listed balances were measured.";
    return [{ code: "EFFECTS_UNSEEN", limitation }];
  }
  // A call that writes nothing only reads.
  const { changed } = readings.storage.value;
  const writing = listed.unknownCalls.filter(({ to, value }) => changed.includes(to) || value !== "0");
  const isKeeper = writing.some(({ to }) => {
    const { kind } = one.viewParty(to);
    // An account keeps who commands it, which may be keys without an address.
    const isAccount = one.claimed.includes(to) || kind === "own" || kind === "smart_account";
    return isAccount || kind === "known" || kind === "changed" || kind === "unread";
  });
  return [{ code: isKeeper ? "UNKNOWN_FUNCTION_AT_PARTY" : "UNKNOWN_FUNCTION" }];
}

function noteStrangers(strangers: readonly Hex[]): Notes {
  if (strangers.length === 0) return [];
  const limitation = `What the transaction writes for ${strangers.slice(0, 4).join(", ")} was not understood: shares, recipients and operators that a contract keeps in its own storage are not measured.`;
  return [{ code: "STRANGER_NAMED", limitation }];
}
