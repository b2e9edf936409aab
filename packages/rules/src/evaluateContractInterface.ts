import { type CapabilityInput, type Hex, type Reading, type Verdict, valueReading } from "@assay/protocol";
import type { ContractInterfaceReadings, ImplementationReading } from "./contractInterfaceReadings.js";
import { MAX_SCANNED_BYTES, type SelectorScan } from "./contractInterfaceReadings.js";
import type { Evaluation } from "./evaluation.js";
import type { CodeFingerprint } from "./fingerprintBytecode.js";
import { describeNoStandards, judgeStandards, type StandardCode } from "./judgeStandards.js";
import { decidingSentences, type Note, unique, worstVerdict } from "./note.js";
import { noteBeaconAnswer } from "./noteBeaconAnswer.js";
import { noteCodeForm } from "./noteCodeForm.js";
import { findAddress, implementationSlots, noteProxySlots } from "./noteProxySlots.js";
import { type ImplementationResolution, isZeroWord, resolveImplementation } from "./resolveImplementation.js";

export const contractInterfaceRule = { id: "contract.interface", version: "1.1.0" } as const;

type SubjectCode =
  | "CODE_PRESENT"
  | "NO_CODE"
  | "CODE_UNREAD"
  | "NATIVE_TOKEN_CODE"
  | "DELEGATED_ACCOUNT"
  | "MINIMAL_PROXY"
  | "CODE_TOO_LARGE"
  | "SCAN_UNFINISHED";
type ProxyCode =
  | "NO_PROXY_SLOT"
  | "SLOT_UNREAD"
  | "PROXY_EIP1967"
  | "PROXY_BEACON"
  | "PROXY_EIP1822"
  | "PROXY_ZEPPELINOS"
  | "PROXY_ADMIN_SET"
  | "PROXY_SLOT_MALFORMED"
  | "CONFLICTING_PROXY_SLOTS"
  | "IMPLEMENTATION_UNREAD"
  | "IMPLEMENTATION_HAS_NO_CODE"
  | "BEACON_UNREADABLE"
  | "BEACON_ANSWERS_BY_CALLER"
  | "TARGET_IS_PROXY"
  | "FOLLOW_BOUND_REACHED";
export type ContractInterfaceCode = SubjectCode | ProxyCode | StandardCode;

type Notes = Note<ContractInterfaceCode>[];
type Slots = ContractInterfaceReadings["slots"];

/**
 * What each reason means for the verdict; the gravest decides. Nothing here blocks: which standards a contract
 * follows is no danger by itself. `allow` needs every reading answered, no code that can be replaced, and
 * selectors, claims and answers that agree.
 */
export const contractInterfaceVerdicts: Readonly<Record<ContractInterfaceCode, Verdict>> = {
  CODE_PRESENT: "allow",
  NO_PROXY_SLOT: "allow",
  MINIMAL_PROXY: "allow",
  ERC20_DETECTED: "allow",
  ERC721_DETECTED: "allow",
  ERC1155_DETECTED: "allow",
  ERC165_DETECTED: "allow",
  NO_STANDARD_DETECTED: "allow",

  // Nothing to scan, or logic that bytecode does not show.
  NO_CODE: "review",
  NATIVE_TOKEN_CODE: "review",
  DELEGATED_ACCOUNT: "review",
  // The functions of tomorrow need not be those found today.
  PROXY_EIP1967: "review",
  PROXY_BEACON: "review",
  PROXY_EIP1822: "review",
  PROXY_ZEPPELINOS: "review",
  PROXY_ADMIN_SET: "review",
  PROXY_SLOT_MALFORMED: "review",
  CONFLICTING_PROXY_SLOTS: "review",
  IMPLEMENTATION_HAS_NO_CODE: "review",
  TARGET_IS_PROXY: "review",
  FOLLOW_BOUND_REACHED: "review",
  // The evidence contradicts itself, or is not enough.
  ERC165_NOT_FOLLOWED: "review",
  ERC165_CLAIM_WITHOUT_SELECTORS: "review",
  SELECTORS_WITHOUT_ERC165_CLAIM: "review",
  PROBE_CONTRADICTS_SELECTORS: "review",
  STANDARD_UNCERTAIN: "review",
  // Asked, and not or not usably answered.
  CODE_UNREAD: "review",
  SLOT_UNREAD: "review",
  INTERFACE_PROBE_UNREAD: "review",
  IMPLEMENTATION_UNREAD: "review",
  BEACON_UNREADABLE: "review",
  BEACON_ANSWERS_BY_CALLER: "review",
  CODE_TOO_LARGE: "review",
  SCAN_UNFINISHED: "review",
};

const ALWAYS = [
  "A bounded heuristic: selectors found in bytecode and a few calls. It is no proof that the functions do what the standard says.",
  "True at the stated block; code, slots and answers can change in any later one, and those of a proxy without notice.",
  "Proxies that keep their implementation elsewhere (diamonds, Safes, slots of their own) are not followed.",
  "State proofs cover code and slots; what calls answered is as a node told it, and without ERC-165's limit of 30,000 gas.",
];

/** Which token standards and proxy controls the contract at an address appears to have. */
export function evaluateContractInterface(
  input: CapabilityInput<"contract.interface">,
  readings: ContractInterfaceReadings,
) {
  const code = readings.code.status === "value" ? readings.code.value : null;
  const isEmpty = readings.code.status === "absent" || code?.form === "empty";
  const resolution = resolveBehind(readings);
  const running = isEmpty ? null : findRunningScan(readings, resolution);
  const standards = isEmpty ? null : judgeStandards(readings.probes, running && new Set(running.selectors));
  const notes: Notes = [
    ...noteCodeForm(code, isEmpty),
    ...(isEmpty
      ? []
      : [
          ...noteScan(readings.scan, code, "the address"),
          ...noteProxy(readings, resolution),
          ...(standards?.notes ?? []),
        ]),
  ];
  return {
    verdict: worstVerdict(notes, contractInterfaceVerdicts),
    reasonCodes: unique(notes.map((note) => note.code)),
    summary: `${input.address}: ${decidingSentences(notes, contractInterfaceVerdicts)}`,
    findings: {
      isContract: code === null && !isEmpty ? null : !isEmpty,
      form: isEmpty ? "empty" : (code?.form ?? null),
      codeHash: code?.codeHash ?? null,
      bytecodeBytes: isEmpty ? 0 : (code?.bytecodeBytes ?? null),
      standards: standards?.standards ?? describeNoStandards(),
      probes: standards?.probes ?? null,
      proxy: isEmpty ? null : describeProxy(readings.slots, resolution),
      controlSlots: isEmpty ? null : describeSlots(readings.slots),
      scans: {
        subject: describeScan(readings.scan),
        implementation: describeScan(readings.implementation?.scan ?? null),
      },
    },
    limitations: unique([...ALWAYS, ...notes.flatMap((note) => note.limitation ?? [])]),
  } satisfies Evaluation;
}

/** The documented order without Safes, which are not looked for here: as if the first slot were zero. */
export function resolveBehind(
  readings: Pick<ContractInterfaceReadings, "code" | "slots" | "beaconImplementation">,
): ImplementationResolution {
  const { code, slots, beaconImplementation } = readings;
  return resolveImplementation({
    code,
    slots: { ...slots, safeSingleton: valueReading<Hex>(`0x${"0".repeat(64)}`) },
    masterCopy: { status: "absent" },
    beaconImplementation,
  });
}

/** Of the code that runs: behind a proxy its implementation's. Null when it was not read or not scanned. */
function findRunningScan(
  readings: ContractInterfaceReadings,
  resolution: ImplementationResolution,
): Pick<SelectorScan, "selectors"> | null {
  if (resolution.status === "unread") return null;
  if (resolution.status === "none") return readings.scan?.status === "value" ? readings.scan.value : null;
  const implementation = findImplementation(readings, resolution);
  if (implementation === null) return null;
  if (isWithoutCode(implementation.code)) return { selectors: [] };
  return implementation.scan?.status === "value" ? implementation.scan.value : null;
}

function findImplementation(
  { implementation }: ContractInterfaceReadings,
  resolution: ImplementationResolution,
): ImplementationReading | null {
  const isThis = resolution.status === "resolved" && implementation?.address === resolution.implementation;
  return isThis ? implementation : null;
}

/** Whether these bytes are a program whose functions can be looked for. */
export function isScannable({ form }: CodeFingerprint): boolean {
  return form === "contract" || form === "eip1167_clone";
}

function noteScan(
  scan: ContractInterfaceReadings["scan"],
  code: CodeFingerprint | null,
  where: string,
): Notes {
  if (code === null || !isScannable(code) || scan?.status === "value") return [];
  if (code.bytecodeBytes > MAX_SCANNED_BYTES) {
    const limitation = `The code of ${where} has ${code.bytecodeBytes} bytes; at most ${MAX_SCANNED_BYTES} are scanned.`;
    return [{ code: "CODE_TOO_LARGE", limitation }];
  }
  const reason = scan?.status === "unanswered" ? scan.reason : "no scan";
  return [
    { code: "SCAN_UNFINISHED", limitation: `The code of ${where} was not scanned to its end: ${reason}.` },
  ];
}

const slotNames = [...implementationSlots, "eip1967Admin"] as const;

function noteProxy(readings: ContractInterfaceReadings, resolution: ImplementationResolution): Notes {
  const notes: Notes = [
    ...noteProxySlots(readings.slots, slotNames, "the first was followed"),
    ...noteImplementation(readings, resolution),
  ];
  // Whatever was noticed, or not read, speaks against "no proxy slot".
  return notes.length > 0 ? notes : [{ code: "NO_PROXY_SLOT" }];
}

function noteImplementation(
  readings: ContractInterfaceReadings,
  resolution: ImplementationResolution,
): Notes {
  if (resolution.status === "none" || (resolution.status === "unread" && resolution.kind === null)) return [];
  if (resolution.status === "unread") {
    return [noteBeaconAnswer(readings.beaconImplementation)];
  }
  const implementation = findImplementation(readings, resolution);
  const where = resolution.implementation;
  if (implementation === null) return [unread(`the code at ${where}`)];
  const { code, scan, slots } = implementation;
  if (isWithoutCode(code)) return [{ code: "IMPLEMENTATION_HAS_NO_CODE" }];
  const notes: Notes = [];
  const words = slots === null ? [] : Object.values(slots);
  if (code.status !== "value" || words.some(({ status }) => status !== "value")) {
    notes.push(unread(`all of the code and slots at ${where}`));
  }
  if (code.status !== "value") return notes;
  const isSet = words.some((word) => word.status === "value" && !isZeroWord(word.value));
  if (code.value.target !== null || isSet) {
    const limitation = `${where} is itself a proxy; what runs behind it was not followed.`;
    notes.push({ code: "TARGET_IS_PROXY" }, { code: "FOLLOW_BOUND_REACHED", limitation });
  }
  if (code.value.form === "native_b20") notes.push({ code: "NATIVE_TOKEN_CODE" });
  return [...notes, ...noteScan(scan, code.value, where)];
}

const unread = (what: string): Note<ContractInterfaceCode> => ({
  code: "IMPLEMENTATION_UNREAD",
  limitation: `Not read: ${what}.`,
});
const isWithoutCode = (code: Reading<CodeFingerprint>): boolean =>
  code.status === "absent" || (code.status === "value" && code.value.form === "empty");

function describeProxy(slots: Slots, resolution: ImplementationResolution) {
  const admin = findAddress(slots, "eip1967Admin");
  const kind = resolution.status === "none" ? null : resolution.kind;
  if (kind === null && admin === null) return null;
  return {
    kind: kind ?? "unknown",
    implementation: resolution.status === "resolved" ? resolution.implementation : null,
    admin,
    beacon: findAddress(slots, "eip1967Beacon"),
  };
}

/** Null is a slot that is not set; one that was not read is left out. */
function describeSlots(slots: Slots): Readonly<Record<string, Hex | null>> {
  const read = slotNames.filter((name) => slots[name].status === "value");
  return Object.fromEntries(read.map((name) => [name, findAddress(slots, name)]));
}

function describeScan(scan: ContractInterfaceReadings["scan"]) {
  if (scan?.status !== "value") return null;
  const { scanner, source, selectors } = scan.value;
  return { scanner, source, selectors: selectors.length };
}
