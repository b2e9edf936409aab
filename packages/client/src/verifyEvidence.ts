import {
  inputHashOf,
  type PortableEvidence,
  portableEvidenceSchema,
  statementOfReference,
} from "@assay/protocol";
import { checkStatement } from "./checkStatement.js";
import { findIssue } from "./readSaved.js";
import { fail, pass, type Verification, type VerificationStep } from "./verification.js";
import type { VerifyOptions } from "./verifyResult.js";

/**
 * Checks an evidence reference offline: that its input hashes to what it states, that its window begins at the block that
 * was read, and that the service signed its hashes, its block and its window. What the answer said is not in it.
 */
export async function verifyEvidence(
  value: unknown,
  { signer }: Pick<VerifyOptions, "signer"> = {},
): Promise<Verification> {
  const issue = findIssue(portableEvidenceSchema, value, "an evidence reference");
  if (issue) return { ok: false, steps: [fail("shape", issue)] };
  const reference = value as PortableEvidence;
  const { capabilityId, capabilityVersion, input, inputHash, block, validity, origin } = reference;
  const hash = inputHashOf(capabilityId, capabilityVersion, input);
  const { validFromBlock, validUntilBlock } = validity;
  const steps: VerificationStep[] = [
    pass("shape", `A reference to an answer of ${capabilityId} ${capabilityVersion}.`),
    hash === inputHash
      ? pass("inputHash", hash)
      : fail("inputHash", `It states ${inputHash}; its input hashes to ${hash}.`),
    validFromBlock === block.number && validUntilBlock >= validFromBlock
      ? pass("window", `From block ${validFromBlock} to ${validUntilBlock}.`)
      : fail("window", "The window does not begin at the block that was read."),
    await checkStatement(statementOfReference(reference), origin, signer),
  ];
  return { ok: steps.every(({ ok }) => ok), steps };
}
