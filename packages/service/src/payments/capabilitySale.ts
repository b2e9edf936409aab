import type { CapabilityInput } from "@assay/capabilities";
import type { ServedCapability } from "@assay/capabilities/served";
import type { Hex, PaymentPayload } from "@assay/protocol";
import { type Answer, answerCapability } from "../evidence/answer.js";
import type { PublishedAnswer } from "../evidence/publishAnswer.js";
import { buildCapabilityResult, type ResponseContext } from "./capabilityResponse.js";
import type { ComputedAnswer, Invocation } from "./invocations.js";
import { sealResponse } from "./sealedResponse.js";
import type { Sale } from "./serveReserved.js";

/** A call of a capability: the answer is found or computed, and signed for whoever pays. */
export function capabilitySale(
  context: ResponseContext,
  capability: ServedCapability,
  input: CapabilityInput,
): Sale {
  return {
    async compute({ payer }) {
      const answer = await answerCapability(context, capability, input, payer as Hex);
      return (invocation, payment) => writeAnswer(context, capability, input, payment, invocation, answer);
    },
  };
}

async function writeAnswer(
  context: ResponseContext,
  capability: ServedCapability,
  input: CapabilityInput,
  payment: PaymentPayload,
  invocation: Invocation,
  answer: Answer,
): Promise<ComputedAnswer> {
  const result = await buildCapabilityResult(context, capability, input, invocation, answer);
  const { result: _inBody, ...artifact } = answer.artifact;
  const isPublished = answer.gathered !== null && capability.reuse === "shared";
  const effects: PublishedAnswer | null = isPublished
    ? {
        artifact,
        fingerprint: answer.gathered?.fingerprint ?? null,
        observation: answer.gathered?.observation ?? null,
        ...(answer.gathered?.scans && { scans: answer.gathered.scans }),
      }
    : null;
  const body = JSON.stringify(result);
  const { answerSecret } = context.settings;
  const isPrivate = capability.reuse === "private";
  return {
    actualStatus: answer.actualStatus,
    resultHash: result.evidenceReference.resultHash,
    artifactId: result.evidenceReference.artifactId,
    body,
    sealedBody: isPrivate
      ? sealResponse(answerSecret, payment.payload.signature, invocation.invocationId, Buffer.from(body))
      : null,
    effects,
  };
}
