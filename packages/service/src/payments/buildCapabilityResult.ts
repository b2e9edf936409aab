import {
  type CapabilityInput,
  findCapability,
  highestPrice,
  type ListedCapability,
} from "@assay/capabilities";
import {
  type AnyPayment,
  type CapabilityResult,
  type NextCall,
  resultHashOf,
  usdFromMicro,
  WATCH_NOTE,
} from "@assay/protocol";
import type { Answer } from "../evidence/answer.js";
import { invokeCall } from "../quotes/invokeCall.js";
import type { ReservedCall } from "./paidCall.js";
import type { PaymentsContext } from "./paymentsContext.js";

/** Builds the decision contract a payment buys. */
export async function buildCapabilityResult(
  { context, invocation }: ReservedCall<AnyPayment>,
  capability: ListedCapability,
  input: CapabilityInput,
  answer: Answer,
): Promise<CapabilityResult> {
  const { artifact } = answer;
  const resultHash = answer.sold?.resultHash ?? resultHashOf(artifact.verdict, artifact.result);
  const signature = await context.signer.sign({
    capabilityId: capability.id,
    capabilityVersion: capability.version,
    invocationId: invocation.invocationId,
    inputHash: artifact.inputHash,
    resultHash,
    artifactId: artifact.artifactId,
    blockHash: artifact.block.hash,
    computedAtBlock: artifact.block.number,
    validUntilBlock: artifact.validUntilBlock,
  });
  return {
    capabilityId: capability.id,
    capabilityVersion: capability.version,
    invocationId: invocation.invocationId,
    verdict: artifact.verdict,
    result: artifact.result,
    pricing: {
      quotedCacheStatus: invocation.quotedStatus,
      actualCacheStatus: answer.actualStatus,
      listPriceUsd: usdFromMicro(invocation.listPriceMicroUsd),
      creditAppliedUsd: usdFromMicro(invocation.creditMicroUsd),
      pricePaidUsd: usdFromMicro(invocation.priceMicroUsd),
    },
    receiptUrl: `${context.settings.publicUrl}/api/v1/receipts/${invocation.invocationId}`,
    nextCall: buildNextCall(context, capability, input, invocation.payer, answer),
    evidenceReference: {
      artifactId: artifact.artifactId,
      shareable: capability.reuse === "shared",
      url: `${context.settings.publicUrl}/api/v1/evidence/${artifact.artifactId}`,
      inputHash: artifact.inputHash,
      resultHash,
      blockHash: artifact.block.hash,
      signer: context.signer.address,
      signature,
    },
  };
}

/** When the answer ends, and how to ask again. */
function buildNextCall(
  context: PaymentsContext,
  capability: ListedCapability,
  input: CapabilityInput,
  payer: string,
  { artifact }: Answer,
): NextCall {
  const watcher = capability.watchedBy === null ? undefined : findCapability(capability.watchedBy);
  const { publicUrl } = context.settings;
  const headBlock = context.chain.findHead()?.header.number ?? artifact.block.number;
  const blocksLeft = Math.max(0, artifact.validUntilBlock - Math.max(headBlock, artifact.block.number));
  return {
    validUntilBlock: artifact.validUntilBlock,
    validForSeconds: Math.floor((blocksLeft * context.chain.blockTimeMs()) / 1000),
    recheck: {
      capabilityId: capability.id,
      ...invokeCall(publicUrl, capability, input, payer),
      notBeforeBlock: artifact.validUntilBlock + 1,
      listPriceUsdCeiling: usdFromMicro(highestPrice(capability, context.prices)),
      payment: "x402",
    },
    watch: watcher ? describeWatch(publicUrl, watcher, input) : null,
  };
}

function describeWatch(
  publicUrl: string,
  watcher: ListedCapability,
  input: CapabilityInput,
): NextCall["watch"] {
  // Only the contract that a transaction calls is watched; the rest of the transaction stays private.
  const address = "address" in input ? input.address : "to" in input ? input.to : undefined;
  if (address === undefined) return null;
  return {
    capabilityId: watcher.id,
    ...invokeCall(publicUrl, watcher, { address }),
    note: WATCH_NOTE,
  };
}
