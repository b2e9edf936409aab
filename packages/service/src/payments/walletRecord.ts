import { type Hex, usdFromMicro, type Verdict, type WalletCall, type WalletRecord } from "@assay/protocol";
import { getBalance } from "../credits/ledger.js";
import type { Queryable } from "../store/database.js";
import type { PaymentsContext } from "./paymentsContext.js";
import { type CallOutcome, createOutcomeReader } from "./sealedOutcome.js";

/** As long as verdicts of private answers are kept. */
const RECORD_DAYS = 30;
const DAY_MS = 86_400_000;
const MOST_RECENT = 50;
/** Private verdicts that are opened for one record: a tenth of a second of work. */
const MOST_OPENED = 5_000;
const MOST_CHANNELS = 50;

interface DayRow {
  day: string;
  calls: bigint;
  spent: bigint;
  allow: bigint;
  review: bigint;
  block: bigint;
}

interface OutcomeRow {
  invocation_id: string;
  day: string;
  sealed_outcome: Buffer;
}

interface CallRow {
  invocation_id: string;
  capability_id: string;
  settled_at: Date;
  price_micro_usd: bigint;
  verdict: Verdict | null;
  shared_id: string | null;
}

interface ChannelRow {
  channel_id: Hex;
  balance: bigint;
  charged: bigint;
  withdrawing: bigint;
  refunding: bigint;
  withdraw_requested_at: bigint;
  opened_at: Date;
}

/** What a wallet bought and what it learned, for its owner: nobody else may be shown this. */
export async function getWalletRecord(context: PaymentsContext, wallet: Hex): Promise<WalletRecord> {
  const { database, settings, blockedWallets } = context;
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const since = new Date(today - (RECORD_DAYS - 1) * DAY_MS);
  const [days, outcomes, recent, channels, creditLeft] = await Promise.all([
    listDays(database, wallet, since),
    listOutcomes(database, wallet, since),
    listRecent(database, wallet, since),
    listChannels(database, wallet),
    getBalance(database, `wallet:${wallet}`),
  ]);
  const read = createOutcomeReader([settings.answerSecret, ...settings.formerAnswerSecrets], wallet);
  const opened = new Map(
    outcomes.flatMap(({ invocation_id, day, sealed_outcome }) => {
      const outcome = read(invocation_id, sealed_outcome);
      return outcome ? [[invocation_id, { ...outcome, day }] as const] : [];
    }),
  );
  const outcomesOf = (day: string) => [...opened.values()].filter((one) => one.day === day);
  const counted = days.map((row) => ({ row, verdicts: countVerdicts(row, outcomesOf(row.day)) }));
  const all = (verdict: Verdict | "none") =>
    counted.reduce((sum, { verdicts }) => sum + verdicts[verdict], 0);
  const total = (name: "calls" | "spent") => days.reduce((sum, row) => sum + row[name], 0n);
  return {
    wallet,
    since: since.toISOString(),
    calls: Number(total("calls")),
    spentUsd: usdFromMicro(total("spent")),
    creditLeftUsd: usdFromMicro(creditLeft),
    verdicts: { allow: all("allow"), review: all("review"), block: all("block"), none: all("none") },
    prevented: describePrevented([...opened.values()]),
    days: counted.map(({ row: { day, calls, spent }, verdicts }) => ({
      ...{ day, calls: Number(calls), spentUsd: usdFromMicro(spent) },
      blocked: verdicts.block,
    })),
    recent: recent.map((row) => describeCall(row, opened.get(row.invocation_id))),
    channels: channels.map(describeChannel),
    isBlocked: blockedWallets.has(wallet),
  };
}

/** Shared answers as the database counted them, and private ones that could be opened. */
function countVerdicts(
  { calls, ...shared }: DayRow,
  opened: readonly CallOutcome[],
): Record<Verdict | "none", number> {
  const count = (verdict: Verdict) =>
    Number(shared[verdict]) + opened.filter((one) => one.verdict === verdict).length;
  const known = { allow: count("allow"), review: count("review"), block: count("block") };
  return { ...known, none: Number(calls) - known.allow - known.review - known.block };
}

function describePrevented(opened: readonly CallOutcome[]): WalletRecord["prevented"] {
  const blocked = opened.filter(({ verdict }) => verdict === "block");
  return {
    calls: blocked.length,
    usd: usdFromMicro(blocked.reduce((sum, { loss }) => sum + (loss?.microUsd ?? 0n), 0n)),
    isWhole: blocked.every(({ loss }) => loss?.isWhole === true),
  };
}

function describeCall(row: CallRow, outcome: CallOutcome | undefined): WalletCall {
  const loss = outcome?.loss;
  return {
    invocationId: row.invocation_id,
    capabilityId: row.capability_id,
    settledAt: row.settled_at.toISOString(),
    pricePaidUsd: usdFromMicro(row.price_micro_usd),
    verdict: row.verdict ?? outcome?.verdict ?? null,
    loss: loss ? { usd: usdFromMicro(loss.microUsd), isWhole: loss.isWhole } : null,
    artifactId: row.shared_id,
  };
}

function describeChannel(row: ChannelRow): WalletRecord["channels"][number] {
  const left = row.balance - row.withdrawing - row.refunding - row.charged;
  return {
    channelId: row.channel_id,
    depositedUsd: usdFromMicro(row.balance),
    chargedUsd: usdFromMicro(row.charged),
    leftUsd: usdFromMicro(left > 0n ? left : 0n),
    openedAt: row.opened_at.toISOString(),
    isClosing: row.withdraw_requested_at > 0n || row.refunding > 0n,
  };
}

/** A shared answer's verdict is public, so the database can count it. */
const listDays = (db: Queryable, wallet: Hex, since: Date) =>
  db.query<DayRow>({
    name: "wallet_days",
    text: `SELECT to_char(i.settled_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, count(*) AS calls,
             sum(i.price_micro_usd)::bigint AS spent,
             count(*) FILTER (WHERE a.verdict = 'allow') AS allow,
             count(*) FILTER (WHERE a.verdict = 'review') AS review,
             count(*) FILTER (WHERE a.verdict = 'block') AS block
           FROM invocations i LEFT JOIN artifacts a ON a.artifact_id = i.artifact_id
           WHERE hashtext(i.payer) = hashtext($1) AND i.payer = $1 AND i.state = 'settled' AND i.settled_at >= $2
           GROUP BY day ORDER BY day DESC`,
    values: [wallet, since],
  });

const listOutcomes = (db: Queryable, wallet: Hex, since: Date) =>
  db.query<OutcomeRow>({
    name: "wallet_outcomes",
    text: `SELECT invocation_id, to_char(settled_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, sealed_outcome
           FROM invocations
           WHERE hashtext(payer) = hashtext($1) AND payer = $1 AND state = 'settled' AND settled_at >= $2
             AND sealed_outcome IS NOT NULL
           ORDER BY settled_at DESC LIMIT $3`,
    values: [wallet, since, MOST_OPENED],
  });

const listRecent = (db: Queryable, wallet: Hex, since: Date) =>
  db.query<CallRow>({
    name: "wallet_recent",
    text: `SELECT i.invocation_id, i.capability_id, i.settled_at, i.price_micro_usd, a.verdict, a.artifact_id AS shared_id
           FROM invocations i LEFT JOIN artifacts a ON a.artifact_id = i.artifact_id
           WHERE hashtext(i.payer) = hashtext($1) AND i.payer = $1 AND i.state = 'settled' AND i.settled_at >= $2
           ORDER BY i.settled_at DESC, i.invocation_id LIMIT $3`,
    values: [wallet, since, MOST_RECENT],
  });

/** Channels from which the wallet can still spend, or which still owe us. */
const listChannels = (db: Queryable, wallet: Hex) =>
  db.query<ChannelRow>({
    name: "wallet_channels",
    text: `SELECT channel_id, balance, charged, withdrawing, refunding, withdraw_requested_at, opened_at FROM channels
           WHERE lower(config->>'payer') = $1 AND balance > claimed ORDER BY opened_at DESC LIMIT $2`,
    values: [wallet, MOST_CHANNELS],
  });

/** What was learned by a private call is forgotten with the thirty days that its record covers. */
export async function deleteOldOutcomes(db: Queryable): Promise<void> {
  await db.query({
    text: `UPDATE invocations SET sealed_outcome = NULL
           WHERE sealed_outcome IS NOT NULL AND created_at < now() - $1 * interval '1 day'`,
    values: [RECORD_DAYS],
  });
}
