import { EXAMPLE_WALLET } from "@assay/protocol/exampleClaim";
import { defineCapability } from "../defineCapability.js";
import { baseAddresses } from "../shared/chain-facts/baseAddresses.js";
import { input } from "./input.js";

/** A payment of a cent in USDC (EIP-3009), as x402 asks for it. */
const payment = {
  types: {
    EIP712Domain: [
      { name: "name", type: "string" },
      { name: "version", type: "string" },
      { name: "chainId", type: "uint256" },
      { name: "verifyingContract", type: "address" },
    ],
    TransferWithAuthorization: [
      { name: "from", type: "address" },
      { name: "to", type: "address" },
      { name: "value", type: "uint256" },
      { name: "validAfter", type: "uint256" },
      { name: "validBefore", type: "uint256" },
      { name: "nonce", type: "bytes32" },
    ],
  },
  primaryType: "TransferWithAuthorization",
  domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: baseAddresses.usdc },
  message: {
    from: EXAMPLE_WALLET,
    to: "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
    value: "10000",
    validAfter: "0",
    validBefore: "1893456000",
    nonce: "0x0000000000000000000000000000000000000000000000000000000000000001",
  },
};

export const messageIntentGuard = defineCapability({
  id: "message.intent.guard",
  version: "1.0.0",
  status: "candidate",
  reuse: "private",
  ttlSeconds: 30,
  prices: { hitMicroUsd: 50_000n, partialMicroUsd: 50_000n, missMicroUsd: 50_000n },
  title: "What does this signature give away?",
  summary:
    "What a message lets whom do once it is signed, until when: permits, orders, payments, delegations, user operations, batches, sign-ins and blind hashes.",
  group: "sign",
  input,
  example: { signer: EXAMPLE_WALLET, typedData: JSON.stringify(payment) },
  method: "POST",
  loadRule: async () => (await import("./rule.js")).rule,
});
