import type { CapabilityInput, Verdict } from "@assay/protocol";
import type { ContractGuardReadings } from "./contractGuardReadings.js";
import type { Evaluation } from "./evaluation.js";
import { type ControlCode, judgeControl } from "./judgeControl.js";
import { judgePause, type PauseCode } from "./judgePause.js";
import { judgeProxy, type ProxyCode } from "./judgeProxy.js";
import { decidingSentences, type Note, unique, worstVerdict } from "./note.js";
import { type CodeFormCode, noteCodeForm } from "./noteCodeForm.js";

export const contractGuardRule = { id: "contract.guard", version: "1.0.0" } as const;

export type ContractGuardCode = CodeFormCode | PauseCode | ProxyCode | ControlCode;

/**
 * What each reason means for the verdict; the gravest decides. `allow` therefore needs every
 * reading answered: ordinary code or a clone of it, no proxy slot set, no pause in force.
 */
export const contractGuardVerdicts: Readonly<Record<ContractGuardCode, Verdict>> = {
  CODE_PRESENT: "allow",
  NO_PROXY_SLOT: "allow",
  MINIMAL_PROXY: "allow",
  NOT_PAUSED: "allow",
  PAUSE_ABSENT: "allow",
  // Told, not held against it: an owner of code that cannot be replaced.
  OWNER_RENOUNCED: "allow",
  OWNER_IS_ACCOUNT: "allow",
  OWNER_IS_CONTRACT: "allow",
  ADMIN_OWNER_RENOUNCED: "allow",

  // Nothing to judge, or logic that bytecode does not show.
  NO_CODE: "review",
  NATIVE_TOKEN_CODE: "review",
  DELEGATED_ACCOUNT: "review",
  // The code that runs tomorrow need not be the code read today.
  PROXY_EIP1967: "review",
  PROXY_UUPS: "review",
  PROXY_BEACON: "review",
  PROXY_EIP1822: "review",
  PROXY_ZEPPELINOS: "review",
  PROXY_DIAMOND: "review",
  PROXY_SAFE: "review",
  PROXY_ADMIN_SET: "review",
  ADMIN_IS_ACCOUNT: "review",
  ADMIN_IS_CONTRACT: "review",
  PROXY_SLOT_MALFORMED: "review",
  CONFLICTING_PROXY_SLOTS: "review",
  TARGET_IS_PROXY: "review",
  FOLLOW_BOUND_REACHED: "review",
  // Asked, and not or not usably answered.
  CODE_UNREAD: "review",
  SLOT_UNREAD: "review",
  PROXY_PROBE_UNREAD: "review",
  IMPLEMENTATION_UNREAD: "review",
  BEACON_UNREADABLE: "review",
  BEACON_ANSWERS_BY_CALLER: "review",
  PAUSE_UNREAD: "review",
  PAUSE_UNREADABLE: "review",
  ADMIN_UNREAD: "review",
  OWNER_UNREAD: "review",
  OWNER_UNREADABLE: "review",

  // Read, and a transaction sent now would fail or do nothing.
  CONTRACT_PAUSED: "block",
  IMPLEMENTATION_HAS_NO_CODE: "block",
};

const ALWAYS = [
  "A bounded preflight of code, proxy slots, pause state and owners; it is not a security audit.",
  "True at the stated block; code, slots, pause state and owners can change in any later one.",
  "Proxies that keep their implementation in slots of their own or in immutable variables are not recognised.",
  "State proofs cover code and slots that were read directly; what calls answered is as the node gave it.",
];

/** Judges one address by its code, its proxy slots, its pause state and those who control it. */
export function evaluateContractGuard(
  input: CapabilityInput<"contract.guard">,
  readings: ContractGuardReadings,
) {
  const code = readings.code.status === "value" ? readings.code.value : null;
  const isEmpty = readings.code.status === "absent" || code?.form === "empty";
  // Slots and calls of an address without code mean nothing, and a native token's are not the contract's.
  const isOpaque = isEmpty || code?.form === "native_b20";
  const proxy = isOpaque ? null : judgeProxy(readings);
  const pause = isOpaque ? null : judgePause(readings);
  const control = isOpaque ? null : judgeControl(readings);
  const notes: Note<ContractGuardCode>[] = [
    ...noteCodeForm(code, isEmpty),
    ...(proxy?.notes ?? []),
    ...(pause?.notes ?? []),
    ...(control?.notes ?? []),
  ];
  return {
    verdict: worstVerdict(notes, contractGuardVerdicts),
    reasonCodes: unique(notes.map((note) => note.code)),
    summary: `${input.address}: ${decidingSentences(notes, contractGuardVerdicts)}`,
    findings: {
      isContract: code === null && !isEmpty ? null : !isEmpty,
      form: isEmpty ? "empty" : (code?.form ?? null),
      codeHash: code?.codeHash ?? null,
      strippedCodeHash: code?.strippedCodeHash ?? null,
      bytecodeBytes: isEmpty ? 0 : (code?.bytecodeBytes ?? null),
      proxy: proxy?.proxy ?? null,
      implementationCode: proxy?.implementationCode ?? null,
      paused: pause?.paused ?? null,
      pauseSource: pause?.pauseSource ?? null,
      control: control?.control ?? null,
    },
    limitations: unique([...ALWAYS, ...notes.flatMap((note) => note.limitation ?? [])]),
  } satisfies Evaluation;
}
