import { defineReasons } from "../verdict/reasons.js";

/** Reasons about the page itself. */
export const pageReasons = defineReasons({
  allow: {
    PAGE_COMPILED:
      "The page was read, and what people see of its content is in the Markdown; nothing in it gives commands to a machine.",
    // What is not returned can mislead nobody, and the Markdown says where it ends.
    PAGE_TRUNCATED: "The page is longer than what is returned; the beginning of it is in the Markdown.",
  },
  review: {
    // Read, but not all of what people see, or something beside it.
    PAGE_EMPTY: "The page shows no text.",
    SCRIPT_ONLY_PAGE: "The page shows next to no text before its scripts run, and they were not run.",
    HIDDEN_EXAMPLE_OF_ORDER:
      "The page writes about commands to machines, and text that people are not shown holds one.",
    STYLE_NOT_UNDERSTOOD:
      "A style of the page that was not understood may hide text which counts here as visible.",
    PDF_TEXT_UNREAD:
      "Part of the PDF's text could not be read, because its fonts do not state which letters their shapes stand for.",
    TEXT_ADDRESSES_AGENT: "Text in plain sight gives commands to a machine that reads the page.",
  },
  block: {
    HIDDEN_TEXT_ADDRESSES_AGENT:
      "Text that people are not shown gives commands to a machine that reads the page.",
  },
});

/** The same with the reasons about a claim that is searched for in the page. */
export const pageAndClaimReasons = {
  ...pageReasons,
  ...defineReasons({
    allow: {
      CLAIM_SUPPORTED: "The page says the claim in the same words.",
    },
    review: {
      CLAIM_NOT_FOUND: "The page does not say the claim in the same words.",
      CLAIM_CONTRADICTED:
        "The page does not say the claim, and says nearly the same with another number or a negation.",
      CLAIM_PASSAGES_CONFLICT:
        "One passage says the claim, another nearly the same with another number or a negation.",
    },
  }),
};

export type PageCode = keyof typeof pageReasons;
export type PageOrClaimCode = keyof typeof pageAndClaimReasons;
