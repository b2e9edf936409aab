import type { CallTrace, ChainRead, StorageChange } from "@assay/chain";
import {
  absent,
  type Hex,
  mapReading,
  noAnswer,
  type Reading,
  unanswered,
  valueReading,
} from "@assay/protocol";
import { TRANSACTION_GAS_CAP } from "../../chain-facts/transactionGasCap.js";
import { interestTopics } from "../../events/interestEvents.js";
import { topicOf } from "../../events/topicOf.js";
import { cutAnswer } from "../../reads/gather/cutAnswer.js";
import { parseFees, readFees } from "../../simulation/gather/simulatedFees.js";
import {
  decodeSimulation,
  parseSimulation,
  readSimulation,
  type SimulationOutcome,
} from "../../simulation/gather/simulationRunner.js";
import { planSwapReads } from "../../swaps/gather/planSwapReads.js";
import type { TransactionPlan } from "../intentCase.js";
import { addIntrinsicGas } from "../judgeReality.js";
import { encodeMeasurement } from "../planMeasurements.js";
import type { TransactionIntentInput } from "../transactionInput.js";
import type { TransactionIntentReadings } from "../transactionReadings.js";
import { type Execution, executeAsSent, readExecution } from "./execution.js";

type Input = TransactionIntentInput;
type Readings = TransactionIntentReadings;

/** Bytes: enough for a revert reason in words. A longer answer adds nothing. */
const MAX_CALL_ANSWER = 1024;
/** At most this many entries of a trace are kept: native moves, and events about assets or holders. */
const MAX_MOVES = 128;
const MAX_LOGS = 192;
const MAX_LOG_BYTES = 2048;
const MAX_HANDED_OVER = 32;
const MAX_CHANGED = 64;

/** The reads that run the transaction, and how to parse their answers, which come in the same order. */
export interface Runs {
  readonly reads: readonly ChainRead[];
  parse(answers: readonly Reading<unknown>[]): Pick<
    Readings,
    "call" | "gasEstimate" | "simulation" | "trace" | "swap" | "storage"
  > & {
    readonly seen: Readings["conditions"]["seen"];
    /** The contracts whose code ran, with their callers; null without a trace. */
    readonly calls: CallTrace["calls"] | null;
  };
}

export function planRuns(
  input: Input,
  { measurements, swap, exit }: TransactionPlan,
  execution: Execution = executeAsSent(input),
): Runs {
  const { caller, overrides } = execution;
  const transaction = readExecution(execution);
  const outcome = swap && planSwapReads(swap, input);
  const exits = execution.takesExit ? exit : [];
  const isAlone = execution.steps.length === 1 && overrides === undefined;
  return {
    reads: [
      { kind: "call", ...transaction, gas: TRANSACTION_GAS_CAP },
      { kind: "gasEstimate", ...transaction },
      readSimulation({
        sender: caller,
        steps: [...execution.steps, ...exits],
        accounts: measurements.accounts,
        probes: measurements.measurements.map(encodeMeasurement),
        ...(overrides && { overrides }),
        gas: TRANSACTION_GAS_CAP,
      }),
      readFees(caller),
      { kind: "trace", ...transaction },
      { kind: "storageChanges", ...transaction },
      ...(outcome?.reads ?? []),
    ],
    parse(answers) {
      const [call, gasEstimate, ran, fees, , , ...swapAnswers] = answers as readonly Reading<Hex>[];
      const trace = checkTrace(execution, (answers[4] ?? noAnswer) as Reading<CallTrace>, call ?? noAnswer);
      const changes = (answers[5] ?? noAnswer) as Reading<readonly StorageChange[]>;
      // The runner replaces the caller's code, so a caller that calls itself would call the runner.
      const isOwnTarget = execution.steps.some(({ to }) => to === caller);
      const simulation: Readings["simulation"] = isOwnTarget
        ? unanswered("sender_is_target")
        : describeSimulation(ran, execution.steps.length);
      return {
        call: cutAnswer(describeCall(execution, call ?? noAnswer), MAX_CALL_ANSWER),
        // Few nodes take overrides for an estimate, so what runs under them is estimated by what the runner used.
        gasEstimate: isAlone
          ? mapReading(gasEstimate ?? noAnswer, (quantity) => BigInt(quantity).toString())
          : mapReading<{ gasUsed: string }, string>(simulation, ({ gasUsed }) =>
              addIntrinsicGas(input.data, BigInt(gasUsed)).toString(),
            ),
        simulation,
        trace: describeTrace(trace, measurements.holders),
        storage: trace.status === "absent" ? absent : describeStorage(changes, measurements.holders),
        swap: outcome ? outcome.parse(swapAnswers) : null,
        seen: parseFees(fees ?? noAnswer),
        calls: trace.status === "value" ? trace.value.calls : null,
      };
    },
  };
}

/**
 * Some nodes leave out overrides when they trace: such a trace shows a call of an account without code, or of a Safe whose
 * other owners have not signed. It does not end as the call does that was made with them.
 */
function checkTrace(
  { steps, overrides }: Execution,
  trace: Reading<CallTrace>,
  call: Reading<Hex>,
): Reading<CallTrace> {
  if (trace.status !== "value") return trace;
  if (steps.length === 1) {
    const returned = call.status === "value" ? call.value : call.status === "absent" ? "0x" : undefined;
    return overrides !== undefined && returned !== undefined && returned !== trace.value.output
      ? absent
      : trace;
  }
  try {
    const isWhole = decodeSimulation(trace.value.output).length === steps.length + 1;
    return isWhole ? trace : absent;
  } catch {
    return absent;
  }
}

/** Several calls are one: the runner makes them, and fails where one of them does. */
function describeCall({ steps }: Execution, call: Reading<Hex>): Reading<Hex> {
  if (steps.length === 1 || call.status !== "value") return call;
  try {
    const failed = decodeSimulation(call.value).find(({ success }) => !success);
    return failed ? { status: "reverted", data: failed.returned } : { status: "absent" };
  } catch {
    return unanswered("malformed_answer");
  }
}

/** An answer that cannot be parsed is not the runner's: the node ignored the override. */
function describeSimulation(answer: Reading<Hex> = noAnswer, steps = 1): Readings["simulation"] {
  if (answer.status === "reverted")
    return { status: "reverted", data: answer.data?.slice(0, 2 + MAX_CALL_ANSWER * 2) ?? null };
  let outcomes: Reading<readonly SimulationOutcome[]>;
  try {
    outcomes = parseSimulation(answer);
  } catch {
    return unanswered("malformed_answer");
  }
  if (outcomes.status !== "value") return outcomes;
  const [before, ...all] = outcomes.value;
  const [done, exits] = [all.slice(0, steps), all.slice(steps)];
  const [after, last] = [done.at(-1), exits.at(-1)];
  if (before === undefined || after === undefined) return unanswered("malformed_answer");
  const { returned } = done.find(({ success }) => !success) ?? after;
  return {
    status: "value",
    value: {
      success: done.every(({ success }) => success),
      gasUsed: done.reduce((sum, { gasUsed }) => sum + gasUsed, 0n).toString(),
      // Several calls have no single return value.
      returned: steps === 1 || !done.every(({ success }) => success) ? cut(returned) : "0x",
      before: describeState(before),
      after: describeState(after),
      exit: last ? { success: exits.every((one) => one.success), after: describeState(last) } : null,
    },
  };
}

function describeState({ native, words }: SimulationOutcome) {
  return { native: native.map(String), words: words.map((word) => (word === null ? null : String(word))) };
}

const assetTopics: ReadonlySet<Hex> = new Set([
  ...[
    "Transfer(address,address,uint256)",
    "TransferSingle(address,address,address,uint256,uint256)",
    "TransferBatch(address,address,address,uint256[],uint256[])",
    "Deposit(address,uint256)",
    "Withdrawal(address,uint256)",
  ].map(topicOf),
  ...interestTopics,
]);

function describeTrace(trace: Reading<CallTrace>, holders: readonly Hex[]): Readings["trace"] {
  if (trace.status !== "value") return trace;
  const { success, gasUsed, output, creates } = trace.value;
  const moves = trace.value.moves.filter(({ value }) => value > 0n);
  const words = holders.map((holder) => `0x${holder.slice(2).padStart(64, "0")}`);
  const logs = trace.value.logs.filter(
    ({ topics }) =>
      assetTopics.has(topics[0] ?? "0x") || topics.slice(1).some((topic) => words.includes(topic)),
  );
  const isLong = logs.some(({ data }) => data.length > 2 + MAX_LOG_BYTES * 2);
  if (moves.length > MAX_MOVES || logs.length > MAX_LOGS || isLong) return unanswered("trace_too_large");
  return {
    status: "value",
    value: {
      success,
      gasUsed: gasUsed.toString(),
      returned: cut(output),
      moves: moves.map(({ value, ...move }) => ({ ...move, value: value.toString() })),
      logs: logs.map(({ address, topics, data }) => ({ address, topics: [...topics], data })),
      creates,
    },
  };
}

const cut = (bytes: Hex) => bytes.slice(0, 2 + MAX_CALL_ANSWER * 2) as Hex;

/** Whose storage changes, and slots that name a holder before the transaction and somebody else after it. */
function describeStorage(
  changes: Reading<readonly StorageChange[]>,
  holders: readonly Hex[],
): Readings["storage"] {
  if (changes.status !== "value") return changes;
  const changed = [...new Set(changes.value.map(({ address }) => address))];
  if (changed.length > MAX_CHANGED) return unanswered("trace_too_large");
  const handedOver = changes.value.flatMap(({ address, slot, before, after }) => {
    const [from, to] = [before, after].map((word): Hex => `0x${word.slice(-40)}`) as [Hex, Hex];
    // What is packed beside an address stays as it is.
    const isAddress = BigInt(to) > 0xffffn && after.startsWith(before.slice(0, 26));
    return holders.includes(from) && from !== to && isAddress
      ? [{ address, slot, before: from, after: to }]
      : [];
  });
  return valueReading({ changed, handedOver: handedOver.slice(0, MAX_HANDED_OVER) });
}
