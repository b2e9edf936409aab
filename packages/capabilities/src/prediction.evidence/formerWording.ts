import { formerPageWording } from "../shared/page-text/formerPageWording.js";

/** Former sentences of this rule, and today's in their place (see `Rule.formerWording`). */
export const formerWording = {
  ...formerPageWording,
  "was looked at.": "was read.",
  "from which it cannot be told; the event that made the condition was not looked for.":
    "from which the oracle cannot be derived; the event that created the condition was not searched for.",
  "How the oracle comes to its report is what it says of itself: its code was not judged, and the contract it waits for is known by address alone.":
    "How the oracle decides is known only from its own answers: its code was not judged, and the contract it waits for is known by address alone.",
  "What the page says was not checked, nor whether it is kept to.":
    "Neither what the page says nor whether it is followed was checked.",
  "has come to its end.": "has ended.",
  "A plain account decides: whoever has its key reports what they like.":
    "A plain account decides: the holder of its key can report anything.",
  "How the oracle comes to its report is not known.": "How the oracle decides is not known.",
} as const;
