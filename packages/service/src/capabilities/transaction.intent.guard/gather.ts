import { type CapabilityInput, type Hex, mapReading, type Reading, unanswered } from "@assay/protocol";
import {
  encodeMeasurement,
  type MeasurementPlan,
  planTransaction,
  TRANSACTION_GAS_CAP,
  type TransactionIntentReadings,
} from "@assay/rules";
import type { CallRead } from "../../chain/types.js";
import { findEarlierObservations } from "../../evidence/observations.js";
import { cutAnswer } from "../cutAnswer.js";
import { fingerprintReading } from "../fingerprintReading.js";
import { describeSubject, readBeaconOf, requestSubject, subjectCalls } from "../observedSubject.js";
import { readAccounts } from "../readAccounts.js";
import { parseSimulation, readSimulation, type SimulationOutcome } from "../simulationRunner.js";
import type { GatherContext, Gathered } from "../types.js";

type Input = CapabilityInput<"transaction.intent.guard">;

const TOTAL_SUPPLY: Hex = "0x18160ddd";

/** A sum is one word; a second one is kept to show that there was more. */
const MAX_WORD_ANSWER = 64;
/** A reason in words fits; what a contract returns beyond says nothing further. */
const MAX_CALL_ANSWER = 1024;

/**
 * Everything in one batch: the target with its proofs, who else is concerned, the transaction as a call, its gas, and
 * the runner around it. A second one only to ask a beacon what it names.
 */
export async function gatherTransactionIntent(
  context: GatherContext,
  input: Input,
): Promise<Gathered<TransactionIntentReadings>> {
  const { database, block } = context;
  const { measurements } = planTransaction(input);
  const [{ previous }, read] = await Promise.all([
    findEarlierObservations(database, input.to, block.number),
    readTransaction(context, input, measurements),
  ]);
  const { number, hash, timestamp } = block;
  const beaconImplementation = await readBeaconOf(context, read.target);
  // Nothing is kept of it: what a caller means to sign is nobody else's business, not even as an observation.
  return {
    readings: {
      block: { number, hash, timestamp },
      ...read,
      target: { ...read.target, beaconImplementation },
      previous,
    },
  };
}

async function readTransaction(context: GatherContext, input: Input, plan: MeasurementPlan) {
  const { from, to, data } = input;
  const value = BigInt(input.value);
  // An account is asked for once: the basket takes one proof of each.
  const others = [...new Set([from, ...plan.counterparties])].filter((address) => address !== to);
  const { accounts, others: answers } = await readAccounts(
    context,
    [requestSubject(to), ...others.map((address) => ({ address, slots: [] }))],
    [
      ...subjectCalls(to),
      { kind: "call", from, to, data, value, gas: TRANSACTION_GAS_CAP },
      { kind: "gasEstimate", from, to, data, value },
      createSimulation(input, plan),
      ...plan.supplies.map((token) => view(token, TOTAL_SUPPLY)),
    ],
  );
  const [paused, masterCopy, call, gasEstimate, simulation, ...supplies] = answers as readonly Reading<Hex>[];
  const codeOf = (address: Hex) =>
    fingerprintReading(accounts[address === to ? 0 : others.indexOf(address) + 1]?.code);
  return {
    target: describeSubject(accounts[0], paused, masterCopy),
    senderCode: codeOf(from),
    counterparties: plan.counterparties.map((address) => ({ address, code: codeOf(address) })),
    supplies: plan.supplies.map((token, index) => ({
      token,
      supply: cutAnswer(supplies[index], MAX_WORD_ANSWER),
    })),
    call: cutAnswer(call, MAX_CALL_ANSWER),
    gasEstimate: mapReading(gasEstimate ?? unanswered("no_answer"), (quantity) =>
      BigInt(quantity).toString(),
    ),
    // The runner stands where the sender is: a sender that calls itself would call the runner.
    simulation: from === to ? unanswered("sender_is_target") : describeSimulation(simulation),
  };
}

function createSimulation({ from, to, data, value }: Input, plan: MeasurementPlan): CallRead {
  return readSimulation({
    sender: from,
    steps: [{ to, value: BigInt(value), data }],
    accounts: plan.accounts,
    probes: plan.measurements.map(encodeMeasurement),
    gas: TRANSACTION_GAS_CAP,
  });
}

/** What cannot be parsed was not the runner's answer: the node ignored the override. */
function describeSimulation(
  answer: Reading<Hex> = unanswered("no_answer"),
): TransactionIntentReadings["simulation"] {
  if (answer.status === "reverted")
    return { status: "reverted", data: answer.data?.slice(0, 2 + MAX_CALL_ANSWER * 2) ?? null };
  let outcomes: Reading<readonly SimulationOutcome[]>;
  try {
    outcomes = parseSimulation(answer);
  } catch {
    return unanswered("malformed_answer");
  }
  if (outcomes.status !== "value") return outcomes;
  const [before, after] = outcomes.value;
  if (before === undefined || after === undefined) return unanswered("malformed_answer");
  const { success, gasUsed, returned } = after;
  return {
    status: "value",
    value: {
      success,
      gasUsed: gasUsed.toString(),
      returned: returned.slice(0, 2 + MAX_CALL_ANSWER * 2) as Hex,
      before: describeState(before),
      after: describeState(after),
    },
  };
}

function describeState({ native, words }: SimulationOutcome) {
  return { native: native.map(String), words: words.map((word) => (word === null ? null : String(word))) };
}

const view = (to: Hex, data: Hex): CallRead => ({ kind: "call", to, data });
