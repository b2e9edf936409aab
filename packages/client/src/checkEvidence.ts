import {
  inputHashOf,
  type PortableEvidence,
  portableEvidenceSchema,
  statementOfReference,
} from "@assay/protocol";
import type { VerifyOptions } from "./checkResult.js";
import { checkStatement } from "./checkStatement.js";
import { findIssue } from "./readSaved.js";
import { fail, pass, toVerification, type Verification } from "./verification.js";

/**
 * Checks an evidence reference offline: that its input hashes to what it states, that its window begins at the block that
 * was read, and that the service signed its hashes, its block and its window. It does not contain the answer.
 */
export async function checkEvidence(
  value: unknown,
  { signer }: Pick<VerifyOptions, "signer"> = {},
): Promise<Verification> {
  const issue = findIssue(portableEvidenceSchema, value, "an evidence reference");
  if (issue) return toVerification([fail("shape", issue)]);
  const reference = value as PortableEvidence;
  const { capabilityId, capabilityVersion, input, inputHash, block, validity, origin } = reference;
  const hash = inputHashOf(capabilityId, capabilityVersion, input);
  const { validFromBlock, validUntilBlock } = validity;
  return toVerification([
    pass("shape", `A reference to an answer of ${capabilityId} ${capabilityVersion}.`),
    hash === inputHash
      ? pass("inputHash", hash)
      : fail("inputHash", `It states ${inputHash}; its input hashes to ${hash}.`),
    validFromBlock === block.number && validUntilBlock >= validFromBlock
      ? pass("window", `From block ${validFromBlock} to ${validUntilBlock}.`)
      : fail("window", "The window does not begin at the block that was read."),
    await checkStatement(statementOfReference(reference), origin, signer),
  ]);
}
