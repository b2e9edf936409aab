import {
  asksForWallet,
  type CapabilitySpec,
  capabilityCatalog,
  capabilityInputs,
  capabilityResultSchema,
  dataInQuerySchema,
  type ErrorCode,
  EXAMPLE_WALLET,
  exampleInputs,
  getCapabilitySpec,
  TX_PREFLIGHT,
} from "@assay/protocol";
import { findCapability } from "../../../capabilities/registry.js";
import { getPrices, type PriceBook } from "../../../quotes/priceBook.js";
import { MAX_PAID_QUERY_DATA_CHARACTERS, walletQuerySchema } from "../../readInput.js";
import type { Operation, Price } from "../operation.js";
import { paymentFields, paymentProblems } from "../payment.js";

/** One for each capability that can be called, and one for the old name of one of them. */
export function listInvokeOperations(prices: PriceBook): Operation[] {
  const callable = capabilityCatalog.filter(({ id }) => findCapability(id));
  return [
    ...callable.map((spec) => describeInvoke(spec, prices, spec.id, spec.method)),
    {
      ...describeInvoke(getCapabilitySpec("transaction.intent.guard"), prices, TX_PREFLIGHT, "GET"),
      summary: "Deprecated name of transaction.intent.guard",
      deprecated: true,
    },
  ];
}

export const invokeIdOf = (name: string): string =>
  `invoke${name
    .split(".")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("")}`;

function describeInvoke(
  spec: CapabilitySpec,
  prices: PriceBook,
  name: string,
  method: "GET" | "POST",
): Operation {
  const { id } = spec;
  const inBody = method === "POST";
  const isOldName = name !== id;
  return {
    id: invokeIdOf(name),
    method: inBody ? "post" : "get",
    path: `/api/v1/capabilities/${name}/invoke`,
    tag: "capabilities",
    summary: `${id}: ${firstClause(spec.summary)}`,
    description: [
      spec.summary,
      spec.reuse === "shared"
        ? "The answer is shared evidence: asked again while it is fresh, it costs less."
        : "The answer is private to the payer: never cached, shared or resold.",
      `It holds for about ${spec.ttlSeconds} seconds, stated in blocks. Asked without any input, the route answers 402 with the highest price.`,
    ].join(" "),
    query: {
      ...(!inBody && capabilityInputs[id].shape),
      ...(isOldName && { data: dataInQuerySchema(MAX_PAID_QUERY_DATA_CHARACTERS) }),
      ...(asksForWallet(id) && walletQuerySchema.shape),
      ...paymentFields.query,
    },
    headers: paymentFields.headers,
    examples: { ...exampleInputs[id], wallet: EXAMPLE_WALLET },
    ...(inBody && { body: { schema: capabilityInputs[id], example: exampleInputs[id] } }),
    price: toPrice(spec, prices),
    answers: {
      200: {
        description: "The verdict, with everything needed to reach it again.",
        schema: capabilityResultSchema,
        headers: ["Cache-Control", "PAYMENT-RESPONSE"],
      },
    },
    ...(isOldName && { someHeaders: ["Deprecation", "Link"] as const }),
    problems: [
      "invalid_input",
      ...(inBody ? (["invalid_json", "body_too_large", "unsupported_media_type"] as const) : []),
      ...problemsOf(spec),
      ...paymentProblems,
    ],
  };
}

const pageProblems = [
  "web_target_forbidden",
  "web_page_unsupported",
  "web_page_unavailable",
  "overloaded",
  "shutting_down",
] as const;

/** What only some capabilities answer with. An expired artifact is computed anew, so evidence.artifact meets a page's too. */
function problemsOf({ id, reuse }: CapabilitySpec): readonly ErrorCode[] {
  const own: Partial<Record<CapabilitySpec["id"], readonly ErrorCode[]>> = {
    "evidence.artifact": ["private_artifact", "not_found", ...pageProblems],
    "obligation.verdict": ["not_found"],
    "web.compile": pageProblems,
    "prediction.evidence": pageProblems,
    "trade.execution.notarize": [
      "transaction_not_mined",
      "execution_too_large",
      "not_found",
      "foreign_invocation",
      "invocation_not_settled",
    ],
  };
  // Private answers are deleted after an hour, and the payment may come again.
  return [...(own[id] ?? []), ...(reuse === "private" ? (["answer_deleted"] as const) : [])];
}

function toPrice({ id }: CapabilitySpec, prices: PriceBook): Price {
  const { hitMicroUsd, missMicroUsd } = getPrices(prices, id);
  return { leastMicroUsd: hitMicroUsd, mostMicroUsd: missMicroUsd };
}

const firstClause = (text: string) => text.split(/[:;.]/)[0] ?? text;
