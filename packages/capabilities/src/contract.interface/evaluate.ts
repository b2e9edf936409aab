import type { Hex, Reading } from "@assay/protocol";
import type { CodeFingerprint } from "../shared/code/fingerprintBytecode.js";
import { isScannable } from "../shared/code/isScannable.js";
import { noteCodeForm } from "../shared/code/noteCodeForm.js";
import { MAX_SCANNED_BYTES, type SelectorScan } from "../shared/code/selectorScan.js";
import { noteBeaconAnswer } from "../shared/proxies/noteBeaconAnswer.js";
import { findAddress, implementationSlots, noteProxySlots } from "../shared/proxies/noteProxySlots.js";
import type { ImplementationResolution } from "../shared/proxies/resolveImplementation.js";
import { resolveWithoutSafe } from "../shared/proxies/resolveWithoutSafe.js";
import type { Evaluation } from "../shared/verdict/evaluation.js";
import { decidingSentences, type Note, unique, worstVerdict } from "../shared/verdict/note.js";
import { isZeroWord } from "../shared/words/addressInWord.js";
import type { ContractInterfaceInput } from "./input.js";
import { describeNoStandards, judgeStandards } from "./judgeStandards.js";
import type { ContractInterfaceReadings, ImplementationReading } from "./readings.js";
import { type ContractInterfaceCode, contractInterfaceReasons } from "./reasons.js";

type Notes = Note<ContractInterfaceCode>[];
type Slots = ContractInterfaceReadings["slots"];

const ALWAYS = [
  "A bounded heuristic: selectors found in bytecode and a few calls. It is no proof that the functions do what the standard says.",
  "True at the stated block; code, slots and answers can change in any later one, and those of a proxy without notice.",
  "Proxies that keep their implementation elsewhere (diamonds, Safes, slots of their own) are not followed.",
  "State proofs cover code and slots; the results of calls are as a node reports them, and without ERC-165's limit of 30,000 gas.",
];

/** Which token standards and proxy controls the contract at an address appears to have. */
export function evaluateContractInterface(
  input: ContractInterfaceInput,
  readings: ContractInterfaceReadings,
) {
  const code = readings.code.status === "value" ? readings.code.value : null;
  const isEmpty = readings.code.status === "absent" || code?.form === "empty";
  const resolution = resolveWithoutSafe(readings);
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
    verdict: worstVerdict(notes, contractInterfaceReasons),
    reasonCodes: unique(notes.map((note) => note.code)),
    summary: `${input.address}: ${decidingSentences(notes, contractInterfaceReasons)}`,
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
  // Any finding, or anything not read, contradicts "no proxy slot".
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
