import type { Chain, ChainRead } from "../types.js";
import { alteredChain } from "./alteredChain.js";

/** A chain in front of the real one that gets no answer to some reads. */
export const withoutAnswers = (chain: Chain, matches: (read: ChainRead) => boolean): Chain =>
  alteredChain(chain, (read) => (matches(read) ? { status: "unanswered", reason: "timeout" } : undefined));
