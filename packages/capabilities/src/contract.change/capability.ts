import { defineCapability } from "../defineCapability.js";
import { USDC } from "../shared/inputs/exampleAddresses.js";
import { input } from "./input.js";

export const contractChange = defineCapability({
  id: "contract.change",
  version: "1.0.0",
  status: "active",
  reuse: "shared",
  ttlSeconds: 10,
  prices: { hitMicroUsd: 10_000n, partialMicroUsd: 20_000n, missMicroUsd: 20_000n },
  title: "Has this contract changed?",
  summary:
    "What changed at an address since the last observation: code, implementation, admin, beacon, pause.",
  input,
  example: { address: USDC },
  longLivedPart: "fingerprint",
  leaves: "observation",
  loadRule: async () => (await import("./rule.js")).rule,
});
