import { type ProvableAccount, verifyFacts } from "@assay/capabilities";
import { type ArtifactBlock, openStateProofs, type StateProofs } from "@assay/protocol";
import { compareEvaluation } from "./compareEvaluation.js";
import { type JudgedAnswer, readRefreshed } from "./readRefreshed.js";
import type { Evidence } from "./readSaved.js";
import { findReevaluation, type Reevaluation } from "./reevaluate.js";
import { fail, leaveOut, pass, type VerificationStep } from "./verification.js";

/** Runs the rule again and follows its proofs; the same for the refreshed answer that an answer may contain. */
export async function checkRules(result: JudgedAnswer, evidence: Evidence): Promise<VerificationStep[]> {
  const outer = await checkRule(result, evidence);
  const refreshed = readRefreshed(result, evidence);
  if (refreshed === undefined || outer.some(({ ok }) => !ok)) return outer;
  if (typeof refreshed === "string") return [fail("rule", `result.refreshed: ${refreshed}`)];
  const inner = await checkRule(refreshed.answer, refreshed.evidence);
  return inner.map((step) => ({
    ...step,
    detail: `${step.name === "rule" ? `${outer[0]?.detail} ` : ""}result.refreshed: ${step.detail}`,
  }));
}

/** The verdict, its reasons and findings must follow from the readings by the stated rule, and those from the state. */
async function checkRule(result: JudgedAnswer, evidence: Evidence): Promise<VerificationStep[]> {
  const again = await reevaluate(result, evidence);
  if (typeof again === "string")
    return [fail("rule", again), leaveOut("stateProofs", "without the rule it is not known what to prove.")];
  return [
    compareEvaluation(result, evidence, again),
    checkStateProofs(evidence.proofs, evidence.block, again.facts),
  ];
}

/** What the stated rule concludes from the recorded readings, or why it cannot be run on them. */
async function reevaluate(
  { capabilityId }: JudgedAnswer,
  { rule, input, readings }: Evidence,
): Promise<Reevaluation | string> {
  const name = `${rule.id} ${rule.version}`;
  if (rule.id !== capabilityId) return `Judged by ${name}, the rule of another capability.`;
  const reevaluation = await findReevaluation(rule);
  if (!reevaluation) return `This client does not have the rule ${name}; a newer one may.`;
  try {
    return reevaluation(input, readings);
  } catch (error) {
    return `The recorded readings are not those ${name} judges: ${describe(error)}`;
  }
}

/** Proves the code hashes and slots that the rule relied on, from the block's hash through header and tries. */
function checkStateProofs(
  proofs: StateProofs | null,
  block: ArtifactBlock,
  facts: readonly ProvableAccount[],
): VerificationStep {
  const count = facts.reduce(
    (sum, { slots, codeHash }) => sum + slots.length + (codeHash === undefined ? 0 : 1),
    0,
  );
  if (proofs === null)
    return count === 0
      ? leaveOut("stateProofs", "the rule used nothing that a proof of state could show.")
      : leaveOut(
          "stateProofs",
          `no proofs are attached, as the limitations say; ${count} facts are taken from a node.`,
        );
  try {
    verifyFacts(openStateProofs(proofs, block.hash), facts);
    return pass("stateProofs", `${count} facts proven to the state root of block ${block.number}.`);
  } catch (error) {
    return fail("stateProofs", `Not proven: ${describe(error)}.`);
  }
}

const describe = (error: unknown) => (error instanceof Error ? error.message : String(error));
