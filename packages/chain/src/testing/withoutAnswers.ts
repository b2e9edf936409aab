import { METHOD_UNSUPPORTED } from "../askReadings.js";
import type { Chain, ChainRead } from "../types.js";
import { alteredChain } from "./alteredChain.js";

/** A chain in front of the real one whose nodes do not answer some reads, now and later. */
export const withoutAnswers = (chain: Chain, matches: (read: ChainRead) => boolean): Chain =>
  alteredChain(chain, (read) =>
    matches(read) ? { status: "unanswered", reason: METHOD_UNSUPPORTED } : undefined,
  );
