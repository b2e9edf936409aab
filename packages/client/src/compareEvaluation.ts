import { type Evaluation, formerProofWording, proofLimitations, proofNote } from "@assay/capabilities";
import { canonicalJson } from "@assay/protocol";
import { isSameWording } from "./isSameWording.js";
import type { JudgedAnswer } from "./readRefreshed.js";
import type { Evidence } from "./readSaved.js";
import type { Reevaluation } from "./reevaluate.js";
import { fail, pass, type VerificationStep } from "./verification.js";

/** Where a former sentence may stand. Verdict, reason codes and findings are compared as they are recorded. */
const WORDED: ReadonlySet<keyof Evaluation> = new Set(["summary", "limitations", "evidence"]);

/** Whether an answer says what its rule concludes from the same readings, in today's words or in former ones. */
export function compareEvaluation(
  { verdict, result }: JudgedAnswer,
  { rule, findings, proofs }: Pick<Evidence, "rule" | "findings" | "proofs">,
  { evaluation, facts, formerWording }: Reevaluation,
): VerificationStep {
  // Answers of the first release do not have it.
  const note = proofNote(facts, proofs);
  const expected = {
    ...evaluation,
    summary: `${evaluation.summary}${result.summary.endsWith(note) ? note : ""}`,
    evidence: evaluation.evidence ?? {},
    limitations: [...evaluation.limitations, ...proofLimitations(facts, proofs)],
  };
  const former = { ...formerProofWording, ...formerWording };
  const recorded: Readonly<Record<keyof Evaluation, unknown>> = {
    verdict,
    reasonCodes: result.reasonCodes,
    summary: result.summary,
    findings,
    evidence: Object.fromEntries(
      Object.keys(expected.evidence).map((name) => [name, result.evidence[name] ?? null]),
    ),
    limitations: result.limitations,
  };
  const differing = (Object.keys(recorded) as (keyof Evaluation)[]).filter(
    (key) =>
      canonicalJson(recorded[key] ?? null) !== canonicalJson(expected[key]) &&
      !(WORDED.has(key) && isSameWording(recorded[key], expected[key], former)),
  );
  const name = `${rule.id} ${rule.version} run on the recorded readings gives`;
  return differing.length > 0
    ? fail("rule", `${name} another ${differing.join(", ")}.`)
    : pass("rule", `${name} ${verdict} again.`);
}
