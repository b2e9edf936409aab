/** Former sentences of this rule, and today's in their place (see `Rule.formerWording`). */
export const formerWording = {
  "two of them answered alike.": "two of them gave the same answer.",
  "not that anybody would have made it fail.": "not that anyone would have made it fail.",
  "Events point to more blocks than were looked at; not looked at:":
    "Events point to more blocks than were read; not read:",
  "which the state at the end of that block does not bear out.":
    "which the state at the end of that block does not confirm.",
  "The chain has what the obligation says, wherever it was looked at.":
    "The chain has what the obligation says, at every block that was read.",
  "Not everything that events could tell about the window was read.":
    "Not all events of the window were read.",
  "An event tells of other code than the state has at the end of its block.":
    "An event names other code than the state has at the end of its block.",
  "and the chain now bears it out at the block of that challenge.":
    "and at the block of that challenge the chain now has what the obligation says.",
} as const;
