import type { BlockHeader, Chain } from "@assay/chain";
import {
  AssayError,
  type Hex,
  mapReading,
  noAnswer,
  type Reading,
  unanswered,
  valueReading,
} from "@assay/protocol";
import {
  findBeaconRead,
  listImplementationReads,
  nameAnswers,
  needsMasterCopy,
  resolveNamed,
  type StateRead,
} from "../../shared/claims/resolveAtBlock.js";
import { knownSlots } from "../../shared/proxies/knownSlots.js";
import { cutAnswer, WORD_ANSWER_BYTES } from "../../shared/reads/gather/cutAnswer.js";
import { addressInWord, isZeroWord } from "../../shared/words/addressInWord.js";
import { listUpgradeFunctions } from "../listUpgradeFunctions.js";
import type { ObligationVerdictReadings, SubjectObservation } from "../readings.js";

/** What was read of an address at one block. */
export interface ObservedSubject {
  readonly observation: SubjectObservation;
  /** Undefined when no block of that number could be read. */
  readonly block: BlockHeader | undefined;
  /** The whole code; the observation keeps only its fingerprint. */
  readonly code: Reading<Hex>;
  /** The slots of `ADMIN_SLOTS`, where they were asked for. */
  readonly admins: readonly Reading<Hex>[];
}

/** Something before it in the order names the implementation, or nothing can. */
const NOT_NEEDED = unanswered("not_needed");
const ADMIN_SLOTS = [knownSlots.eip1967Admin, knownSlots.zeppelinosAdmin] as const;

/**
 * Reads everything that decides the resolved implementation, as the service does when it opens a claim. Slots of one account share
 * a request, so who needs to know the admins asks for them here.
 */
export async function observeSubject(
  chain: Chain,
  address: Hex,
  number: number,
  asksAdmins = false,
): Promise<ObservedSubject> {
  const block = await findBlock(chain, number);
  const ask = async (reads: readonly StateRead[]): Promise<readonly Reading<Hex>[]> =>
    "hash" in block ? readAgreed(chain, block, reads) : reads.map(() => block);
  const slots = listImplementationReads(address);
  const masterCopyRead = slots.pop() as StateRead;
  const adminReads = ADMIN_SLOTS.map((slot): StateRead => ({ kind: "storage", address, slot }));
  const first = await ask(asksAdmins ? [...slots, ...adminReads] : slots);
  const answers = first.slice(0, slots.length);
  const beaconRead = findBeaconRead(address, answers);
  const [beacon] = beaconRead ? await ask([beaconRead]) : [];
  const [called] = needsMasterCopy(answers) ? await ask([masterCopyRead]) : [NOT_NEEDED];
  const { masterCopy, beaconImplementation, ...named } = nameAnswers(
    [...answers, called ?? noAnswer],
    beacon ?? null,
  );
  return {
    block: "hash" in block ? block : undefined,
    code: answers[0] ?? noAnswer,
    admins: first.slice(slots.length),
    observation: {
      number,
      hash: "hash" in block ? valueReading(block.hash) : block,
      ...named,
      masterCopy: cutAnswer(masterCopy, WORD_ANSWER_BYTES),
      beaconImplementation: beaconImplementation && cutAnswer(beaconImplementation, WORD_ANSWER_BYTES),
    },
  };
}

const readAgreed = (
  chain: Chain,
  block: BlockHeader,
  reads: readonly StateRead[],
): Promise<readonly Reading<Hex>[]> => chain.readAgreed(block, reads);

/** A past block that cannot be read is a reading without an answer, not an error: the verdict states it. */
async function findBlock(chain: Chain, number: number): Promise<BlockHeader | Reading<never>> {
  try {
    return (await chain.findAgreedBlock(number)) ?? unanswered("unknown_block");
  } catch (error) {
    if (error instanceof AssayError && error.code === "chain_unavailable") return noAnswer;
    throw error;
  }
}

/** Who could have replaced what runs behind the subject, at the block of the observation. */
export async function readControl(
  chain: Chain,
  { observation, block, code, admins }: ObservedSubject,
): Promise<NonNullable<ObligationVerdictReadings["control"]>> {
  const resolution = resolveNamed(observation);
  const implementation = resolution.status === "resolved" ? resolution.implementation : null;
  const beacon = findBeacon(observation);
  const reads = [implementation, beacon].flatMap((other): StateRead[] =>
    other === null ? [] : [{ kind: "code", address: other }],
  );
  const codes = block && reads.length > 0 ? [...(await readAgreed(chain, block, reads))] : [];
  const [eip1967Admin = noAnswer, zeppelinosAdmin = noAnswer] = admins;
  const nextFunctions = (other: Hex | null) => (other === null ? null : listFunctions(codes.shift()));
  return {
    eip1967Admin,
    zeppelinosAdmin,
    ownFunctions: listFunctions(code),
    implementationFunctions: nextFunctions(implementation),
    beaconFunctions: nextFunctions(beacon),
  };
}

const listFunctions = (code: Reading<Hex> = noAnswer) => mapReading(code, listUpgradeFunctions);

/** The beacon that the subject obeyed at that block. */
export function findBeacon({ slots, beaconImplementation }: SubjectObservation): Hex | null {
  const word = slots.eip1967Beacon;
  return beaconImplementation !== null && word.status === "value" && !isZeroWord(word.value)
    ? addressInWord(word.value)
    : null;
}
