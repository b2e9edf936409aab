import type { ChannelConfig } from "@assay/protocol";
import type { InvocationRow } from "../../src/payments/invocations.js";
import { createTable } from "./rowStore.js";

/** Columns that the code under test reads or that a constraint needs. */
export type CallRow = InvocationRow & {
  network: string;
  offer_key: string | null;
  computed_at: Date | null;
};

export interface ResponseRow {
  invocation_id: string;
  body: Buffer | null;
  packed_body: Buffer | null;
  is_sealed: boolean;
  effects: unknown;
  packed_payment_response: Buffer | null;
}

export interface UnfinalRow {
  invocation_id: string;
  valid_after: string;
  signature: string;
  next_check: Date;
}

export interface QuoteRow {
  quote_id: string;
  capability_id: string;
  wallet: string;
  input_hash: string;
  cache_status: string;
  list_price_micro_usd: bigint;
  credit_micro_usd: bigint;
  price_micro_usd: bigint;
  requirements: unknown;
  expires_at: Date;
  invocation_id: string | null;
}

export interface BalanceRow {
  account: string;
  balance_micro_usd: bigint;
}

export interface EntryRow {
  entry_id: bigint;
  cause: string;
  debit_account: string;
  credit_account: string;
  amount_micro_usd: bigint;
  salt: string;
}

export interface ChannelTableRow {
  channel_no: bigint;
  channel_id: string;
  config: ChannelConfig;
  charged: bigint;
  voucher_signature: Buffer | null;
  balance: bigint;
  claimed: bigint;
  withdrawing: bigint;
  withdraw_requested_at: bigint;
  refund_nonce: bigint;
  refunding: bigint;
  unfinal_deposit: unknown;
  deposited_at: Date | null;
  busy_by: string | null;
  busy_until: Date | null;
  charged_at: Date | null;
  unclaimed_since: Date | null;
  checked_at: Date;
}

export interface ClaimRow {
  channel_no: bigint;
  claimed: bigint;
  transaction_hash: string | null;
  claimed_at: Date;
  is_final: boolean;
}

export interface StatsRow {
  capability_id: string;
  settled: bigint;
  failed: bigint;
  paid_micro_usd: bigint;
  credit_micro_usd: bigint;
}

export interface LeafRow {
  leaf_index: bigint;
  kind: string;
  leaf: Buffer;
}

export const isOpen = ({ state }: Pick<CallRow, "state">) =>
  state === "reserved" || state === "settling" || state === "unknown";
export const isLive = ({ state }: Pick<CallRow, "state">) => state !== "void" && state !== "failed";
export const authorizationOf = (row: Pick<CallRow, "network" | "asset" | "payer" | "authorization_nonce">) =>
  `${row.network} ${row.asset} ${row.payer} ${row.authorization_nonce}`;

/** What statements find calls by, and the partial unique indexes. */
const callIndexes = {
  authorization: authorizationOf,
  open: (row: CallRow) => (isOpen(row) ? "open" : undefined),
  openOfPayer: (row: CallRow) => (isOpen(row) ? row.payer : undefined),
  settledOfPayer: (row: CallRow) => (row.state === "settled" ? row.payer : undefined),
  offer: (row: CallRow) => (row.offer_key !== null && isLive(row) ? row.offer_key : undefined),
  identifier: (row: CallRow) =>
    row.payment_identifier !== null && isLive(row) ? `${row.payer} ${row.payment_identifier}` : undefined,
};

/** The tables of payments, credit, channels and the log. What the market keeps is not here; see the notes of `runSimulate.ts`. */
export function createTables() {
  const tables = {
    invocations: createTable("invocations", callIndexes),
    responses: createTable<ResponseRow>("responses"),
    unfinal: createTable<UnfinalRow>("unfinal_settlements"),
    quotes: createTable<QuoteRow>("quotes"),
    balances: createTable("credit_balances", { account: ({ account }: BalanceRow) => account }),
    entries: createTable("credit_entries", { cause: ({ cause }: EntryRow) => cause }),
    channels: createTable("channels", { id: ({ channel_id }: ChannelTableRow) => channel_id }),
    claims: createTable("channel_claims", {
      place: ({ channel_no, claimed }: ClaimRow) => `${channel_no} ${claimed}`,
    }),
    work: createTable<{ leased_until: Date; swept_at: Date }>("channel_work"),
    stats: createTable<StatsRow>("stats_days"),
    head: createTable<{ size: bigint }>("log_head"),
    leaves: createTable<LeafRow>("log_leaves"),
    /** Calls that were found paid after they had been called failed. */
    reopened: new Set<string>(),
    /** Sequences give each number once, whatever becomes of the transaction. */
    sequences: { entry: 0n, channel: 0n },
  };
  return tables;
}
export type Tables = ReturnType<typeof createTables>;
