import { formerSimulationWording } from "../shared/simulation/formerSimulationWording.js";
import { formerSwapWording } from "../shared/swaps/formerSwapWording.js";

/** Former sentences of this rule, and today's in their place (see `Rule.formerWording`). */
export const formerWording = {
  ...formerSwapWording,
  ...formerSimulationWording,
  "are not part of the input and were not looked at.": "are not part of the input and were not checked.",
  "only whether the plain call ends alike and needs as much gas was compared.":
    "only whether the plain call ends the same way and needs as much gas was compared.",
  "do not end alike": "end differently",
  "and which code would look at it is not wholly known.":
    "and it is not fully known which code would read it.",
  "may look at it.": "may read it.",
  "A transfer without calldata runs whatever the receiving contract does on receipt.":
    "A transfer without calldata runs the code of the receiving contract.",
  "or acts beyond 200 were not looked at.": "or acts beyond 200 were not checked.",
  "A transfer moves what belongs to somebody who takes no part in the transaction.":
    "A transfer moves assets of an account that takes no part in the transaction.",
  "Somebody gets a permission of which the calldata says nothing.":
    "An account gets a permission that the calldata does not mention.",
} as const;
