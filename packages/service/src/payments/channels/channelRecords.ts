import type { ChannelConfig, ChannelDeposit, Hex } from "@assay/protocol";
import type { Database, Queryable, Transaction } from "../../store/database.js";
import { inOrder } from "../../store/inOrder.js";
import type { ChainState } from "./channelChain.js";

/** A payment channel to us. Amounts in atomic units of its token. */
export interface Channel extends ChainState {
  readonly channelNo: bigint;
  readonly channelId: Hex;
  readonly config: ChannelConfig;
  /** For answers so far; the newest voucher is over exactly this much. */
  readonly charged: bigint;
  /** Null before the first charge. */
  readonly voucherSignature: Hex | null;
  /** On its way back to the payer; what became of it is not known yet. */
  readonly refunding: bigint;
}

export interface ChannelRow {
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
}

export const CHANNEL_COLUMNS = `channel_no, channel_id, config, charged, voucher_signature, balance, claimed, withdrawing,
  withdraw_requested_at, refund_nonce, refunding`;

export const channelFromRow = (row: ChannelRow): Channel => ({
  channelNo: row.channel_no,
  channelId: row.channel_id as Hex,
  config: row.config,
  charged: row.charged,
  voucherSignature: row.voucher_signature && `0x${row.voucher_signature.toString("hex")}`,
  balance: row.balance,
  claimed: row.claimed,
  withdrawing: row.withdrawing,
  withdrawRequestedAt: row.withdraw_requested_at,
  refundNonce: row.refund_nonce,
  refunding: row.refunding,
});

export function findChannel(database: Database, channelId: string): Promise<Channel | undefined> {
  return database.batch("channel", channelId.toLowerCase(), async (channelIds) => {
    const rows = await database.query<ChannelRow>({
      name: "channels_find",
      text: `SELECT ${CHANNEL_COLUMNS} FROM channels WHERE channel_id = ANY($1)`,
      values: [channelIds],
    });
    const byId = new Map(rows.map((row) => [row.channel_id, channelFromRow(row)]));
    return channelIds.map((id) => byId.get(id));
  });
}

export async function findChannelByNo(db: Queryable, channelNo: bigint): Promise<Channel> {
  const [row] = await db.query<ChannelRow>({
    name: "channel_by_no",
    text: `SELECT ${CHANNEL_COLUMNS} FROM channels WHERE channel_no = $1`,
    values: [channelNo],
  });
  if (!row) throw new Error(`channel ${channelNo} is not there`);
  return channelFromRow(row);
}

/** Records a channel that was seen for the first time, charged with what its voucher says was charged before. */
export async function openChannel(
  db: Queryable,
  channelId: string,
  config: ChannelConfig,
  state: ChainState,
  charged: bigint,
): Promise<void> {
  await db.query({
    name: "channel_open",
    text: `INSERT INTO channels (channel_id, config, charged, balance, claimed, withdrawing, withdraw_requested_at, refund_nonce)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (channel_id) DO NOTHING`,
    values: [
      channelId.toLowerCase(),
      JSON.stringify(config),
      charged,
      state.balance,
      state.claimed,
      state.withdrawing,
      state.withdrawRequestedAt,
      state.refundNonce,
    ],
  });
}

/**
 * Records what the chain shows, and the claim that it shows if it is news. What a claim leaves was charged while it was under way, so
 * its age begins anew: a channel that is always in use would be claimed in every turn once an hour has passed. A node that lags shows
 * an older refund nonce or a smaller claim, and is not believed.
 */
export async function recordChainState(
  tx: Transaction,
  channelNo: bigint,
  state: ChainState,
  claimTransaction: string | null,
): Promise<void> {
  await inOrder(tx, [
    (tx) =>
      tx.query({
        name: "channel_chain_state",
        text: `UPDATE channels SET balance = $2, claimed = $3, withdrawing = $4, withdraw_requested_at = $5, refund_nonce = $6,
                 refunding = CASE WHEN refund_nonce < $6 THEN 0 ELSE refunding END,
                 unclaimed_since = CASE WHEN $3 >= charged THEN NULL WHEN claimed < $3 THEN charged_at
                                   ELSE coalesce(unclaimed_since, charged_at) END, checked_at = now()
               WHERE channel_no = $1 AND refund_nonce <= $6 AND claimed <= $3`,
        values: [
          channelNo,
          state.balance,
          state.claimed,
          state.withdrawing,
          state.withdrawRequestedAt,
          state.refundNonce,
        ],
      }),
    (tx) =>
      tx.query({
        name: "channel_claim_seen",
        text: `INSERT INTO channel_claims (channel_no, claimed, transaction_hash)
               SELECT $1, $2, $3 WHERE $2::bigint > 0
               ON CONFLICT (channel_no, claimed) DO UPDATE
                 SET transaction_hash = coalesce(channel_claims.transaction_hash, excluded.transaction_hash)`,
        values: [channelNo, state.claimed, claimTransaction],
      }),
  ]);
}

/** A deposit that was brought to the chain and may still be undone. `at`: Unix seconds of the database; absent in older rows. */
export interface KeptDeposit {
  readonly deposit: ChannelDeposit;
  readonly at?: number;
}

/** What is kept of a channel's deposits. Before several were kept, the column had one deposit by itself. */
export const listKept = (kept: readonly KeptDeposit[] | ChannelDeposit): readonly KeptDeposit[] =>
  Array.isArray(kept) ? kept : [{ deposit: kept as ChannelDeposit }];

/** Keeps a deposit that was brought to the chain until it is final, once, beside those before it. `deposited_at` is that of the oldest. */
export async function keepDeposit(
  db: Queryable,
  { channelNo }: Pick<Channel, "channelNo">,
  deposit: ChannelDeposit,
): Promise<void> {
  await db.query({
    name: "channel_keep_deposit",
    text: `UPDATE channels SET
             deposited_at = CASE WHEN unfinal_deposit IS NULL THEN now() ELSE deposited_at END,
             unfinal_deposit = CASE jsonb_typeof(unfinal_deposit) WHEN 'array' THEN unfinal_deposit
                 WHEN 'object' THEN jsonb_build_array(jsonb_build_object('deposit', unfinal_deposit)) ELSE '[]' END
               || jsonb_build_object('deposit', $2::jsonb, 'at', floor(extract(epoch FROM now()))::bigint)
           WHERE channel_no = $1
             AND (unfinal_deposit @> jsonb_build_array(jsonb_build_object('deposit', $2::jsonb))) IS NOT TRUE`,
    values: [channelNo, JSON.stringify(deposit)],
  });
}

/** Writes down what is on its way back to the payer. */
export async function recordRefunding(
  db: Queryable,
  { channelNo, refundNonce }: Channel,
  amount: bigint,
): Promise<void> {
  await db.query({
    name: "channel_refunding",
    text: "UPDATE channels SET refunding = $2 WHERE channel_no = $1 AND refund_nonce = $3",
    values: [channelNo, amount, refundNonce],
  });
}

/** Seconds for which one call of a channel keeps others from doing work for the same voucher. */
const BUSY_SECONDS = 20;

const LEASE_WAIT_MS = 10_000;
const LEASE_POLL_MS = 200;

/**
 * True if this call has the channel now, charged with exactly this much before it. The call does not wait until that is on disk: what a
 * dying PostgreSQL forgets is who had a channel, and a charge asks for what was charged before it.
 */
export function leaseChannel(
  database: Database,
  { channelNo, charged }: Channel,
  holder: string,
): Promise<boolean> {
  const row = { channel_no: channelNo.toString(), charged: charged.toString(), holder };
  return database.batch("channel_lease", row, async (given) => {
    const leased = await database.query<{ busy_by: string }>({
      name: "channels_lease",
      text: `WITH given AS (
               SELECT * FROM json_to_recordset($1) AS g (channel_no bigint, charged bigint, holder text)),
             unhurried AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
             locked AS MATERIALIZED (
               SELECT c.channel_no FROM channels c WHERE c.channel_no IN (SELECT channel_no FROM given)
               ORDER BY c.channel_no FOR NO KEY UPDATE)
             UPDATE channels c SET busy_by = g.holder, busy_until = now() + ($2::int * interval '1 second')
             FROM unhurried, given g JOIN locked USING (channel_no)
             WHERE c.channel_no = g.channel_no AND c.charged = g.charged
               AND (c.busy_until IS NULL OR c.busy_until < now()) RETURNING c.busy_by`,
      values: [JSON.stringify(given), BUSY_SECONDS],
    });
    const holders = new Set(leased.map(({ busy_by }) => busy_by));
    return given.map((one) => holders.has(one.holder));
  });
}

/** Waits for a call of the same channel in another process to end, for as long as most calls take. */
export async function leaseWhenFree(db: Database, channel: Channel, holder: string): Promise<boolean> {
  for (const deadline = Date.now() + LEASE_WAIT_MS; ; ) {
    if (await leaseChannel(db, channel, holder)) return true;
    const now = await findChannel(db, channel.channelId);
    if (now?.charged !== channel.charged || Date.now() > deadline) return false;
    await new Promise((done) => setTimeout(done, LEASE_POLL_MS));
  }
}

export async function releaseChannel(db: Queryable, { channelNo }: Channel, holder: string): Promise<void> {
  await db.query({
    name: "channel_release",
    text: "UPDATE channels SET busy_by = NULL, busy_until = NULL WHERE channel_no = $1 AND busy_by = $2",
    values: [channelNo, holder],
  });
}

/** The first claim on chain that reached this ceiling. */
export async function findClaim(
  db: Queryable,
  channelNo: bigint,
  ceiling: bigint,
): Promise<{ readonly transaction: string | null } | undefined> {
  const [row] = await db.query<{ transaction_hash: string | null }>({
    name: "channel_claim_find",
    text: `SELECT transaction_hash FROM channel_claims WHERE channel_no = $1 AND claimed >= $2
           ORDER BY claimed LIMIT 1`,
    values: [channelNo, ceiling],
  });
  return row && { transaction: row.transaction_hash };
}
