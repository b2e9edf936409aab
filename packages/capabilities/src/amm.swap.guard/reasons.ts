import { codeSentences } from "../shared/code/sentences.js";
import { simulationSentences } from "../shared/simulation/sentences.js";
import type { SwapCode } from "../shared/swaps/reasons.js";
import { swapReasons } from "../shared/swaps/reasons.js";
import { defineReasons, type Reasons } from "../shared/verdict/reasons.js";
import type { BoughtCode } from "./judgeBought.js";
import type { ExecutionCode } from "./judgeExecution.js";
import type { PartyCode } from "./judgeParties.js";

export type CodeCode = "CODE_UNREAD" | "ROUTER_HAS_NO_CODE" | "TOKEN_HAS_NO_CODE";
export type SwapGuardCode = CodeCode | SwapCode | ExecutionCode | BoughtCode | PartyCode;

/**
 * What each reason means for the verdict; the most severe one decides. `allow` therefore needs the swap simulated with a limit
 * near its result, the output going to the sender, who can sell it again, and every reading answered.
 */
export const swapGuardReasons: Reasons<SwapGuardCode> = {
  ...swapReasons,
  ...defineReasons({
    allow: {
      HOOK_KNOWN: "A pool on the way runs a published hook.",
      PORTION_SMALL:
        "At most a hundredth of what goes in or comes out goes to another account, as exchanges charge.",
      BOUGHT_TOKEN_SOUND:
        "The token that is bought was judged as token.launch.guard judges it, and is sound.",
    },
    review: {
      HOOK_UNKNOWN: "A pool on the way runs a hook that is not a published one.",
      PORTION_LARGE: "More than a hundredth of what goes in or comes out goes to another account.",
      BOUGHT_TOKEN_DOUBTFUL: "The token that is bought is one that token.launch.guard would have reviewed.",
      CODE_UNREAD: codeSentences.CODE_UNREAD,
    },
    block: {
      PORTION_EXCESSIVE: "More than a twentieth of what goes in or comes out goes to another account.",
      BOUGHT_TOKEN_TRAPS: "The token that is bought is one that token.launch.guard would block.",
      // It would fail now.
      SWAP_REVERTS: "The swap would fail now.",
      ALLOWANCE_TOO_LOW: "The sender has not allowed the router to take what the swap needs.",
      BALANCE_TOO_LOW: "The sender does not hold what the swap needs.",
      GAS_ABOVE_CAP: simulationSentences.GAS_ABOVE_CAP,
      ROUTER_HAS_NO_CODE: simulationSentences.ROUTER_HAS_NO_CODE,
      TOKEN_HAS_NO_CODE: simulationSentences.TOKEN_HAS_NO_CODE,
    },
  }),
};
