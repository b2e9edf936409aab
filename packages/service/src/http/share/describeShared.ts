import { findCapability } from "@assay/capabilities";
import { loadNews } from "@assay/capabilities/loadNews";
import type { CapabilityResult, Verdict } from "@assay/protocol";

/** A shared answer in words, for people who have not opened it yet. */
export interface SharedWords {
  readonly verdict: Verdict;
  /** The question that was asked. */
  readonly question: string;
  readonly headline: string;
  /** When it was read: an answer holds for seconds, and a link for ever. */
  readonly readAt: string;
}

const MOST_CHARACTERS = 240;

export async function describeShared(answer: CapabilityResult): Promise<SharedWords> {
  const { capabilityId, verdict, result } = answer;
  const { headline, names } = await loadNews(answer);
  const name = (address: string) =>
    names.get(address.toLowerCase()) ?? `${address.slice(0, 6)}…${address.slice(-4)}`;
  const words = headline.replace(/0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g, name);
  const { timestamp } = result.evidence.block as { readonly timestamp?: number };
  const moment =
    timestamp === undefined
      ? ""
      : `, ${new Date(timestamp * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return {
    verdict,
    question: findCapability(capabilityId)?.title ?? capabilityId,
    headline: words.length > MOST_CHARACTERS ? `${words.slice(0, MOST_CHARACTERS - 1)}…` : words,
    readAt: `Read at block ${result.computedAtBlock}${moment}`,
  };
}
