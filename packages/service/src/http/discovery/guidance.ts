import { NETWORK } from "@assay/protocol";

/** How to use the service, for agents that act on its answers. Short enough to precede any task. */
export const guidance = (
  publicUrl: string,
): string => `Assay judges contracts, tokens, swaps and unsigned transactions on Base (${NETWORK}) before you sign. Ask it before you approve, swap, send or lend.

How to buy: call a capability's invoke route. It answers 402 with the price in the PAYMENT-REQUIRED header and in the body. Sign one of \`accepts\` (x402 version 2, scheme exact, USDC by EIP-3009) and send the same request again with the payment in PAYMENT-SIGNATURE. There are no accounts or keys. GET ${publicUrl}/api/v1/quotes gives a price for your wallet for at most one minute, lowered by your credits.

How to read the answer: act on \`verdict\` "allow" only. "review" says what is unknown or unusual, "block" what is wrong; \`result.reasonCodes\` and \`result.limitations\` say why. What could not be read is "review", never "allow". The answer holds until block \`result.validUntilBlock\`; \`nextCall\` says how to ask again.

When something goes wrong: 400 names the field and the rule, before you pay. 503 after a payment: wait for Retry-After and send the same payment again; never sign a new one. 402 after a payment: that request charged nothing, \`error\` says why.

How to check: every answer carries its readings, state proofs and a signature; the receipt carries a place in a transparency log. \`verifyResult\` of @assay/client, and its command \`assay verify\`, check all of it offline against the keys in ${publicUrl}/.well-known/assay.json.`;
