import { noteCodeForm } from "../shared/code/noteCodeForm.js";
import { judgeControl } from "../shared/control/judgeControl.js";
import { judgePause } from "../shared/control/judgePause.js";
import { readPauseAnswer } from "../shared/control/readPauseAnswer.js";
import { judgeDelegation } from "../shared/proxies/judgeDelegation.js";
import { judgeProxy } from "../shared/proxies/judgeProxy.js";
import type { Evaluation } from "../shared/verdict/evaluation.js";
import { decidingSentences, type Note, unique, worstVerdict } from "../shared/verdict/note.js";
import { describeEffect } from "./describeEffect.js";
import type { ContractGuardInput } from "./input.js";
import { judgeCode } from "./judgeCode.js";
import { judgeStanding } from "./judgeStanding.js";
import type { ContractGuardReadings } from "./readings.js";
import { type ContractGuardCode, contractGuardReasons, replaceableCodes } from "./reasons.js";

const ALWAYS = [
  "A bounded preflight of code, proxies, pause state and owners; it is not a security audit.",
  "True at the stated block; code, slots, pause state and owners can change in any later one.",
  "State proofs cover code and slots that were read directly; what calls answered is as the node gave it.",
];

/** Judges one address by its code, what it runs, its pause state and those who control it. */
export function evaluateContractGuard(_input: ContractGuardInput, readings: ContractGuardReadings) {
  const code = readings.code.status === "value" ? readings.code.value : null;
  const isEmpty = readings.code.status === "absent" || code?.form === "empty";
  // Slots and calls of an address without code mean nothing. A native token's are answered by the node, not by a contract.
  const isOpaque = isEmpty || code?.form === "native_b20";
  const proxy = isOpaque ? null : judgeDelegation(readings, judgeProxy(readings));
  const pause = isOpaque ? null : judgePause({ ...readings, paused: readPauseAnswer(readings) });
  const control = isOpaque ? null : judgeControl(readings);
  const standing = judgeStanding(readings);
  const found: Note<ContractGuardCode>[] = [
    ...noteCodeForm(code, isEmpty),
    ...standing.notes,
    ...(proxy?.notes ?? []),
    // Published contracts may have functions that would be suspicious in an unknown one.
    ...(isOpaque || standing.isListed ? [] : judgeCode(readings)),
    ...(pause?.notes ?? []),
    ...(control?.notes ?? []),
  ];
  const notes = standing.isVouchedFor ? vouchFor(found) : found;
  const verdict = worstVerdict(notes, contractGuardReasons);
  const effect = describeEffect(readings, proxy?.proxy ?? null, unique(notes.map((note) => note.code)));
  return {
    verdict,
    reasonCodes: unique(notes.map((note) => note.code)),
    summary: `${effect} ${decidingSentences(notes, contractGuardReasons)}`,
    findings: {
      isContract: code === null && !isEmpty ? null : !isEmpty,
      form: isEmpty ? "empty" : (code?.form ?? null),
      codeHash: code?.codeHash ?? null,
      strippedCodeHash: code?.strippedCodeHash ?? null,
      bytecodeBytes: isEmpty ? 0 : (code?.bytecodeBytes ?? null),
      known: describeKnown(readings),
      proxy: proxy?.proxy ?? null,
      implementationCode: proxy?.implementationCode ?? null,
      paused: pause?.paused ?? null,
      pauseSource: pause?.pauseSource ?? null,
      control: control?.control ?? null,
    },
    limitations: unique([...ALWAYS, ...notes.flatMap((note) => note.limitation ?? [])]),
  } satisfies Evaluation;
}

/** Those who may replace the code are published: that it can be replaced does not lower the verdict. */
function vouchFor(notes: readonly Note<ContractGuardCode>[]): Note<ContractGuardCode>[] {
  const kept = notes.filter(({ code }) => !replaceableCodes.has(code));
  return kept.length === notes.length ? kept : [...kept, { code: "UPGRADEABLE_BY_KNOWN" }];
}

function describeKnown({ known }: ContractGuardReadings) {
  const { party, standing, accounts } = known;
  const account = accounts.behind ?? accounts.target ?? accounts.own;
  return {
    party: party && { name: party.name, protocol: party.protocol, role: party.role, source: party.source },
    standing,
    account: account && { name: account.name, version: account.version, kind: account.kind },
  };
}
