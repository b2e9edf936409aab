import { defineCapability } from "../defineCapability.js";
import { input } from "./input.js";

/** The smallest capability: a template for new ones and the subject of a test. It is not in the list and not for sale. */
export const exampleEcho = defineCapability({
  id: "example.echo",
  version: "1.0.0",
  status: "candidate",
  reuse: "shared",
  ttlSeconds: 4,
  prices: { hitMicroUsd: 2_000n, partialMicroUsd: 5_000n, missMicroUsd: 5_000n },
  title: "What did I say, and at which block?",
  summary: "Echoes a short text with the number of the block it was read at.",
  group: "world",
  input,
  example: { text: "Hello, Base" },
  loadRule: async () => (await import("./rule.js")).rule,
});
