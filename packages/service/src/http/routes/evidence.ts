import type { EvidenceSource } from "@assay/capabilities";
import { type CapabilityInput, findCapability, isArtifactLive } from "@assay/capabilities";
import {
  AssayError,
  artifactIdSchema,
  NETWORK,
  type PortableEvidence,
  receiverSchema,
  statementOfReference,
  usdFromMicro,
} from "@assay/protocol";
import type { Context } from "hono";
import { getEvidenceSource } from "../../evidence/evidenceReferences.js";
import type { CountReceiver } from "../../evidence/receiverSignals.js";
import type { EvidenceSigner } from "../../evidence/signer.js";
import { invokeCall } from "../../quotes/invokeCall.js";
import { getPrices } from "../../quotes/priceBook.js";
import type { QuotesContext } from "../../quotes/quotes.js";
import { clientAddress } from "../clientAddress.js";
import { parseFields, readQuery } from "../readInput.js";

export interface EvidenceContext extends QuotesContext {
  readonly signer: EvidenceSigner;
  readonly countReceiver: CountReceiver;
}

export const INSTALLATION = "X-Service-Evidence-Installation";
export const evidenceRequestSchema = receiverSchema.extend({ artifactId: artifactIdSchema });

/** GET /api/v1/evidence/{artifactId}: where a shared artifact came from. Served however old the head is. */
export async function evidence(context: EvidenceContext, c: Context): Promise<PortableEvidence> {
  const request = parseFields(evidenceRequestSchema, {
    artifactId: c.req.param("artifactId"),
    channel: readQuery(c).channel,
    [INSTALLATION]: c.req.header(INSTALLATION),
  });
  const source = await getEvidenceSource(context.database, request.artifactId);
  const installation = request[INSTALLATION];
  if (installation !== undefined && (await mayCount(context, c))) {
    const { artifactId, channel = "" } = request;
    await context.countReceiver({ artifactId, installation, channel });
  }
  return describe(context, source);
}

/** A count is worth less than a reference: whoever sends too many is answered and not counted. */
async function mayCount({ limits }: EvidenceContext, c: Context): Promise<boolean> {
  try {
    await limits.consume("evidenceReceiver", clientAddress(c));
    return true;
  } catch (error) {
    if (error instanceof AssayError && error.code === "rate_limited") return false;
    throw error;
  }
}

function describe(
  context: EvidenceContext,
  { artifact, resultHash, fieldPaths, ttlSeconds }: EvidenceSource,
): PortableEvidence {
  const { block, validUntilBlock } = artifact;
  const head = context.chain.findHead();
  const described = {
    artifactId: artifact.artifactId,
    capabilityId: artifact.capabilityId,
    capabilityVersion: artifact.capabilityVersion,
    network: NETWORK,
    input: artifact.input,
    inputHash: artifact.inputHash,
    resultHash,
    block,
    validity: {
      validFromBlock: block.number,
      validUntilBlock,
      ttlSeconds,
      isLive: head !== undefined && isArtifactLive(artifact, head.header.number, Date.now()),
    },
    fieldPaths: [...fieldPaths],
    recompute: describeRecomputation(context, artifact.capabilityId, artifact.input as CapabilityInput),
  } satisfies Omit<PortableEvidence, "origin">;
  const { signer, settings } = context;
  const signature = signer.sign(statementOfReference(described));
  return { ...described, origin: { service: settings.publicUrl, signer: signer.address, signature } };
}

function describeRecomputation(
  { settings, prices }: EvidenceContext,
  capabilityId: string,
  input: CapabilityInput,
): PortableEvidence["recompute"] {
  const capability = findCapability(capabilityId);
  if (!capability) return null;
  return {
    capabilityId: capability.id,
    ...invokeCall(settings.publicUrl, capability, input),
    listPriceUsdCeiling: usdFromMicro(getPrices(prices, capability.id).missMicroUsd),
    payment: "x402",
  };
}
