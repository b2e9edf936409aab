import fc from "fast-check";

const commandKinds = [
  // Agents: a call is begun, with or without credit; its payment settles or charges nothing.
  "call",
  "creditedCall",
  "settle",
  "fail",
  "outcome",
  "pledge",
  "publish",
  // Trouble: an existing entry is written again.
  "repeatEntry",
  // The world: a seed grows old, code changes, a day ends. Before a round, because nothing races with the clock.
  "expireSeed",
  "changeCode",
  "endDay",
] as const;
type CommandKind = (typeof commandKinds)[number];

/** One step. Its numbers choose among what there is when it runs, so any part of a history is one as well. */
export interface LedgerCommand {
  readonly kind: CommandKind;
  readonly wallet: number;
  /** Which input, call or entry. */
  readonly target: number;
  readonly amount: number;
  readonly detail: number;
  /** The transaction aborts before its statement of this number, or before its commit; 0 lets it run. */
  readonly crashAt: number;
}

/** How many of ten thousand commands are of each kind. */
const SHARES: Record<CommandKind, number> = {
  call: 3_600,
  creditedCall: 700,
  settle: 3_800,
  fail: 250,
  outcome: 900,
  pledge: 150,
  publish: 200,
  repeatEntry: 330,
  expireSeed: 50,
  changeCode: 15,
  endDay: 5,
};

const CRASHES_IN_A_THOUSAND = 15;

const crashAt = fc.oneof(
  { weight: 1_000 - CRASHES_IN_A_THOUSAND, arbitrary: fc.constant(0) },
  { weight: CRASHES_IN_A_THOUSAND, arbitrary: fc.integer({ min: 1, max: 14 }) },
);

const command = fc.record<LedgerCommand>({
  kind: fc.oneof(...commandKinds.map((kind) => ({ weight: SHARES[kind], arbitrary: fc.constant(kind) }))),
  wallet: fc.nat(1_000_000),
  target: fc.nat(1_000_000),
  amount: fc.nat(1_000_000),
  detail: fc.nat(1_000_000),
  crashAt,
});

/** Histories of at most `maxLength` commands. With `noShrink`, shrinking leaves out whole commands and changes none. */
export const ledgerHistory = (maxLength: number): fc.Arbitrary<LedgerCommand[]> =>
  fc.array(fc.noShrink(command), { minLength: 1, maxLength, size: "max" });
