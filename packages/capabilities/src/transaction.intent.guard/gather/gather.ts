import type { CallRead } from "@assay/chain";
import { type Hex, mapReading, noAnswer, type Reading } from "@assay/protocol";
import type { GatherContext, Gathered, Gatherer } from "../../gathering.js";
import {
  describeSubject,
  type ObservedSubject,
  readBeaconOf,
  requestSubject,
  subjectCalls,
} from "../../shared/observations/gather/observedSubject.js";
import { cutAnswer, WORD_ANSWER_BYTES } from "../../shared/reads/gather/cutAnswer.js";
import { fingerprintReading } from "../../shared/reads/gather/fingerprintReading.js";
import { readAccounts } from "../../shared/reads/gather/readAccounts.js";
import { gasPriceAt, needsLoan, priceRead } from "../../shared/simulation/gather/simulatedFees.js";
import { listHiddenFees } from "../../shared/simulation/simulationConditions.js";
import type { TransactionIntentInput } from "../input.js";
import { planTransaction, type TransactionPlan } from "../intentCase.js";
import type { TransactionIntentReadings } from "../readings.js";
import { planRuns, type Runs } from "./planRuns.js";
import { NO_PROGRAMS, readPrograms } from "./readPrograms.js";

type Input = TransactionIntentInput;

const TOTAL_SUPPLY: Hex = "0x18160ddd";

/**
 * Everything in one batch: the target with its proofs, the other accounts concerned, the transaction as a call, its gas,
 * its trace, and the runner around it. A second batch follows only where the first makes it necessary.
 */
async function gatherTransactionIntent(
  context: GatherContext,
  input: Input,
): Promise<Gathered<TransactionIntentReadings>> {
  const { records, block, swapRouters } = context;
  const plan = planTransaction(input, swapRouters);
  const [{ previous }, read] = await Promise.all([
    records.findEarlierObservations(input.to, block.number),
    readTransaction(context, input, plan),
  ]);
  const { number, hash, timestamp } = block;
  // Nothing is kept, not even as an observation: what a caller is about to sign is private.
  return {
    readings: {
      block: { number, hash, timestamp },
      ...read,
      swapRouters: [...swapRouters],
      previous,
    },
  };
}

async function readTransaction(context: GatherContext, input: Input, plan: TransactionPlan) {
  const { from, to } = input;
  const { counterparties, supplies } = plan.measurements;
  // Each account is read once.
  const others = [...new Set([from, ...counterparties])].filter((address) => address !== to);
  const gasPrice = gasPriceAt(context.block);
  const runs = planRuns(input, plan);
  const { accounts, others: answers } = await readAccounts(
    context,
    [requestSubject(to), ...others.map((address) => ({ address, slots: [] }))],
    [
      ...subjectCalls(to),
      { kind: "balance", address: from },
      ...supplies.map((token) => view(token, TOTAL_SUPPLY)),
      ...runs.reads.map((read) => priceRead(read, gasPrice)),
    ],
  );
  const [paused, masterCopy, balance, ...rest] = answers as readonly Reading<Hex>[];
  const codeOf = (address: Hex) =>
    fingerprintReading(accounts[address === to ? 0 : others.indexOf(address) + 1]?.code);
  const target = describeSubject(accounts[0], paused, masterCopy);
  const senderBalance = mapReading(balance ?? noAnswer, (quantity) => BigInt(quantity).toString());
  const followed = await followUp(context, input, {
    target,
    senderBalance,
    gasPrice,
    runs,
    answers: rest.slice(supplies.length),
    codes: new Map([to, ...others].map((address, index) => [address, accounts[index]?.code ?? noAnswer])),
  });
  return {
    ...followed,
    senderBalance,
    senderCode: codeOf(from),
    counterparties: counterparties.map((address) => ({ address, code: codeOf(address) })),
    supplies: supplies.map((token, index) => ({ token, supply: cutAnswer(rest[index], WORD_ANSWER_BYTES) })),
  };
}

interface FirstAnswers {
  readonly target: ObservedSubject;
  readonly senderBalance: TransactionIntentReadings["senderBalance"];
  readonly gasPrice: bigint;
  readonly runs: Runs;
  readonly answers: readonly Reading<unknown>[];
  /** Of the accounts that were read. */
  readonly codes: ReadonlyMap<Hex, Reading<Hex>>;
}

/**
 * The reads that only the first answers make necessary, all at once: a beacon's choice; the runs again for a sender that
 * cannot pay for all the gas of a run; and, where the node hides fees, the code that ran.
 */
async function followUp(context: GatherContext, { from, to, value }: Input, first: FirstAnswers) {
  const { target, senderBalance, gasPrice, runs, answers } = first;
  const { baseFeePerGas } = context.block;
  const heldWei = senderBalance.status === "value" ? BigInt(senderBalance.value) : null;
  const isFeeLent = heldWei !== null && needsLoan(heldWei, BigInt(value), gasPrice);
  const once = runs.parse(answers);
  const conditions = {
    baseFee: baseFeePerGas?.toString() ?? null,
    gasPrice: gasPrice.toString(),
    seen: once.seen,
    isFeeLent,
  };
  const [beaconImplementation, again, programs] = await Promise.all([
    readBeaconOf(context, to, target),
    isFeeLent
      ? context.chain.readAt(
          context.block,
          runs.reads.map((read) => priceRead(read, gasPrice, { heldWei })),
        )
      : undefined,
    once.calls !== null && listHiddenFees(conditions).length > 0
      ? readPrograms(context, from, once.calls, first.codes)
      : NO_PROGRAMS,
  ]);
  const { seen, calls: _, ...run } = again ? runs.parse(again) : once;
  return {
    ...run,
    target: { ...target, beaconImplementation },
    conditions: { ...conditions, seen },
    programs,
  };
}

const view = (to: Hex, data: Hex): CallRead => ({ kind: "call", to, data });

export const gatherer: Gatherer<TransactionIntentInput, TransactionIntentReadings> = {
  gather: gatherTransactionIntent,
};
