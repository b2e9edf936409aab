import {
  type CapabilityInput,
  type EvidenceSource,
  findCapability,
  isArtifactLive,
} from "@assay/capabilities";
import {
  AssayError,
  artifactIdSchema,
  NETWORK,
  type PortableEvidence,
  portableEvidenceSchema,
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
import type { QuotesContext } from "../../quotes/quotesContext.js";
import { clientAddress } from "../clientAddress.js";
import { EXAMPLE_ARTIFACT } from "../openapi/exampleIds.js";
import { parseFields, readQuery } from "../readInput.js";
import { defineRoute } from "../route.js";

export interface EvidenceContext extends QuotesContext {
  readonly signer: EvidenceSigner;
  readonly countReceiver: CountReceiver;
}

const INSTALLATION = "X-Service-Evidence-Installation";
const requestSchema = receiverSchema.extend({ artifactId: artifactIdSchema });
const fields = requestSchema.shape;

/** Where a shared artifact came from. Served however old the head is. */
export const evidence = defineRoute({
  operation: {
    id: "getEvidence",
    method: "get",
    path: "/api/v1/evidence/{artifactId}",
    tag: "receipts",
    summary: "Where a shared answer came from, without payer or output",
    description:
      "A signed reference that a receiver can check and recompute. Artifacts of private answers are refused.",
    pathFields: { artifactId: fields.artifactId },
    query: {
      channel: fields.channel.describe("where the reference was received; counted, not kept with a wallet"),
    },
    headers: {
      [INSTALLATION]: fields[INSTALLATION].describe(
        "stable opaque id of the receiver's installation; never a wallet",
      ),
    },
    examples: { artifactId: EXAMPLE_ARTIFACT, channel: "agent-mail" },
    noStore: true,
    answers: {
      200: {
        description: "Origin, validity and the exact normalized input.",
        schema: portableEvidenceSchema,
      },
    },
    problems: [
      "invalid_input",
      "private_artifact",
      "not_found",
      "rate_limited",
      "database_unavailable",
      "signer_unavailable",
    ],
  },
  budget: "read",
  createHandler: (context: EvidenceContext) => async (c) => {
    const request = parseFields(requestSchema, {
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
    return c.json(await describe(context, source));
  },
});

/** A count is worth less than a reference: a caller that sends too many is answered and not counted. */
async function mayCount({ limits }: EvidenceContext, c: Context): Promise<boolean> {
  try {
    await limits.consume("evidenceReceiver", clientAddress(c));
    return true;
  } catch (error) {
    if (error instanceof AssayError && error.code === "rate_limited") return false;
    throw error;
  }
}

async function describe(
  context: EvidenceContext,
  { artifact, resultHash, fieldPaths, ttlSeconds }: EvidenceSource,
): Promise<PortableEvidence> {
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
  const signature = await signer.sign(statementOfReference(described));
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
