import { defineCapability } from "../defineCapability.js";
import { baseAddresses } from "../shared/chain-facts/baseAddresses.js";
import { input } from "./input.js";

/** The native currency as a pool names it, and no hooks. Written out: importing viem would slow the start of `assay`. */
const NATIVE = "0x0000000000000000000000000000000000000000";

export const ammV4HookGuard = defineCapability({
  id: "amm.v4.hook.guard",
  version: "1.0.0",
  status: "candidate",
  reuse: "shared",
  ttlSeconds: 60,
  prices: { hitMicroUsd: 150_000n, partialMicroUsd: 150_000n, missMicroUsd: 540_000n },
  title: "What does this pool hook do to a trade?",
  summary: "What a v4 pool's hook may do, and what a simulated round trip through it costs.",
  group: "sign",
  refusesInput: true,
  input,
  example: {
    poolManager: "0x498581fF718922c3f8e6A244956aF099B2652b2b",
    currency0: NATIVE,
    currency1: baseAddresses.usdc,
    fee: 500,
    tickSpacing: 10,
    hooks: NATIVE,
  },
  loadRule: async () => (await import("./rule.js")).rule,
  loadNews: async () => (await import("./news.js")).writeNews,
});
