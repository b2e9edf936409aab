import { defineRule } from "../defineRule.js";
import { evaluateHookGuard } from "./evaluate.js";
import { listHookGuardFacts } from "./facts.js";
import { hookGuardReadingsSchema } from "./readings.js";
import { hookGuardReasons } from "./reasons.js";

export const rule = defineRule({
  ruleVersion: "2.0.0",
  readings: hookGuardReadingsSchema,
  reasons: hookGuardReasons,
  evaluate: evaluateHookGuard,
  listFacts: listHookGuardFacts,
  formerWording: {
    "Swaps of a stranger go otherwise than those of a well-known router.":
      "Swaps of a stranger end differently from those of a well-known router.",
    "Who swaps in the pool cannot swap back.": "An account that swaps in the pool cannot swap back.",
    "The hook's code depends on nothing but the swap it is asked about, and so may treat another size or direction otherwise.":
      "The hook's code depends on the swap alone, and may treat another size or direction differently.",
    "The hook's code depends on more than what it is asked about, so it can do otherwise at another time.":
      "The hook's code depends on more than the swap, so it can behave differently at another time.",
    "Whoever can create a contract at the hook's address decides what the hook will do.":
      "Anyone who can create a contract at the hook's address decides what the hook will do.",
    "its code can tell other sizes, directions and exact outputs from the swaps simulated.":
      "its code can distinguish other sizes, directions and exact outputs from the swaps simulated.",
  },
});
