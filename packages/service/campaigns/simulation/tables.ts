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

/** The tables of payments, credit, channels and the log. What the market keeps is not here; see the notes of `runSimulate.ts`. */
export function createTables() {
  const tables = {
    invocations: createTable<CallRow>("invocations"),
    responses: createTable<ResponseRow>("responses"),
    unfinal: createTable<UnfinalRow>("unfinal_settlements"),
    quotes: createTable<QuoteRow>("quotes"),
    balances: createTable<{ account: string; balance_micro_usd: bigint }>("credit_balances"),
    entries: createTable<EntryRow>("credit_entries"),
    channels: createTable<ChannelTableRow>("channels"),
    claims: createTable<ClaimRow>("channel_claims"),
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

/** A committed row that nobody holds, as it stands before the first event. */
export function seedRow<V>(table: { readonly rows: Map<string, unknown> }, key: string, committed: V): void {
  table.rows.set(key, { committed, pending: undefined, isWritten: false, holder: undefined });
}
