import type { CallRead } from "@assay/chain";
import { absent, type Hex, keccak256, noAnswer, type Reading, valueReading } from "@assay/protocol";
import type { GatherContext, Gathered, Gatherer } from "../../gathering.js";
import { followDelegation } from "../../shared/control/gather/followDelegation.js";
import { readProgram } from "../../shared/machine/gather/readProgram.js";
import {
  describeSubject,
  readBeaconOf,
  requestSubject,
  subjectCalls,
} from "../../shared/observations/gather/observedSubject.js";
import { type DelegationReading, noDelegation } from "../../shared/proxies/delegationReading.js";
import { listKnownWords } from "../../shared/proxies/gather/listKnownWords.js";
import { recordFingerprint } from "../../shared/reads/gather/fingerprintReading.js";
import { readAccounts } from "../../shared/reads/gather/readAccounts.js";
import type { ContractChangeInput } from "../input.js";
import { observeNow } from "../observeNow.js";
import type { ContractChangeReadings } from "../readings.js";

/** ERC-2535: every facet with the functions that it has. */
const FACETS: Hex = "0x7a0ed627";

/**
 * What contract.change compares: the address now, and what the service observed there before. One batch of reads, a second
 * one to ask a beacon which implementation it names, and others where only running the code shows what it delegates to.
 */
async function gatherContractChange(
  context: GatherContext,
  { address }: ContractChangeInput,
): Promise<Gathered<ContractChangeReadings>> {
  const { records, block } = context;
  const [earlier, { bytes, facets, ...subject }] = await Promise.all([
    records.findEarlierObservations(address, block.number),
    readSubject(context, address),
  ]);
  const [beaconImplementation, executed] = await Promise.all([
    readBeaconOf(context, address, subject),
    readExecuted(context, address, bytes, subject.slots),
  ]);
  const observed = { ...subject, beaconImplementation, ...executed, facets };
  const fingerprint = recordFingerprint(context, address, subject.code);
  const { number, hash, timestamp } = block;
  return {
    readings: { block: { number, hash, timestamp }, ...observed, ...earlier },
    observation: { address, fields: observeNow(observed) },
    ...(fingerprint && { fingerprint }),
  };
}

async function readSubject(context: GatherContext, address: Hex) {
  const askFacets: CallRead = { kind: "call", to: address, data: FACETS };
  const { accounts, others } = await readAccounts(context, [requestSubject(address)], [
    ...subjectCalls(address),
    askFacets,
  ] as const);
  const [paused, masterCopy, facets] = others;
  const subject = describeSubject(accounts[0], paused, masterCopy);
  return { ...subject, bytes: accounts[0]?.code ?? noAnswer, facets: hashFacets(facets) };
}

/** Only a list is taken: a contract may answer anything to a function that it does not have. */
function hashFacets(answer: Reading<Hex> = noAnswer): Reading<Hex> {
  if (answer.status === "unanswered") return answer;
  const isList =
    answer.status === "value" && /^0x0{62}20/.test(answer.value) && answer.value.length > 2 + 128;
  return isList ? valueReading(keccak256(answer.value)) : absent;
}

/** What the code runs, found by running it; also behind a fixed target, over the storage of this address. */
async function readExecuted(
  context: GatherContext,
  address: Hex,
  code: Reading<Hex>,
  words: ContractChangeReadings["slots"],
): Promise<Pick<ContractChangeReadings, "program" | "delegation" | "inner">> {
  const program = code.status === "value" ? await readProgram(code.value) : null;
  if (code.status !== "value" || program === null)
    return { program: null, delegation: noDelegation, inner: null };
  const start = { address, ...listKnownWords(words) };
  const delegation = await followDelegation(context, { ...start, code: code.value, program });
  return { program, delegation, inner: await readInner(context, start, delegation) };
}

async function readInner(
  context: GatherContext,
  start: { address: Hex } & ReturnType<typeof listKnownWords>,
  { origin, target }: DelegationReading,
): Promise<DelegationReading | null> {
  if (origin !== "code" || target === null) return null;
  const [code = noAnswer] = await context.chain.readAt(context.block, [{ kind: "code", address: target }]);
  if (code.status === "unanswered") return { ...noDelegation, outcome: "unread" };
  const program = code.status === "value" ? await readProgram(code.value) : null;
  if (code.status !== "value" || program === null) return null;
  return followDelegation(context, { ...start, code: code.value, program });
}

export const gatherer: Gatherer<ContractChangeInput, ContractChangeReadings> = {
  gather: gatherContractChange,
};
