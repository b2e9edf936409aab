import {
  capabilities,
  type DeprecatedName,
  dataInQuerySchema,
  type ListedCapability,
} from "@assay/capabilities";
import { capabilityResultSchema, type ErrorCode, EXAMPLE_WALLET } from "@assay/protocol";
import { getPrices, type PriceBook } from "../../../quotes/priceBook.js";
import { MAX_PAID_QUERY_DATA_CHARACTERS, walletQuerySchema } from "../../readInput.js";
import type { Operation, Price } from "../operation.js";
import { paymentFields, paymentProblems } from "../payment.js";

/** One for each capability, and one for each deprecated name. */
export function listInvokeOperations(prices: PriceBook): Operation[] {
  return [
    ...capabilities.map((capability) => describeInvoke(capability, prices, capability.id, capability.method)),
    ...capabilities.flatMap((capability) =>
      capability.deprecatedName ? [describeDeprecated(capability, capability.deprecatedName, prices)] : [],
    ),
  ];
}

const describeDeprecated = (
  capability: ListedCapability,
  { name, method }: DeprecatedName,
  prices: PriceBook,
): Operation => ({
  ...describeInvoke(capability, prices, name, method),
  summary: `Deprecated name of ${capability.id}`,
  deprecated: true,
});

export const invokeIdOf = (name: string): string =>
  `invoke${name
    .split(".")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("")}`;

function describeInvoke(
  capability: ListedCapability,
  prices: PriceBook,
  name: string,
  method: "GET" | "POST",
): Operation {
  const { id, input, example, asksForWallet } = capability;
  const inBody = method === "POST";
  const isOldName = name !== id;
  return {
    id: invokeIdOf(name),
    method: inBody ? "post" : "get",
    path: `/api/v1/capabilities/${name}/invoke`,
    tag: "capabilities",
    summary: `${id}: ${firstClause(capability.summary)}`,
    description: [
      capability.summary,
      capability.reuse === "shared"
        ? "The answer is shared evidence: asked again while it is fresh, it costs less."
        : "The answer is private to the payer: never cached, shared or resold.",
      `It holds for about ${capability.ttlSeconds} seconds, stated in blocks. Asked without any input, the route answers 402 with the highest price.`,
    ].join(" "),
    query: {
      ...(!inBody && input.shape),
      ...(isOldName && { data: dataInQuerySchema(MAX_PAID_QUERY_DATA_CHARACTERS) }),
      ...(asksForWallet && walletQuerySchema.shape),
      ...paymentFields.query,
    },
    headers: paymentFields.headers,
    examples: { ...example, wallet: EXAMPLE_WALLET },
    ...(inBody && { body: { schema: input, example } }),
    price: toPrice(capability, prices),
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
      ...problemsOf(capability),
      ...paymentProblems,
    ],
  };
}

/** Private answers are deleted after an hour, and the payment may come again. */
const problemsOf = ({ errors, reuse }: ListedCapability): readonly ErrorCode[] => [
  ...errors,
  ...(reuse === "private" ? (["answer_deleted"] as const) : []),
];

function toPrice({ id }: ListedCapability, prices: PriceBook): Price {
  const { hitMicroUsd, missMicroUsd } = getPrices(prices, id);
  return { leastMicroUsd: hitMicroUsd, mostMicroUsd: missMicroUsd };
}

const firstClause = (text: string) => text.split(/[:;.]/)[0] ?? text;
