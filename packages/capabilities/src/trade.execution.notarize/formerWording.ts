import { formerSimulationWording } from "../shared/simulation/formerSimulationWording.js";

/** Former sentences of this rule, and today's in their place (see `Rule.formerWording`). */
export const formerWording = {
  ...formerSimulationWording,
  "Gains and losses are told of the transaction's sender":
    "Gains and losses are reported for the transaction's sender",
  "and of the recipient of a swap on a supported router;":
    "and for the recipient of a swap on a supported router;",
  "Gas and fees are as a node tells; a receipt commits to the gas of the block up to it alone.":
    "Gas and fees are as a node reports them; a receipt commits only to the gas of the block up to it.",
  "Swaps are told by the form of their events,": "Swaps are recognised by the form of their events,",
  "sender, target and value are as a node tells.": "sender, target and value are as a node reports them.",
  "'s signature is nobody's; its sender is as a node tells.":
    "'s signature has no signer; its sender is as a node reports it.",
  "what nodes tell of its block does not hash to the header":
    "what nodes report of its block does not hash to the header",
  "is as a node tells, not proven:": "is as a node reports it, not proven:",
  "No node told its safe or finalized block.": "No node reported its safe or finalized block.",
  "Of the guarded transaction nothing is told but that it is not this one.":
    "About the guarded transaction nothing is reported except that it is not this one.",
  "the rest is as events tell.": "the rest is as events report it.",
  "collections are as their events tell;": "collections are as their events report them;",
  "changed by another amount than events tell, and no other transaction of the block tells of it.":
    "changed by another amount than events report, and no other transaction of the block reports it.",
  "No standard transfer event tells of tokens that the sender gained or lost.":
    "No standard transfer event reports tokens that the sender gained or lost.",
  "Balances changed over the block as events tell.": "Balances changed over the block as events report.",
  "Balances changed over the block otherwise than events tell.":
    "Balances changed over the block otherwise than events report.",
  "The transaction, or its sender, is as a node tells and not proven to its block.":
    "The transaction, or its sender, is as a node reports it and not proven to its block.",
  "The receipt is as a node tells and not proven to its block.":
    "The receipt is as a node reports it and not proven to its block.",
  "What events tell of gains and losses is not confirmed by balances.":
    "What events report about gains and losses is not confirmed by balances.",
  "Whether the swap kept its limit could not be seen.": "Whether the swap kept its limit is not known.",
} as const;
