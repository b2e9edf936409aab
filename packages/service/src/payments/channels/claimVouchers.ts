import type { BlockHeader } from "@assay/chain";
import { type ChannelDeposit, depositNonceOf, type Hex } from "@assay/protocol";
import type { Queryable } from "../../store/database.js";
import type { ClaimContext } from "../paymentsContext.js";
import { authorizationStateCall } from "../settlement/transferCall.js";
import {
  type ChainState,
  encodeClaims,
  encodeSweep,
  readChannels,
  readUnswept,
  type VoucherClaim,
} from "./channelChain.js";
import { isWorthClaiming, isWorthSweeping, leastWorthClaiming } from "./channelGas.js";
import {
  CHANNEL_COLUMNS,
  type Channel,
  type ChannelRow,
  channelFromRow,
  type KeptDeposit,
  keepDeposit,
  listKept,
  recordChainState,
} from "./channelRecords.js";
import { makeDeposit } from "./makeDeposit.js";

/** Vouchers of one transaction. */
const MAX_CLAIMS = 100;
/** A claim is due when its oldest charge is this old, or when this much or this many wait. A day is left before a withdrawal. */
const MAX_AGE_SECONDS = 3600;
const DUE_AMOUNT = 5_000_000n;
const DUE_COUNT = 50;
/** A payer that asks to withdraw is noticed within this time, which is a small part of the delay. */
const RECHECK_SECONDS = 600;
/** What was claimed is paid out when it is this much, or after a day. */
const SWEEP_AMOUNT = 10_000_000n;
const SWEEP_SECONDS = 86_400;
/** Longer than any run takes. */
const LEASE_SECONDS = 120;
const GAS_OF_CLAIMS = 60_000n;
const GAS_PER_CLAIM = 60_000n;
const GAS_OF_SWEEP = 150_000n;

/**
 * Brings vouchers to the chain. Each is worth money only until its payer has withdrawn, so channels are watched, and one whose
 * payer asks to withdraw is claimed at once. One process at a time does this; a claim that was sent twice changes nothing.
 */
export async function claimVouchers(context: ClaimContext): Promise<number> {
  const { database, facilitator, settings } = context;
  if (!facilitator.channels || !settings.channels) return 0;
  if (!(await takeLease(database))) return 0;
  try {
    await watch(context);
    await repairUndone(context);
    const claimed = await claimDue(context);
    await sweep(context, claimed > 0);
    return claimed;
  } finally {
    await database.query({ text: "UPDATE channel_work SET leased_until = now()" });
  }
}

async function takeLease(db: Queryable): Promise<boolean> {
  const rows = await db.query({
    name: "channel_work_lease",
    text: `UPDATE channel_work SET leased_until = now() + ($1::int * interval '1 second')
           WHERE leased_until <= now() RETURNING only_row`,
    values: [LEASE_SECONDS],
  });
  return rows.length === 1;
}

/** Reads channels again that were not read for a while and may still be withdrawn from. */
async function watch({ database, chain }: ClaimContext): Promise<void> {
  const rows = await database.query<ChannelRow>({
    name: "channels_to_watch",
    text: `SELECT ${CHANNEL_COLUMNS} FROM channels
           WHERE balance > claimed AND checked_at < now() - ($1::int * interval '1 second') ORDER BY checked_at LIMIT $2`,
    values: [RECHECK_SECONDS, MAX_CLAIMS],
  });
  const states = await readChannels(
    chain,
    rows.map((row) => row.channel_id),
  );
  for (const [i, state] of states.entries())
    if (state)
      await database.transaction((tx) =>
        recordChainState(tx, (rows[i] as ChannelRow).channel_no, state, null),
      );
}

/** A reorganisation may undo what was sent: once blocks as old as it are final, the chain must show it, or it is sent again. */
async function repairUndone(context: ClaimContext): Promise<void> {
  const [unfinal] = await context.database.query<{ is_there: boolean }>({
    name: "channels_unfinal",
    text: `SELECT EXISTS (SELECT FROM channels WHERE unfinal_deposit IS NOT NULL)
             OR EXISTS (SELECT FROM channel_claims WHERE NOT is_final) AS is_there`,
  });
  // A node is asked only where there is something to confirm.
  const finalized = unfinal?.is_there ? await context.chain.findFinalizedBlock() : undefined;
  if (!finalized) return;
  await repairDeposits(context, finalized);
  await repairClaims(context, finalized);
}

type UnfinalRow = ChannelRow & { unfinal_deposit: readonly KeptDeposit[] | ChannelDeposit };

async function repairDeposits(context: ClaimContext, finalized: BlockHeader): Promise<void> {
  const rows = await context.database.query<UnfinalRow>({
    name: "deposits_to_confirm",
    text: `SELECT ${CHANNEL_COLUMNS}, unfinal_deposit FROM channels
           WHERE unfinal_deposit IS NOT NULL AND deposited_at < to_timestamp($1) LIMIT $2`,
    values: [finalized.timestamp, MAX_CLAIMS],
  });
  if (rows.length === 0) return;
  const due = rows.map((row) =>
    listKept(row.unfinal_deposit).filter(({ at = 0 }) => at < finalized.timestamp),
  );
  // Each by its own nonce: the balance says nothing of one while there are others.
  const states = await context.chain.readAt(
    finalized,
    rows.flatMap(({ channel_id, config }, i) =>
      (due[i] ?? []).map(({ deposit }) => {
        const { salt } = deposit.authorization.erc3009Authorization;
        return authorizationStateCall(config.token, config.payer, depositNonceOf(channel_id, salt));
      }),
    ),
  );
  for (const [i, row] of rows.entries()) {
    const own = due[i] ?? [];
    const shown = states.splice(0, own.length);
    if (shown.every((state) => state.status === "value"))
      await confirmDeposits(
        context,
        row,
        own.map((kept, j) => ({ kept, isMade: BigInt((shown[j] as { value: Hex }).value) !== 0n })),
      );
  }
}

/** Makes again what was undone, and keeps that: it may be undone once more. Forgets the others. */
async function confirmDeposits(
  context: ClaimContext,
  { channel_id, channel_no, config, unfinal_deposit }: UnfinalRow,
  due: readonly { readonly kept: KeptDeposit; readonly isMade: boolean }[],
): Promise<void> {
  const { database, chain, logger } = context;
  const undone = due.filter(({ isMade }) => !isMade).map(({ kept }) => kept.deposit);
  const again: ChannelDeposit[] = [];
  for (const deposit of undone) {
    const made = await makeDeposit(context, config, deposit);
    logger.warn({ channelId: channel_id, ...made }, "deposit undone, made again if it still can be");
    if (!("refusal" in made)) again.push(deposit);
  }
  const [now] = undone.length > 0 ? await readChannels(chain, [channel_id]) : [];
  if (undone.length > 0 && !now) return;
  const left = listKept(unfinal_deposit).filter((one) => !due.some(({ kept }) => kept === one));
  await database.transaction(async (tx) => {
    if (now) await recordChainState(tx, channel_no, now, null);
    // Where another deposit was added meanwhile, all of this is asked again.
    const forgotten = await tx.query({
      name: "deposits_final",
      text: `UPDATE channels SET unfinal_deposit = $3, deposited_at = to_timestamp($4)
             WHERE channel_no = $1 AND unfinal_deposit = $2 RETURNING channel_no`,
      values: [
        channel_no,
        JSON.stringify(unfinal_deposit),
        left.length > 0 ? JSON.stringify(left) : null,
        left.length > 0 ? Math.min(...left.map(({ at = 0 }) => at)) : null,
      ],
    });
    if (forgotten.length > 0)
      for (const deposit of again) await keepDeposit(tx, { channelNo: channel_no }, deposit);
  });
}

async function repairClaims(
  { database, chain, logger }: ClaimContext,
  finalized: BlockHeader,
): Promise<void> {
  const rows = await database.query<ChannelRow & { newest: bigint }>({
    name: "claims_to_confirm",
    text: `SELECT ${CHANNEL_COLUMNS}, newest FROM channels
           JOIN (SELECT channel_no, max(claimed) AS newest FROM channel_claims
                 WHERE NOT is_final AND claimed_at < to_timestamp($1) GROUP BY channel_no) unfinal USING (channel_no) LIMIT $2`,
    values: [finalized.timestamp, MAX_CLAIMS],
  });
  const states = await readChannels(
    chain,
    rows.map((row) => row.channel_id),
    finalized,
  );
  for (const [i, state] of states.entries()) {
    const row = rows[i] as ChannelRow & { newest: bigint };
    if (!state) continue;
    const isLost = state.claimed < row.newest;
    if (isLost) logger.warn({ channelId: row.channel_id, claimed: row.newest }, "claim undone, made again");
    await database.query({
      name: "claims_confirm",
      text: `WITH gone AS (DELETE FROM channel_claims WHERE channel_no = $1 AND claimed > $2 AND claimed <= $3 AND NOT is_final),
             kept AS (UPDATE channel_claims SET is_final = true WHERE channel_no = $1 AND claimed <= $2 AND NOT is_final)
             UPDATE channels SET claimed = least(claimed, CASE WHEN $4 THEN $2 ELSE claimed END),
               unclaimed_since = CASE WHEN $4 THEN coalesce(unclaimed_since, charged_at) ELSE unclaimed_since END
             WHERE channel_no = $1`,
      values: [row.channel_no, state.claimed, row.newest, isLost],
    });
  }
}

async function claimDue(context: ClaimContext): Promise<number> {
  const { database } = context;
  const rows = await database.query<ChannelRow & { is_urgent: boolean; is_old: boolean }>({
    name: "channels_to_claim",
    text: `SELECT ${CHANNEL_COLUMNS}, withdraw_requested_at > 0 AS is_urgent,
             unclaimed_since < now() - ($1::int * interval '1 second') AS is_old
           FROM channels WHERE unclaimed_since IS NOT NULL AND charged - claimed >= $3
           ORDER BY withdraw_requested_at > 0 DESC, unclaimed_since LIMIT $2`,
    // One that is worth less than its gas waits for more charges or for cheaper gas, even while its payer withdraws.
    values: [MAX_AGE_SECONDS, MAX_CLAIMS, leastWorthClaiming(context)],
  });
  const waiting = rows.reduce((sum, row) => sum + row.charged - row.claimed, 0n);
  const isDue =
    rows.some((row) => row.is_urgent || row.is_old) || waiting >= DUE_AMOUNT || rows.length >= DUE_COUNT;
  if (!isDue || !isWorthClaiming(context, rows.length, waiting)) return 0;
  for (const channels of groupByKey(context, rows.map(channelFromRow))) await claim(context, channels);
  return rows.length;
}

/** Channels that one signature can claim: those that name the same key of ours. Of another key's nothing can be claimed here. */
function groupByKey({ signer, logger }: ClaimContext, channels: readonly Channel[]): Channel[][] {
  const groups = new Map<string, Channel[]>(signer.addresses.map((address) => [address.toLowerCase(), []]));
  for (const channel of channels) {
    const key = channel.config.receiverAuthorizer.toLowerCase();
    const group = groups.get(key);
    if (group) group.push(channel);
    else
      logger.error(
        { channelId: channel.channelId, key },
        "a channel waits for its key: add it to SERVICE_SIGNING_KEY",
      );
  }
  return [...groups.values()].filter((group) => group.length > 0);
}

/** Claims the newest voucher of each channel in one transaction. */
async function claim(context: ClaimContext, channels: readonly Channel[]): Promise<void> {
  const { database, facilitator, signer, logger, chain, metrics, failpoints } = context;
  const claims = channels.flatMap(({ channelId, config, charged, voucherSignature }): VoucherClaim[] =>
    voucherSignature ? [{ channelId, config, charged, signature: voucherSignature }] : [],
  );
  const gas = GAS_OF_CLAIMS + GAS_PER_CLAIM * BigInt(claims.length);
  const outcome = await facilitator.channels?.send(await encodeClaims(signer, claims), gas);
  if (outcome?.status !== "settled") {
    logger.warn({ outcome, channels: claims.length }, "vouchers not claimed");
    // One that cannot be claimed must not keep the others from it.
    if (outcome?.status === "failed" && channels.length > 1)
      for (const channel of channels) await claim(context, [channel]);
    else if (outcome?.status === "failed")
      for (const channel of channels) await giveUpIfWithdrawn(context, channel);
    return;
  }
  failpoints.reach("after_claim_sent");
  metrics.channelGas.inc({ for: "claim" }, Number(outcome.gasUsed ?? 0n));
  const { transaction } = outcome;
  const states = await readChannels(
    chain,
    channels.map(({ channelId }) => channelId),
  );
  for (const [i, channel] of channels.entries()) {
    const shown: ChainState = states[i] ?? channel;
    // A node that lags shows the state before: the transaction is mined, so this much is claimed.
    const claimed = shown.claimed > channel.charged ? shown.claimed : channel.charged;
    await database.transaction((tx) =>
      recordChainState(tx, channel.channelNo, { ...shown, claimed }, transaction),
    );
  }
}

/** A channel that holds less than its voucher is over is tried no more until it is charged or read again: its payer has withdrawn. */
async function giveUpIfWithdrawn(
  context: ClaimContext,
  { channelId, channelNo, charged }: Channel,
): Promise<void> {
  const { database, chain, logger } = context;
  const [state] = await readChannels(chain, [channelId]);
  if (!state || state.balance >= charged) return;
  logger.warn({ channelId, charged, balance: state.balance }, "a voucher is lost: its payer has withdrawn");
  await database.query({
    name: "channel_give_up",
    text: "UPDATE channels SET unclaimed_since = NULL WHERE channel_no = $1 AND charged = $2",
    values: [channelNo, charged],
  });
}

/** Pays out what was claimed, in one transfer. */
async function sweep(context: ClaimContext, hasClaimed: boolean): Promise<void> {
  const { database, chain, facilitator, settings, metrics, failpoints } = context;
  const [due] = await database.query<{ is_due: boolean }>({
    name: "channel_sweep_due",
    text: "SELECT swept_at < now() - ($1::int * interval '1 second') AS is_due FROM channel_work",
    values: [SWEEP_SECONDS],
  });
  if (!hasClaimed && !due?.is_due) return;
  const { payTo, stablecoin } = settings;
  const unswept = await readUnswept(chain, payTo, stablecoin.address);
  if (unswept === undefined) return;
  // A process that died after its sweep left nothing to pay out.
  if (unswept === 0n) return noteSweep(database);
  if (!due?.is_due && unswept < SWEEP_AMOUNT) return;
  if (!isWorthSweeping(context, unswept)) return;
  const outcome = await facilitator.channels?.send(
    encodeSweep(payTo as Hex, stablecoin.address),
    GAS_OF_SWEEP,
  );
  if (outcome?.status !== "settled") return;
  failpoints.reach("after_sweep_sent");
  metrics.channelGas.inc({ for: "sweep" }, Number(outcome.gasUsed ?? 0n));
  await noteSweep(database);
}

async function noteSweep(db: Queryable): Promise<void> {
  await db.query({ text: "UPDATE channel_work SET swept_at = now()" });
}
