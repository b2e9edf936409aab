import type { CallRead } from "@assay/chain";
import { type Hex, noAnswer, type Reading } from "@assay/protocol";
import type { GatherContext, Gathered } from "../../../gathering.js";
import {
  findBeaconCode,
  joinBeaconAnswers,
  parseBeaconAnswer,
  readBeacon,
} from "../../proxies/gather/beaconLens.js";
import { type KnownSlot, knownSlots } from "../../proxies/knownSlots.js";
import { findSafeSingleton } from "../../proxies/resolveImplementation.js";
import type { ControllerReadings, FollowedReadings, SubjectReadings } from "../../proxies/subjectReadings.js";
import { cutAnswer, WORD_ANSWER_BYTES } from "../../reads/gather/cutAnswer.js";
import { fingerprintReading, recordFingerprint } from "../../reads/gather/fingerprintReading.js";
import { nameSlots } from "../../reads/gather/nameSlots.js";
import { readAccounts } from "../../reads/gather/readAccounts.js";
import { addressInWord, isZeroWord } from "../../words/addressInWord.js";
import { listControllers } from "../listControllers.js";

type Follow = Pick<SubjectReadings, "followed" | "beaconImplementation" | "controllers">;
export type Subject = Omit<SubjectReadings, keyof Follow>;

const SELECTORS = {
  paused: "0x5c975abb",
  /** Safe proxies answer this themselves. */
  masterCopy: "0xa619486e",
  /** ERC-2535 loupe; `facets()` would return the same addresses with every selector added. */
  facetAddresses: "0x52ef6b2c",
  /** ERC-173. */
  owner: "0x8da5cb5b",
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

/** Offset, length and 256 addresses. */
const MAX_FACETS_BYTES = 32 * 258;

/**
 * A contract and who controls it, in at most two batches: the address itself, then the addresses that its slots and code
 * point at and its controllers. Deeper chains are not followed; the rule says so.
 */
export async function gatherSubject(
  context: GatherContext,
  address: Hex,
): Promise<Gathered<SubjectReadings>> {
  const subject = await readSubject(context, address);
  const follow = await readFollowed(context, address, subject);
  const fingerprint = recordFingerprint(context, address, subject.code);
  return { readings: { ...subject, ...follow }, ...(fingerprint && { fingerprint }) };
}

/** Code by address, as far as it was read whole. */
export type ReadCodes = Map<Hex, Hex>;

/** The address itself, in one batch. Its code is put into `codes`. */
export async function readSubject(
  context: GatherContext,
  address: Hex,
  codes: ReadCodes = new Map(),
): Promise<Subject> {
  const { accounts, others } = await readAccounts(
    context,
    [{ address, slots: subjectSlots.map((name) => knownSlots[name]) }],
    [
      call(address, SELECTORS.paused),
      call(address, SELECTORS.masterCopy),
      call(address, SELECTORS.facetAddresses),
      call(address, SELECTORS.owner),
    ],
  );
  const [account] = accounts;
  keepCode(codes, address, account?.code);
  const [paused, masterCopy, facetAddresses, owner] = others;
  return {
    code: fingerprintReading(account?.code),
    slots: nameSlots(subjectSlots, account?.slots ?? []),
    paused: cutAnswer(paused, WORD_ANSWER_BYTES),
    masterCopy: cutAnswer(masterCopy, WORD_ANSWER_BYTES),
    facetAddresses: cutAnswer(facetAddresses, MAX_FACETS_BYTES),
    owner: cutAnswer(owner, WORD_ANSWER_BYTES),
  };
}

function keepCode(codes: ReadCodes, address: Hex, code: Reading<Hex> = noAnswer): void {
  if (code.status === "value") codes.set(address, code.value);
}

/**
 * The addresses that it points at and those that control it, in one batch. `delegate` is another one that its code was
 * found to run. The code of each is put into `codes`.
 */
export async function readFollowed(
  context: GatherContext,
  address: Hex,
  subject: Subject,
  delegate: Hex | null = null,
  codes: ReadCodes = new Map(),
): Promise<Follow> {
  const { targets, beacon, admins, controllers } = listPointedAt(subject, delegate);
  if (targets.length + controllers.length === 0) {
    return { followed: [], beaconImplementation: null, controllers: [] };
  }
  const slots = followedSlots.map((name) => knownSlots[name]);
  // A controller that is the subject or one of the targets is read already.
  const apart = controllers.filter((controller) => controller !== address && !targets.includes(controller));
  const { accounts, others } = await readAccounts(
    context,
    [
      ...targets.map((target) => ({ address: target, slots })),
      ...apart.map((controller) => ({ address: controller, slots: [] })),
    ],
    [
      ...targets.map((target) => call(target, SELECTORS.proxiableUuid)),
      ...admins.map((admin) => call(admin, SELECTORS.owner)),
      ...(beacon === null ? [] : readBeacon(beacon, address)),
    ],
  );
  const fingerprints = new Map([[address, subject.code]]);
  [...targets, ...apart].forEach((pointedAt, index) => {
    fingerprints.set(pointedAt, fingerprintReading(accounts[index]?.code));
    keepCode(codes, pointedAt, accounts[index]?.code);
  });
  const followed = targets.map(
    (target, index): FollowedReadings => ({
      address: target,
      code: fingerprints.get(target) ?? noAnswer,
      slots: nameSlots(followedSlots, accounts[index]?.slots ?? []),
      proxiableUuid: cutAnswer(others[index], WORD_ANSWER_BYTES),
    }),
  );
  const owners = others.slice(targets.length, targets.length + admins.length);
  const [lens, toProxy] = others.slice(targets.length + admins.length);
  const named = joinBeaconAnswers(lens, toProxy);
  const beaconImplementation = beacon === null ? null : parseBeaconAnswer(named);
  if (beaconImplementation?.status === "value") {
    const code = findBeaconCode(named);
    if (code !== undefined) codes.set(beaconImplementation.value.implementation, code);
  }
  return {
    followed,
    beaconImplementation,
    controllers: controllers.map((controller): ControllerReadings => {
      const index = admins.indexOf(controller);
      const owner = index === -1 ? null : cutAnswer(owners[index], WORD_ANSWER_BYTES);
      return { address: controller, code: fingerprints.get(controller) ?? noAnswer, owner };
    }),
  };
}

interface PointedAt {
  /** Every address that may supply code: each slot that is set, and the fixed target in the code. */
  readonly targets: readonly Hex[];
  readonly beacon: Hex | null;
  readonly controllers: readonly Hex[];
  /** The controllers that may replace code. Each is asked for its own owner. */
  readonly admins: readonly Hex[];
}

function listPointedAt(subject: Subject, delegate: Hex | null): PointedAt {
  const { code, slots, masterCopy } = subject;
  if (code.status === "value" && (code.value.form === "empty" || code.value.form === "native_b20")) {
    return { targets: [], beacon: null, controllers: [], admins: [] };
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
    delegate,
  ];
  const controllers = listControllers(subject);
  const admins = controllers.filter(({ role }) => role !== "owner");
  return {
    targets: unique(found.filter((address) => address !== null)),
    beacon,
    controllers: unique(controllers.map(({ address }) => address)),
    admins: unique(admins.map(({ address }) => address)),
  };
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];
const call = (to: Hex, data: Hex): CallRead => ({ kind: "call", to, data });
