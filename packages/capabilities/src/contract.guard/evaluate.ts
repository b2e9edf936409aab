import { noteCodeForm } from "../shared/code/noteCodeForm.js";
import { judgeControl } from "../shared/control/judgeControl.js";
import { judgePause } from "../shared/control/judgePause.js";
import { judgeProxy } from "../shared/proxies/judgeProxy.js";
import type { Evaluation } from "../shared/verdict/evaluation.js";
import { decidingSentences, type Note, unique, worstVerdict } from "../shared/verdict/note.js";
import type { ContractGuardInput } from "./input.js";
import type { ContractGuardReadings } from "./readings.js";
import { type ContractGuardCode, contractGuardReasons } from "./reasons.js";

const ALWAYS = [
  "A bounded preflight of code, proxy slots, pause state and owners; it is not a security audit.",
  "True at the stated block; code, slots, pause state and owners can change in any later one.",
  "Proxies that keep their implementation in slots of their own or in immutable variables are not recognised.",
  "State proofs cover code and slots that were read directly; what calls answered is as the node gave it.",
];

/** Judges one address by its code, its proxy slots, its pause state and those who control it. */
export function evaluateContractGuard(input: ContractGuardInput, readings: ContractGuardReadings) {
  const code = readings.code.status === "value" ? readings.code.value : null;
  const isEmpty = readings.code.status === "absent" || code?.form === "empty";
  // Slots and calls of an address without code mean nothing. A native token's are answered by the node, not by a contract.
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
    verdict: worstVerdict(notes, contractGuardReasons),
    reasonCodes: unique(notes.map((note) => note.code)),
    summary: `${input.address}: ${decidingSentences(notes, contractGuardReasons)}`,
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
