import { knownDelegates, MULTICALL3, WETH } from "../shared/chain-facts/knownContracts.js";
import { TRANSACTION_GAS_CAP } from "../shared/chain-facts/transactionGasCap.js";
import { decodeRevert, type RevertReason } from "../shared/simulation/decodeRevert.js";
import type { Note } from "../shared/verdict/note.js";
import type { IntentCase } from "./intentCase.js";
import { isWrapper } from "./unwrapCall.js";

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
  | "SENDER_UNREAD"
  | "UNKNOWN_FUNCTION"
  | "WRAPPER_UNKNOWN"
  | "RECEIVER_RUNS_CODE"
  | "UNDECODED_BYTES"
  | "DECODE_BOUND_REACHED"
  | "MEASURE_BOUND_REACHED"
  | "CONTROL_CALL"
  | "FOREIGN_DELEGATECALL"
  | "KNOWN_DELEGATECALL";

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
  if (call.status === "unanswered")
    notes.push({ code: "CALL_UNREAD", limitation: "No node answered the transaction as a plain call." });
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

const isUnpayable = ({ readings: { senderBalance }, input }: IntentCase): boolean =>
  senderBalance.status === "value" && BigInt(senderBalance.value) < BigInt(input.value);

/** The plain call decides. The runner's outcome is used only where no node answered the call. */
function findFailure({ readings }: IntentCase): RevertReason | null {
  const { call, simulation } = readings;
  if (call.status === "reverted") return decodeRevert(call.data);
  const isRunnerAlone = call.status === "unanswered" && simulation.status === "value";
  return isRunnerAlone && !simulation.value.success ? decodeRevert(simulation.value.returned) : null;
}

function noteSimulation({ readings: { simulation, call } }: IntentCase, runs: boolean): Notes {
  if (simulation.status !== "value") {
    const limitation =
      "Nothing was measured: the runner gave no answer (a node may refuse state overrides, or the sender calls itself). Differences are inferred from calldata alone.";
    return [{ code: "SIMULATION_UNAVAILABLE", limitation }];
  }
  const { success } = simulation.value;
  if (success === runs || (!runs && call.status !== "reverted")) return [];
  const limitation =
    "The plain call and the runner's end differently, so the measured differences may not be what would happen.";
  return [{ code: "SIMULATION_DISAGREES", limitation }];
}

function noteGas({ readings: { gasEstimate } }: IntentCase, runs: boolean): Notes {
  if (gasEstimate.status === "value")
    return BigInt(gasEstimate.value) > BigInt(TRANSACTION_GAS_CAP) ? [{ code: "GAS_ABOVE_CAP" }] : [];
  if (gasEstimate.status === "reverted" && !runs) return [];
  return [{ code: "GAS_UNREAD", limitation: "No gas estimate was given." }];
}

function noteSender({ readings: { senderCode, senderBalance } }: IntentCase): Notes {
  if (senderBalance.status !== "value")
    return [{ code: "SENDER_UNREAD", limitation: "What the sender holds was not read." }];
  if (senderCode.status !== "value")
    return [{ code: "SENDER_UNREAD", limitation: "The sender's own code was not read." }];
  if (senderCode.value.form === "empty") return [];
  const limitation =
    "The sender has code of its own, which the runner replaced while it measured; what that code would do was not seen.";
  return [{ code: "SENDER_HAS_CODE", limitation }];
}

/** A delegated account (EIP-7702) is still controlled by one key. */
const isContract = (form: string): boolean => form !== "empty" && form !== "eip7702_delegation";

function noteContent(one: IntentCase): Notes {
  const { decoded, listed, measurements, calls, hasData, readings, routers } = one;
  const notes: Notes = [];
  const { code } = readings.target;
  if (!hasData && code.status === "value" && isContract(code.value.form) && decoded.call.to !== WETH)
    notes.push({
      code: "RECEIVER_RUNS_CODE",
      limitation: "A transfer without calldata runs the code of the receiving contract.",
    });
  if (
    calls.some(
      ({ inner, signature, to }) =>
        (inner.length > 0 || isWrapper(signature)) && to !== MULTICALL3 && !routers.has(to),
    )
  )
    notes.push({
      code: "WRAPPER_UNKNOWN",
      limitation:
        "A wallet or another contract that is not a known one is given calls to carry out; whether it carries out these and no others is known only as far as it was measured.",
    });
  if (listed.unknownCalls.length > 0) notes.push({ code: "UNKNOWN_FUNCTION" });
  if (decoded.undecodedBytes > 0) {
    const limitation = `${decoded.undecodedBytes} bytes of calldata were not decoded.`;
    notes.push({ code: "UNDECODED_BYTES", limitation });
  }
  if (decoded.isBounded || listed.isBounded)
    notes.push({
      code: "DECODE_BOUND_REACHED",
      limitation: "Calls nested deeper than 5, beyond the first 100, or acts beyond 200 were not checked.",
    });
  const { tokens, holders, counterparties } = measurements.cut;
  if (tokens + holders + counterparties > 0)
    notes.push({
      code: "MEASURE_BOUND_REACHED",
      limitation: `Left out by the bounds of what is measured: ${tokens} tokens, ${holders} holders, ${counterparties} counterparties.`,
    });
  for (const act of listed.acts) {
    if (act.kind === "control") notes.push({ code: "CONTROL_CALL" });
    if (act.kind === "delegatecall")
      notes.push({ code: knownDelegates.has(act.to) ? "KNOWN_DELEGATECALL" : "FOREIGN_DELEGATECALL" });
  }
  return notes;
}
