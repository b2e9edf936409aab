import type { CapabilityResult } from "@assay/protocol";
import { findCapability } from "./capabilities.js";
import type { News } from "./shared/news/news.js";
import type { Reasons } from "./shared/verdict/reasons.js";

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
  const { version } = (result.evidence.rule ?? {}) as { readonly version?: unknown };
  const isFormer = typeof version === "string" && version !== (rule?.ruleVersion ?? capability?.version);
  const former = isFormer ? await loadFormerReasons(capabilityId, version) : undefined;
  return readNews({ verdict, result }, { ...innerRule?.reasons, ...rule?.reasons, ...former }, write);
}

/** The reasons of the rule that judged it, with the weights of its time. Without them today's are the nearest there are. */
async function loadFormerReasons(id: string, version: string): Promise<Reasons | undefined> {
  try {
    const { findFormerRule } = await import("./formerRules.js");
    return (await findFormerRule(id, version))?.rule.reasons;
  } catch {
    return undefined;
  }
}
