import type { CallRead } from "@assay/chain";
import { type Hex, noAnswer, type Reading, valueReading } from "@assay/protocol";
import type { GatherContext } from "../../../gathering.js";
import type { ProgramReading } from "../../machine/programReading.js";
import { type DelegationReading, MAX_FOLLOWED_SLOTS, noDelegation } from "../../proxies/delegationReading.js";
import {
  type AskedCall,
  type CallResult,
  callKey,
  type FallbackOutcome,
  followFallback,
} from "../../proxies/followFallback.js";
import { cutAnswer } from "../../reads/gather/cutAnswer.js";
import { readAccounts } from "../../reads/gather/readAccounts.js";

/** What is known before the code is run. */
interface Start {
  readonly address: Hex;
  /** The code that runs on this address's storage: its own, or that of a fixed target. */
  readonly code: Hex;
  readonly program: ProgramReading;
  readonly slots: ReadonlyMap<Hex, Hex>;
  /** Read with the other readings, so that it is not asked here. */
  readonly beacon: Hex | null;
}

/** Each round of reads depends on the one before. Proxies need one to three. */
const MAX_ROUNDS = 5;
/** Names and addresses; longer answers name no code. */
const MAX_ANSWER_BYTES = 1024;

/**
 * Runs a contract's code until it delegates, and reads on the way what it reads. Layouts whose slots are known already
 * need no further read.
 */
export async function followDelegation(context: GatherContext, start: Start): Promise<DelegationReading> {
  const { address, code, program } = start;
  const slots = new Map(start.slots);
  const calls = new Map<string, CallResult>();
  const read = new Map<Hex, Reading<Hex>>();
  const describe = (part: Partial<DelegationReading>): DelegationReading => ({
    ...noDelegation,
    ...part,
    slots: [...read].map(([slot, value]) => ({ slot, value })),
  });
  const single = listFixedSlots(program);
  for (const slot of single) {
    const word = slots.get(slot);
    if (word !== undefined) read.set(slot, valueReading(word));
  }
  let fixed = single.filter((slot) => !slots.has(slot));
  const passesOn = program.hasUnseenDelegation || program.delegations.some(({ isFallback }) => isFallback);
  if (!passesOn && single.length === 0) return noDelegation;

  for (let round = 0; round <= MAX_ROUNDS; round += 1) {
    const outcome: FallbackOutcome = passesOn
      ? followFallback(code, address, { slots, calls })
      : { status: "ends" };
    const needs = outcome.status === "needs" ? outcome : { slots: [], calls: [] };
    const asked = needs.calls.find(({ to }) => to === start.beacon);
    if (asked) return describe({ outcome: "delegates", origin: "call", asked });
    const wanted = [...new Set([...needs.slots, ...fixed])];
    fixed = [];
    if (wanted.length + needs.calls.length === 0) return describe(describeOutcome(outcome));
    if (round === MAX_ROUNDS || read.size + wanted.length > MAX_FOLLOWED_SLOTS) break;
    const answers = await readNeeds(context, address, wanted, needs.calls);
    for (const [slot, value] of answers.slots) {
      read.set(slot, value);
      if (value.status !== "value") return describe({ outcome: "unread" });
      slots.set(slot, value.value);
    }
    for (const [key, result] of answers.calls) {
      if (result === undefined) return describe({ outcome: "unread" });
      calls.set(key, result);
    }
  }
  return describe({ outcome: "unresolved" });
}

/** Slots that hold the code of single functions. */
const listFixedSlots = ({ delegations }: ProgramReading): Hex[] =>
  delegations.flatMap(({ isFallback, slot }) => (isFallback || slot === null ? [] : [slot]));

function describeOutcome(outcome: FallbackOutcome): Partial<DelegationReading> {
  if (outcome.status === "delegates") {
    const { status, ...found } = outcome;
    return { outcome: status, ...found };
  }
  return { outcome: outcome.status === "ends" ? "none" : "unresolved" };
}

async function readNeeds(
  context: GatherContext,
  address: Hex,
  slots: readonly Hex[],
  asked: readonly AskedCall[],
) {
  const reads = asked.map(({ to, data }): CallRead => ({ kind: "call", from: address, to, data }));
  const { accounts, others } = await readAccounts(
    context,
    slots.length > 0 ? [{ address, slots }] : [],
    reads,
  );
  const answers: readonly Reading<Hex>[] = others;
  return {
    slots: slots.map((slot, index): [Hex, Reading<Hex>] => [slot, accounts[0]?.slots[index] ?? noAnswer]),
    calls: asked.map((call, index): [string, CallResult | undefined] => [
      callKey(call),
      describeAnswer(cutAnswer(answers[index], MAX_ANSWER_BYTES)),
    ]),
  };
}

function describeAnswer(answer: Reading<Hex>): CallResult | undefined {
  if (answer.status === "unanswered") return undefined;
  if (answer.status === "value") return { success: true, data: answer.value };
  if (answer.status === "absent") return { success: true, data: "0x" };
  const data = answer.data ?? "0x";
  return { success: false, data: /^0x(?:[0-9a-fA-F]{2})*$/.test(data) ? (data as Hex) : "0x" };
}
