import { type CapabilityInput, type Hex, mapReading, type Reading, valueReading } from "@assay/protocol";
import {
  addressInWord,
  type CodeFingerprint,
  type ContractGuardReadings,
  type FollowedReadings,
  findSafeSingleton,
  isZeroWord,
  type KnownSlot,
  knownSlots,
} from "@assay/rules";
import type { CallRead, ChainRead } from "../../chain/types.js";
import type { FingerprintRecord, GatherContext, Gathered } from "../types.js";
import { parseBeaconAnswer, readBeacon } from "./beaconLens.js";
import { rememberedFingerprint } from "./rememberedFingerprint.js";

type HexRead = Exclude<ChainRead, { kind: "feeHistory" }>;
type Subject = Omit<ContractGuardReadings, "followed" | "beaconImplementation">;
type Follow = Pick<ContractGuardReadings, "followed" | "beaconImplementation">;

const SELECTORS = {
  paused: "0x5c975abb",
  /** Safe proxies answer this themselves. */
  masterCopy: "0xa619486e",
  /** ERC-2535 loupe; `facets()` would tell the same with every selector added. */
  facetAddresses: "0x52ef6b2c",
  /** ERC-1822, kept by ERC-1967 implementations that upgrade themselves. */
  proxiableUuid: "0x52d1902d",
} as const;

const subjectSlots = Object.keys(knownSlots) as KnownSlot[];
const followedSlots = [
  "eip1967Implementation",
  "eip1967Beacon",
  "eip1822Implementation",
  "zeppelinosImplementation",
  "diamondFacets",
] as const satisfies readonly KnownSlot[];

/** A flag or an address is one word; a second one is kept to show that there was more. */
const MAX_ANSWER_BYTES = 64;
/** Offset, length and 256 addresses. */
const MAX_FACETS_BYTES = 32 * 258;

/**
 * Everything contract.guard judges, in at most two batches: the address itself, then whatever its
 * slots and code point at. Deeper chains of proxies are not followed; the rule says so.
 */
export async function gatherContractGuard(
  context: GatherContext,
  { address }: CapabilityInput<"contract.guard">,
): Promise<Gathered<ContractGuardReadings>> {
  const subject = await readSubject(context, address);
  const follow = await readFollowed(context, subject);
  const fingerprint = recordFingerprint(context, address, subject.code);
  return { readings: { ...subject, ...follow }, ...(fingerprint && { fingerprint }) };
}

async function readSubject({ chain, block }: GatherContext, address: Hex): Promise<Subject> {
  const reads: HexRead[] = [
    { kind: "code", address },
    call(address, SELECTORS.paused),
    call(address, SELECTORS.masterCopy),
    call(address, SELECTORS.facetAddresses),
    ...subjectSlots.map((name) => storage(address, name)),
  ];
  const [code, paused, masterCopy, facetAddresses, ...slots] = await chain.readAt(block, reads);
  return {
    code: fingerprintReading(code),
    slots: nameSlots(subjectSlots, slots),
    paused: cutAnswer(paused, MAX_ANSWER_BYTES),
    masterCopy: cutAnswer(masterCopy, MAX_ANSWER_BYTES),
    facetAddresses: cutAnswer(facetAddresses, MAX_FACETS_BYTES),
  };
}

async function readFollowed({ chain, block }: GatherContext, subject: Subject): Promise<Follow> {
  const { targets, beacon } = listTargets(subject);
  if (targets.length === 0) return { followed: [], beaconImplementation: null };
  const perTarget = targets.map((address): HexRead[] => [
    { kind: "code", address },
    call(address, SELECTORS.proxiableUuid),
    ...followedSlots.map((name) => storage(address, name)),
  ]);
  const answers: readonly Reading<Hex>[] = await chain.readAt(block, [
    ...perTarget.flat(),
    ...(beacon === null ? [] : [readBeacon(beacon)]),
  ]);
  const width = 2 + followedSlots.length;
  const followed = targets.map((address, index): FollowedReadings => {
    const [code, proxiableUuid, ...slots] = answers.slice(index * width, (index + 1) * width);
    return {
      address,
      code: fingerprintReading(code),
      slots: nameSlots(followedSlots, slots),
      proxiableUuid: cutAnswer(proxiableUuid, MAX_ANSWER_BYTES),
    };
  });
  const beaconAnswer = answers[targets.length * width] ?? missing;
  return { followed, beaconImplementation: beacon === null ? null : parseBeaconAnswer(beaconAnswer) };
}

/** Every address that may supply code: each slot that is set, and the fixed target in the code. */
function listTargets({ code, slots, masterCopy }: Subject): { targets: Hex[]; beacon: Hex | null } {
  if (code.status === "value" && (code.value.form === "empty" || code.value.form === "native_b20")) {
    return { targets: [], beacon: null };
  }
  const inSlot = (name: (typeof followedSlots)[number]): Hex | null => {
    const reading = slots[name];
    return reading.status === "value" && !isZeroWord(reading.value) ? addressInWord(reading.value) : null;
  };
  const beacon = inSlot("eip1967Beacon");
  const singleton = findSafeSingleton(slots.safeSingleton, masterCopy);
  const found = [
    inSlot("eip1967Implementation"),
    beacon,
    inSlot("eip1822Implementation"),
    inSlot("zeppelinosImplementation"),
    singleton.status === "resolved" ? singleton.implementation : null,
    code.status === "value" ? code.value.target : null,
  ];
  return { targets: [...new Set(found.filter((address) => address !== null))], beacon };
}

const call = (to: Hex, data: Hex): CallRead => ({ kind: "call", to, data });
const storage = (address: Hex, name: KnownSlot): HexRead => ({
  kind: "storage",
  address,
  slot: knownSlots[name],
});

const missing: Reading<never> = { status: "unanswered", reason: "no_answer" };

function nameSlots<const Name extends KnownSlot>(
  names: readonly Name[],
  readings: readonly Reading<Hex>[],
): Record<Name, Reading<Hex>> {
  const entries = names.map((name, index) => [name, readings[index] ?? missing]);
  return Object.fromEntries(entries) as Record<Name, Reading<Hex>>;
}

/** An account without code is a fact with a fingerprint of its own, the hash of nothing. */
function fingerprintReading(code: Reading<Hex> = missing): Reading<CodeFingerprint> {
  return code.status === "absent"
    ? valueReading(rememberedFingerprint("0x"))
    : mapReading(code, rememberedFingerprint);
}

/** A contract decides how much it returns; what is cut was too long to be the answer asked for. */
function cutAnswer(answer: Reading<Hex> = missing, maxBytes: number): Reading<Hex> {
  const digits = 2 + maxBytes * 2;
  if (answer.status === "reverted" && answer.data !== null) {
    return { status: "reverted", data: answer.data.slice(0, digits) };
  }
  return mapReading(answer, (data) => data.slice(0, digits) as Hex);
}

function recordFingerprint(
  { block }: GatherContext,
  address: Hex,
  code: Reading<CodeFingerprint>,
): FingerprintRecord | undefined {
  if (code.status !== "value") return undefined;
  const { form, codeHash, bytecodeBytes } = code.value;
  return {
    address,
    codeHash: form === "empty" ? null : codeHash,
    bytecodeBytes,
    computedAtBlock: block.number,
  };
}
