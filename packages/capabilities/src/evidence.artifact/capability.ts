import { defineCapability } from "../defineCapability.js";
import { pageErrors } from "../shared/page-text/pageErrors.js";
import { input } from "./input.js";

export const evidenceArtifact = defineCapability({
  id: "evidence.artifact",
  version: "1.0.0",
  status: "active",
  reuse: "private",
  ttlSeconds: 60,
  prices: { hitMicroUsd: 10_000n, partialMicroUsd: 10_000n, missMicroUsd: 30_000n },
  title: "Where does this answer come from?",
  summary:
    "Where a shared artifact came from and how to recompute it; an expired one is recomputed in place.",
  group: "record",
  input,
  example: {
    artifactId: "sha256:ff60a32b6a8a79a32ba98bf92345f04500e3f206a92a670cc126cdd067468d72",
  },
  record: { kind: "artifact", field: "artifactId" },
  // An expired artifact is computed again, and may be one of a page.
  errors: ["private_artifact", "not_found", ...pageErrors],
  loadRule: async () => (await import("./rule.js")).rule,
  loadNews: async () => (await import("./news.js")).writeNews,
});
