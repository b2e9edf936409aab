import { type CapabilityInput, findLoss, type ListedCapability } from "@assay/capabilities";
import type { AnyPayment, CapabilityResult, Hex } from "@assay/protocol";
import { span } from "../base/tracing.js";
import { type Answer, answerCapability, OfferEndedError } from "../evidence/answer.js";
import { joinResult, writeRest } from "../evidence/cutResult.js";
import type { PublishedAnswer } from "../evidence/publishAnswers.js";
import { type CallTerms, findTargetTerms } from "../quotes/callTerms.js";
import { getPrices } from "../quotes/priceBook.js";
import { isPaidBy } from "../quotes/tariff.js";
import { buildCapabilityResult } from "./buildCapabilityResult.js";
import { packBody } from "./packedResponse.js";
import type { ReservedCall, Sale } from "./paidCall.js";
import { encodePayment } from "./paymentDigest.js";
import { sealOutcome } from "./sealedOutcome.js";
import { sealResponse } from "./sealedResponse.js";
import type { OwedAnswer } from "./storeAnswer.js";

/** A call of a capability: the answer is found or computed, and signed for the wallet that pays. */
export function capabilitySale(capability: ListedCapability, input: CapabilityInput): Sale {
  return {
    async compute(call, isOwed = false) {
      const { context, invocation } = call;
      const { quotedStatus } = invocation;
      const prices = getPrices(context.prices, capability.id);
      if (!isOwed) verifyPrice(call, capability.record && call.request.terms());
      const answer = await span("answer", { "assay.capability": capability.id }, async (add) => {
        const found = await answerCapability(context, capability, input, invocation.payer as Hex, {
          isPaidFor: (status) => isOwed || isPaidBy(prices, status, quotedStatus),
          // Otherwise a payer that delivers its payment itself would get new work for the price of a stored answer.
          takesEnded: isOwed && quotedStatus === "hit",
        });
        add({ "assay.cache": found.actualStatus });
        return found;
      });
      if (!isOwed) verifyPrice(call, await findTargetTerms(context, capability, input));
      return () => writeAnswer(call, capability, input, answer);
    },
  };
}

/** The price of a call about a record follows the record: as it was when the request came, and again after the work. */
function verifyPrice({ invocation }: ReservedCall<AnyPayment>, terms: CallTerms | null | undefined): void {
  if (terms && terms.listPriceMicroUsd > invocation.listPriceMicroUsd)
    throw new OfferEndedError("the price has risen with its record");
}

async function writeAnswer(
  call: ReservedCall<AnyPayment>,
  capability: ListedCapability,
  input: CapabilityInput,
  answer: Answer,
): Promise<OwedAnswer> {
  const result = await buildCapabilityResult(call, capability, input, answer);
  call.context.metrics.verdicts.inc({ capability: capability.id, verdict: result.verdict });
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
  const { sold } = answer;
  const rest = sold && writeRest({ ...result });
  const body = sold ? joinResult(rest as string, sold.resultText) : JSON.stringify(result);
  return {
    actualStatus: answer.actualStatus,
    resultHash: result.evidenceReference.resultHash,
    artifactId: result.evidenceReference.artifactId,
    body,
    sealedBody: capability.reuse === "private" ? seal(call, body) : null,
    sealedOutcome: capability.reuse === "private" ? sealOf(call, result) : null,
    packedBody: rest !== null && sold?.firstRest !== undefined ? packBody(rest, sold.firstRest) : null,
    effects,
  };
}

function seal({ context, payment, invocation }: ReservedCall<AnyPayment>, body: string): Buffer {
  const { answerSecret } = context.settings;
  return sealResponse(answerSecret, encodePayment(payment), invocation.invocationId, Buffer.from(body));
}

function sealOf(
  { context, invocation }: ReservedCall<AnyPayment>,
  { verdict, result }: CapabilityResult,
): Buffer {
  const { answerSecret } = context.settings;
  const { payer, invocationId } = invocation;
  const loss = verdict === "block" ? findLoss(result.evidence) : null;
  return sealOutcome(answerSecret, { wallet: payer, invocationId }, { verdict, loss });
}
