import { hashCanonical } from "@assay/protocol";
import type { CreditAccount, CreditMove } from "../src/credits/ledger.js";
import type { Queryable } from "../src/store/database.js";
import type { LedgerModel, ModelCall } from "./ledgerModel.js";

interface Leaf {
  readonly xid: string;
  readonly kind: string;
  readonly content: Readonly<Record<string, string>>;
}

interface EntryRow {
  entry_id: bigint;
  cause: string;
  debit_account: CreditAccount;
  credit_account: CreditAccount;
  amount_micro_usd: bigint;
  salt: string;
  day: string;
}

/** What the leaves are about, with the moments that only the database knows. */
interface Records {
  readonly entries: ReadonlyMap<string, EntryRow>;
  /** By invocation or publication. */
  readonly moments: ReadonlyMap<string, bigint>;
}

/**
 * Lets the model do what the database did since the log had `from` leaves, in the order of the commits: the log is
 * locked by each transaction until it ends, so its leaves are in that order.
 */
export async function replayLedger(db: Queryable, model: LedgerModel, from: bigint): Promise<void> {
  const leaves = await listLeaves(db, from);
  const records = await readRecords(db, leaves);
  let start = 0;
  for (let end = 1; end <= leaves.length; end++) {
    if (leaves[end]?.xid === leaves[start]?.xid) continue;
    replayTransaction(model, leaves.slice(start, end), records);
    start = end;
  }
}

async function listLeaves(db: Queryable, from: bigint): Promise<Leaf[]> {
  const rows = await db.query<{ xid: string; kind: string; leaf: string }>({
    text: `SELECT xmin::text AS xid, kind, convert_from(leaf, 'UTF8') AS leaf FROM log_leaves
           WHERE leaf_index >= $1 ORDER BY leaf_index`,
    values: [from],
  });
  return rows.map(({ xid, kind, leaf }) => ({ xid, kind, content: JSON.parse(leaf) }));
}

async function readRecords(db: Queryable, leaves: readonly Leaf[]): Promise<Records> {
  const idsOf = (wanted: string, field: string) =>
    leaves.flatMap(({ kind, content }) => (kind === wanted ? [content[field]] : []));
  const [entries, moments] = await Promise.all([
    db.query<EntryRow>({
      text: `SELECT *, (created_at AT TIME ZONE 'utc')::date::text AS day FROM credit_entries
             WHERE entry_id = ANY($1::bigint[])`,
      values: [idsOf("credit", "entryId")],
    }),
    db.query<{ id: string; moment: bigint }>({
      text: `SELECT id, (extract(epoch FROM at) * 1000000)::bigint AS moment FROM (
               SELECT invocation_id AS id, settled_at AS at FROM invocations WHERE invocation_id = ANY($1)
               UNION ALL SELECT publication_id, published_at FROM publications WHERE publication_id = ANY($2)) events`,
      values: [idsOf("receipt", "invocationId"), idsOf("published", "publicationId")],
    }),
  ]);
  return {
    entries: new Map(entries.map((entry) => [entry.entry_id.toString(), entry])),
    moments: new Map(moments.map(({ id, moment }) => [id, moment])),
  };
}

const describe = ({ cause, from, to, amountMicroUsd }: CreditMove) =>
  `${cause}: ${from} → ${to} ${amountMicroUsd}`;

function replayTransaction(model: LedgerModel, leaves: readonly Leaf[], records: Records): void {
  const entries = leaves.flatMap(({ kind, content }) => {
    const entry = kind === "credit" ? records.entries.get(content.entryId ?? "") : undefined;
    if (kind === "credit" && hashOf(entry) !== content.entryHash)
      model.violations.push(`entry ${content.entryId} is not what its leaf says`);
    return entry ? [entry] : [];
  });
  const expected = replayEvents(model, leaves, entries, records.moments);
  const seen = entries.map(moveOf);
  const [wanted, found] = [expected, seen].map((moves) => moves.map(describe).sort());
  if (wanted?.join() !== found?.join()) {
    const only = (some: string[] = [], others: string[] = []) => some.filter((one) => !others.includes(one));
    model.violations.push(
      `the model moved [${only(wanted, found)}] where the ledger moved [${only(found, wanted)}]`,
    );
  }
  model.post(seen);
}

function hashOf(entry: EntryRow | undefined): string | undefined {
  if (!entry) return undefined;
  const { cause, debit_account: from, credit_account: to, amount_micro_usd, salt } = entry;
  return hashCanonical({ cause, from, to, amountMicroUsd: amount_micro_usd.toString(), salt });
}

const moveOf = (entry: EntryRow): CreditMove => ({
  cause: entry.cause,
  from: entry.debit_account,
  to: entry.credit_account,
  amountMicroUsd: entry.amount_micro_usd,
});

/** What the model says should have been moved by the events that these leaves stand for. */
function replayEvents(
  model: LedgerModel,
  leaves: readonly Leaf[],
  entries: readonly EntryRow[],
  moments: Records["moments"],
): CreditMove[] {
  const settled = leaves.flatMap(({ kind, content }): ModelCall[] => {
    const call = kind === "receipt" ? model.findCall(content.invocationId ?? "") : undefined;
    return call ? [call] : [];
  });
  const [first] = settled;
  if (first) return model.settle(settled, moments.get(first.invocationId) ?? 0n);
  for (const { kind, content } of leaves)
    if (kind === "published") replayPublication(model, content, moments);
  return entries.flatMap((entry) => replayEntry(model, entry));
}

function replayPublication(model: LedgerModel, content: Leaf["content"], moments: Records["moments"]): void {
  const { publicationId = "", wallet = "", address = "", bytecodeHash: hash = "", computedAtBlock } = content;
  const code = { address, hash, block: Number(computedAtBlock) };
  model.publish(wallet, code, moments.get(publicationId) ?? 0n);
}

function replayEntry(model: LedgerModel, { cause, day }: EntryRow): CreditMove[] {
  const [programme = "", subject = ""] = cause.split(":");
  const call = model.findCall(subject.split("#")[0] ?? "");
  if (call && programme === "hold") return model.hold(call);
  if (call && programme === "release") return model.release(call);
  if (call && programme === "review") return model.review(call, day);
  model.violations.push(`${cause} moved credit outside of a settlement`);
  return [];
}
