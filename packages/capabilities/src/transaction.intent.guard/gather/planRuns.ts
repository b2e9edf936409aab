import type { CallRead, CallTrace, ChainRead, StorageChange } from "@assay/chain";
import { type Hex, mapReading, noAnswer, type Reading, unanswered, valueReading } from "@assay/protocol";
import { TRANSACTION_GAS_CAP } from "../../shared/chain-facts/transactionGasCap.js";
import { topicOf } from "../../shared/events/topicOf.js";
import { cutAnswer } from "../../shared/reads/gather/cutAnswer.js";
import { parseFees, readFees } from "../../shared/simulation/gather/simulatedFees.js";
import {
  parseSimulation,
  readSimulation,
  type SimulationOutcome,
} from "../../shared/simulation/gather/simulationRunner.js";
import { planSwapReads } from "../../shared/swaps/gather/planSwapReads.js";
import type { TransactionIntentInput } from "../input.js";
import type { TransactionPlan } from "../intentCase.js";
import { encodeMeasurement, type MeasurementPlan } from "../planMeasurements.js";
import type { TransactionIntentReadings } from "../readings.js";

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

export function planRuns(input: Input, { measurements, swap, exit }: TransactionPlan): Runs {
  const { from, to, data } = input;
  const transaction = { from, to, data, value: BigInt(input.value) };
  const outcome = swap && planSwapReads(swap, input);
  return {
    reads: [
      { kind: "call", ...transaction, gas: TRANSACTION_GAS_CAP },
      { kind: "gasEstimate", ...transaction },
      createSimulation(input, measurements, exit),
      readFees(from),
      { kind: "trace", ...transaction },
      { kind: "storageChanges", ...transaction },
      ...(outcome?.reads ?? []),
    ],
    parse(answers) {
      const [call, gasEstimate, simulation, fees, , , ...swapAnswers] = answers as readonly Reading<Hex>[];
      const trace = (answers[4] ?? noAnswer) as Reading<CallTrace>;
      const changes = (answers[5] ?? noAnswer) as Reading<readonly StorageChange[]>;
      return {
        call: cutAnswer(call, MAX_CALL_ANSWER),
        gasEstimate: mapReading(gasEstimate ?? noAnswer, (quantity) => BigInt(quantity).toString()),
        // The runner replaces the sender's code, so a sender that calls itself would call the runner.
        simulation: from === to ? unanswered("sender_is_target") : describeSimulation(simulation),
        trace: describeTrace(trace, measurements.holders),
        storage: describeStorage(changes, measurements.holders),
        swap: outcome ? outcome.parse(swapAnswers) : null,
        seen: parseFees(fees ?? noAnswer),
        calls: trace.status === "value" ? trace.value.calls : null,
      };
    },
  };
}

function createSimulation(
  { from, to, data, value }: Input,
  plan: MeasurementPlan,
  exit: TransactionPlan["exit"],
): CallRead {
  return readSimulation({
    sender: from,
    steps: [{ to, value: BigInt(value), data }, ...exit],
    accounts: plan.accounts,
    probes: plan.measurements.map(encodeMeasurement),
    gas: TRANSACTION_GAS_CAP,
  });
}

/** An answer that cannot be parsed is not the runner's: the node ignored the override. */
function describeSimulation(answer: Reading<Hex> = noAnswer): Readings["simulation"] {
  if (answer.status === "reverted")
    return { status: "reverted", data: answer.data?.slice(0, 2 + MAX_CALL_ANSWER * 2) ?? null };
  let outcomes: Reading<readonly SimulationOutcome[]>;
  try {
    outcomes = parseSimulation(answer);
  } catch {
    return unanswered("malformed_answer");
  }
  if (outcomes.status !== "value") return outcomes;
  const [before, after, ...exits] = outcomes.value;
  const last = exits.at(-1);
  if (before === undefined || after === undefined) return unanswered("malformed_answer");
  const { success, gasUsed, returned } = after;
  return {
    status: "value",
    value: {
      success,
      gasUsed: gasUsed.toString(),
      returned: cut(returned),
      before: describeState(before),
      after: describeState(after),
      exit: last ? { success: exits.every((one) => one.success), after: describeState(last) } : null,
    },
  };
}

function describeState({ native, words }: SimulationOutcome) {
  return { native: native.map(String), words: words.map((word) => (word === null ? null : String(word))) };
}

const assetTopics: ReadonlySet<Hex> = new Set(
  [
    "Transfer(address,address,uint256)",
    "TransferSingle(address,address,address,uint256,uint256)",
    "TransferBatch(address,address,address,uint256[],uint256[])",
    "Deposit(address,uint256)",
    "Withdrawal(address,uint256)",
  ].map(topicOf),
);

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
