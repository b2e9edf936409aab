import { EXAMPLE_WALLET, exampleClaim, publicationRequestSchema, publishedSchema } from "@assay/protocol";
import { publishFingerprint } from "../../market/publishFingerprint.js";
import { getPrices } from "../../quotes/priceBook.js";
import type { QuotesContext } from "../../quotes/quotesContext.js";
import { signedOperation } from "../openapi/signedOperation.js";
import { defineRoute } from "../route.js";
import { readSignedRequest } from "../signedRequest.js";

export const publish = defineRoute({
  operation: {
    id: "publishArtifact",
    path: "/api/v1/artifacts/publish",
    tag: "market",
    summary: "Publish a bytecode fingerprint that the wallet computed itself",
    description: "Free and signed. It is recomputed before it is accepted; a false one stays on the record.",
    ...signedOperation("artifact_publish", "the `address` as it is written in the body", [
      "fingerprint_fresh",
      "publication_burned",
    ]),
    body: {
      schema: publicationRequestSchema,
      example: {
        capabilityId: publicationRequestSchema.shape.capabilityId.value,
        wallet: EXAMPLE_WALLET,
        address: exampleClaim.address,
        bytecodeHash: "0xd80d4b7c890cb9d6a4893e6b52bc34b56b25335cb13716e0d1d31383e6b41505",
        bytecodeBytes: 1852,
        computedAtBlock: exampleClaim.fromBlock,
      },
    },
    answers: {
      201: { description: "Audited and accepted: the wallet is the seeder.", schema: publishedSchema },
    },
  },
  createHandler: (context: QuotesContext) => async (c) => {
    const { body, signed } = await readSignedRequest(context, c, {
      schema: publicationRequestSchema,
      action: "artifact_publish",
      resourceOf: ({ address }) => address,
      budget: "publish",
    });
    const prices = getPrices(context.prices, body.capabilityId);
    return c.json(await publishFingerprint(context, body, signed, prices), 201);
  },
});
