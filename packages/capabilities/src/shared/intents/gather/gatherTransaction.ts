import type { CallRead, CallTrace, ChainLog, ChainRead } from "@assay/chain";
import {
  ETHER_USD_FEED,
  type Hex,
  LATEST_ROUND_DATA,
  mapReading,
  noAnswer,
  type Reading,
} from "@assay/protocol";
import type { GatherContext } from "../../../gathering.js";
import type { ReadParty } from "../../effects/gather/describeParty.js";
import { describeHistory, historyReads } from "../../effects/gather/readHistory.js";
import {
  describeSubject,
  type ObservedSubject,
  readBeaconOf,
  requestSubject,
  subjectCalls,
} from "../../observations/gather/observedSubject.js";
import { findParty, registryVersion } from "../../parties/findParty.js";
import type { KnownParty } from "../../parties/knownParty.js";
import { knownSlots } from "../../proxies/knownSlots.js";
import { cutAnswer, WORD_ANSWER_BYTES } from "../../reads/gather/cutAnswer.js";
import { fingerprintReading } from "../../reads/gather/fingerprintReading.js";
import { readAccounts } from "../../reads/gather/readAccounts.js";
import { gasPriceAt, needsLoan, priceRead } from "../../simulation/gather/simulatedFees.js";
import { listHiddenFees } from "../../simulation/simulationConditions.js";
import { planTransaction, type TransactionPlan } from "../intentCase.js";
import type { TransactionIntentInput } from "../transactionInput.js";
import type { TransactionIntentReadings } from "../transactionReadings.js";
import { askFees } from "./askFees.js";
import { type Execution, executeAsSent } from "./execution.js";
import { planRuns, type Runs } from "./planRuns.js";
import { askPools, listUnpriced, parsePools } from "./readPoolPrices.js";
import { NO_PROGRAMS, readPrograms } from "./readPrograms.js";
import { readTraced } from "./readTraced.js";
import {
  askRecipient,
  askToken,
  describeRecipient,
  listNamedTokens,
  listRecipients,
  parseToken,
} from "./tokenReads.js";

type Input = TransactionIntentInput;

const TOTAL_SUPPLY: Hex = "0x18160ddd";
const OWNER_OF: Hex = "0x6352211e";
/** `positions(uint256)`: nonce, operator, both tokens, fee and the two ticks come first. */
const POSITIONS: Hex = "0x99fbab88";
const POSITION_BYTES = 224;
const partySlots = [knownSlots.eip1967Implementation, knownSlots.safeSingleton];

/**
 * Everything in one batch: the target with its proofs, the other accounts concerned, the transaction as a call, its gas,
 * its trace, and the runner around it. A second batch follows only where the first makes it necessary.
 */
export async function gatherTransaction(
  context: GatherContext,
  input: Input,
  /** How it is made, where it is not sent as it is. */
  execution: Execution = executeAsSent(input),
): Promise<TransactionIntentReadings> {
  const { records, block, swapRouters } = context;
  const called = new Map<Hex, KnownParty>();
  const plan = planTransaction(input, swapRouters, (address) => {
    const party = findParty(address);
    if (party) called.set(address, party);
    return party;
  });
  const [{ previous }, read] = await Promise.all([
    records.findEarlierObservations(input.to, block.number),
    readTransaction(context, input, plan, execution),
  ]);
  const { number, hash, timestamp } = block;
  return {
    block: { number, hash, timestamp },
    ...read,
    registryVersion,
    called: [...called.values()],
    swapRouters: [...swapRouters],
    previous,
  };
}

/** Reads to ask in one batch; each is answered by the function that adding it returned. */
function createQuestions() {
  const reads: ChainRead[] = [];
  return {
    reads,
    ask<T>(read: ChainRead) {
      const at = reads.push(read) - 1;
      return (answers: readonly Reading<unknown>[]) => (answers[at] ?? noAnswer) as Reading<T>;
    },
  };
}

async function readTransaction(
  context: GatherContext,
  input: Input,
  plan: TransactionPlan,
  execution: Execution,
) {
  const { from, to } = input;
  const { block } = context;
  const { counterparties, supplies, items } = plan.measurements;
  // Each account is read once.
  const others = [...new Set([from, ...counterparties])].filter((address) => address !== to);
  const gasPrice = gasPriceAt(block);
  const runs = planRuns(input, plan, execution);
  const { reads, ask } = createQuestions();
  const [paused, masterCopy] = subjectCalls(to).map((read) => ask<Hex>(read));
  const balance = ask<Hex>({ kind: "balance", address: from });
  const supplyOf = supplies.map((token) => ask<Hex>(view(token, TOTAL_SUPPLY)));
  const [ownerOf, positionOf] = [OWNER_OF, POSITIONS].map((selector) =>
    items.map(({ token, id }) =>
      ask<Hex>(view(token, `${selector}${BigInt(id).toString(16).padStart(64, "0")}`)),
    ),
  );
  const nonces = [to, ...others].map((address) => ask<Hex>({ kind: "nonce", address }));
  const recipients = listRecipients(plan);
  const asked = recipients.map((address) => askRecipient(address, from).map((read) => ask<Hex>(read)));
  const named = listNamedTokens(plan, to);
  const labels = named.map(({ token, mayBeReceipt, isItem }) =>
    askToken(token, mayBeReceipt, isItem).map((read) => ask<Hex>(read)),
  );
  const unpriced = listUnpriced(named.map(({ token }) => token));
  const pools = unpriced.map((token) => ask<Hex>(askPools(context.launchVenues, token)));
  const besideGas = askFees(input, gasPrice);
  const fees = ask<Hex>(besideGas.read);
  const etherPrice = ask<Hex>(view(ETHER_USD_FEED, LATEST_ROUND_DATA));
  const isHistoryNeeded = [to, ...others].some((address) => address !== from);
  const history = isHistoryNeeded
    ? historyReads(from, block.number).map((read) => ask<readonly ChainLog[]>(read))
    : [];
  const ran = runs.reads.map((read) => ask<unknown>(priceRead(read, gasPrice)));
  const { accounts, others: answers } = await readAccounts(
    context,
    [requestSubject(to), ...others.map((address) => ({ address, slots: partySlots }))],
    reads,
  );
  const target = describeSubject(accounts[0], paused?.(answers), masterCopy?.(answers));
  const senderBalance = mapReading(balance(answers), (quantity) => BigInt(quantity).toString());
  const parties = [to, ...others].map((address, index): ReadParty => {
    const at = recipients.indexOf(address);
    const slots =
      index === 0
        ? [target.slots.eip1967Implementation, target.slots.safeSingleton]
        : (accounts[index]?.slots ?? []);
    return {
      address,
      code: accounts[index]?.code ?? noAnswer,
      slots,
      nonce: mapReading(nonces[index]?.(answers) ?? noAnswer, (quantity) => BigInt(quantity).toString()),
      ...describeRecipient(from, at === -1 ? [] : (asked[at] ?? []).map((read) => read(answers))),
    };
  });
  const followed = await followUp(context, input, {
    target,
    senderBalance,
    gasPrice,
    runs,
    answers: ran.map((read) => read(answers)),
    parties,
    plan,
    poolPrices: unpriced.map((token, index) =>
      parsePools(context.launchVenues, token, pools[index]?.(answers) ?? noAnswer),
    ),
    tokens: named.map(({ token }, index) =>
      parseToken(
        token,
        (labels[index] ?? []).map((read) => read(answers)),
      ),
    ),
  });
  return {
    ...followed,
    senderBalance,
    senderCode: fingerprintReading(parties.find(({ address }) => address === from)?.code),
    history: describeHistory(
      block.number,
      history.map((read) => read(answers)),
    ),
    itemOwners: items.map((item, index) => ({
      ...item,
      owner: cutAnswer(ownerOf?.[index]?.(answers) ?? noAnswer, WORD_ANSWER_BYTES),
      position: cutAnswer(positionOf?.[index]?.(answers) ?? noAnswer, POSITION_BYTES),
    })),
    etherPrice: cutAnswer(etherPrice(answers), 160),
    besideGas: besideGas.parse(fees(answers)),
    supplies: supplies.map((token, index) => ({
      token,
      supply: cutAnswer(supplyOf[index]?.(answers) ?? noAnswer, WORD_ANSWER_BYTES),
    })),
  };
}

interface FirstAnswers {
  readonly target: ObservedSubject;
  readonly senderBalance: TransactionIntentReadings["senderBalance"];
  readonly gasPrice: bigint;
  readonly runs: Runs;
  readonly answers: readonly Reading<unknown>[];
  readonly parties: readonly ReadParty[];
  readonly plan: TransactionPlan;
  readonly tokens: TransactionIntentReadings["tokens"];
  readonly poolPrices: TransactionIntentReadings["poolPrices"];
}

/**
 * The reads that only the first answers make necessary, all at once: a beacon's choice; the runs again for a sender that
 * cannot pay for all the gas of a run; parties and tokens that only the trace shows; and, where the node hides fees, the
 * code that ran.
 */
async function followUp(context: GatherContext, { from, to, value }: Input, first: FirstAnswers) {
  const { target, senderBalance, gasPrice, runs, answers, parties } = first;
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
  const codes = new Map(parties.map(({ address, code }) => [address, code]));
  const [beaconImplementation, again, programs, traced] = await Promise.all([
    readBeaconOf(context, to, target),
    isFeeLent
      ? context.chain.readAt(
          context.block,
          runs.reads.map((read) => priceRead(read, gasPrice, { heldWei })),
        )
      : undefined,
    once.calls !== null && listHiddenFees(conditions).length > 0
      ? readPrograms(context, from, once.calls as CallTrace["calls"], codes)
      : NO_PROGRAMS,
    readTraced(context, first.plan, once.trace, parties, first),
  ]);
  const { seen, calls: _, ...run } = again ? runs.parse(again) : once;
  return {
    ...run,
    ...traced,
    target: { ...target, beaconImplementation },
    conditions: { ...conditions, seen },
    programs,
  };
}

const view = (to: Hex, data: Hex): CallRead => ({ kind: "call", to, data });
