import { bytesSchema } from "@assay/protocol";
import { z } from "zod";

/** What the outcome of a trade depends on, besides what the parties have and allowed. */
export const tradeDoubts = [
  /** The answer of another contract to a question that no market needs. */
  "other_contract",
  /** What another account has of the chain's currency. */
  "native_balance",
  /** The length of the call, or what follows its arguments. */
  "call_length",
  /** What others have of the token, have allowed, or its supply. */
  "own_balances",
  /** What trades before it wrote. */
  "history",
  /** The time, in a way that cannot be worked out. */
  "time",
  /** Storage whose place depends on what the trade is. */
  "unknown_storage",
  /** What the balance was before the other party's was written. */
  "stale_balance",
  /** Something that a function lets accounts write which cannot be named. */
  "open_setting",
] as const;
export type TradeDoubt = (typeof tradeDoubts)[number];

/** Why what a key can write does not decide about a trade. */
export const settingProofs = [
  "constant",
  "bounded",
  "direction",
  "listed",
  "account",
  "holding",
  "none",
] as const;

/** Stands for a condition on the roles that accounts were granted, as events tell. */
export const ROLES = "roles";

export const tradeReadingSchema = z.strictObject({
  /** False where a function of a trade has more paths than were followed. */
  isComplete: z.boolean(),
  doubts: z
    .array(z.strictObject({ on: z.enum(tradeDoubts), function: bytesSchema, place: z.string().max(80) }))
    .max(32),
  /** What accounts can write that a trade reads. */
  settings: z
    .array(
      z.strictObject({
        function: bytesSchema,
        place: z.string().max(80),
        /** Conditions on the caller, of which all are met: a slot, an account, a list, or a role. */
        guards: z.array(z.string().max(80)).max(4),
        proof: z.enum(settingProofs),
      }),
    )
    .max(64),
  /**
   * Functions besides those of a trade of which every way was followed, and that write nothing a trade reads but what accounts have
   * and allow, none of it made or taken without consent. Left out in older answers.
   */
  harmless: z.array(bytesSchema).max(64).optional(),
  /** Seconds from the block on after which a condition of a sale has another outcome. */
  changes: z.array(z.int().min(0)).max(64),
  /** Whether the number of the block does so more than once. */
  countsBlocks: z.boolean(),
});
export type TradeReading = z.output<typeof tradeReadingSchema>;
