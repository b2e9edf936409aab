import type { CapabilityResult } from "@assay/protocol";
import { findCapability } from "./capabilities.js";
import type { News } from "./shared/news/news.js";

export type { Change, Line, News, Section, Tone, WeighedReason } from "./shared/news/news.js";

/** What an answer says, in the order in which a person wants it: headline, what moves, who may take it, figures. */
export async function loadNews({
  capabilityId,
  verdict,
  result,
}: Pick<CapabilityResult, "capabilityId" | "verdict" | "result">): Promise<News> {
  const capability = findCapability(capabilityId);
  // An expired artifact's reasons are followed by those of the answer that was given instead.
  const { capabilityId: inner } = (result.refreshed ?? {}) as { readonly capabilityId?: unknown };
  const [{ readNews }, rule, innerRule, write] = await Promise.all([
    import("./shared/news/readNews.js"),
    capability?.loadRule(),
    typeof inner === "string" ? findCapability(inner)?.loadRule() : undefined,
    capability?.loadNews?.(),
  ]);
  return readNews({ verdict, result }, { ...innerRule?.reasons, ...rule?.reasons }, write);
}
