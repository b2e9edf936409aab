import { deleteOldStats } from "../src/market/readStats.js";
import { recounts } from "../src/market/testing/recountStats.js";
import type { Database } from "../src/store/database.js";

/** Rows of one statement: each stays well inside the time a statement is given. */
const CHUNK = 10_000;

const walletOf = (number: string) => `'0x' || substr(encode(sha256((${number})::text::bytea), 'hex'), 1, 40)`;
const hashOf = (text: string) => `'sha256:' || encode(sha256((${text})::text::bytea), 'hex')`;

/** How many of everything a market has that has settled so many calls. */
function sizesOf(invocations: number) {
  return {
    wallets: Math.max(1, Math.floor(invocations / 20)),
    publications: Math.floor(invocations / 10),
    // The job keeps the best ten thousand.
    demand: Math.min(10_000, Math.floor(invocations / 100)),
  };
}

export interface MarketSizes {
  readonly invocations: number;
  readonly wallets: number;
  readonly publications: number;
  readonly demand: number;
  /** The wallet with a tenth of all publications. */
  readonly busiestPublisher: string;
}

/** Fills a database with ninety days of a market's records, from the `first` call to the `last`; nothing is random. */
export async function fillMarket(db: Database, first: number, last: number): Promise<MarketSizes> {
  const [before, sizes] = [sizesOf(first - 1), sizesOf(last)];
  await inChunks(first, last, (from, to) => insertInvocations(db, from, to, sizes.wallets));
  await inChunks(before.publications + 1, sizes.publications, (from, to) =>
    insertPublications(db, from, to, sizes.wallets),
  );
  await insertDemand(db, before.demand + 1, sizes.demand);
  await sumUp(db);
  const [busiest] = await db.query<{ wallet: string }>({ text: `SELECT ${walletOf("0")} AS wallet` });
  return { invocations: last, ...sizes, busiestPublisher: busiest?.wallet ?? "" };
}

async function inChunks(
  first: number,
  last: number,
  insert: (from: number, to: number) => Promise<void>,
): Promise<void> {
  for (let from = first; from <= last; from += CHUNK) await insert(from, Math.min(last, from + CHUNK - 1));
}

async function insertInvocations(db: Database, from: number, to: number, wallets: number): Promise<void> {
  await db.query({
    text: `INSERT INTO invocations (invocation_id, capability_id, capability_version, input_hash, state, lease_until,
             network, asset, payer, authorization_nonce, payment_digest, pay_to, amount, valid_before,
             reserved_at_block, quoted_status, actual_status, list_price_micro_usd, credit_micro_usd, price_micro_usd,
             result_hash, artifact_id, transaction_hash, created_at, computed_at, settled_at, log_index)
           SELECT 'inv_' || i,
             (ARRAY['contract.guard', 'contract.guard', 'token.metadata', 'chain.snapshot'])[1 + i % 4], '1.0.0',
             ${hashOf("i % 100000")}, 'settled', created, 'eip155:8453', '0x${"83".repeat(20)}',
             ${walletOf(`i * 7919 % ${wallets}`)}, '0x' || lpad(to_hex(i), 64, '0'), ${hashOf("i")},
             '0x${"99".repeat(20)}', 20000 - credit, 0, i, status, status, 20000, credit, 20000 - credit,
             ${hashOf("-i")}, ${hashOf("i % 100000")}, '0x' || lpad(to_hex(i), 64, '0'), created, created,
             created + i % 997 * interval '17 ms', i
           FROM (
             SELECT i, (ARRAY['hit', 'hit', 'partial', 'miss'])[1 + i % 7 % 4] AS status,
               CASE WHEN i % 3 = 0 THEN 4000 ELSE 0 END AS credit,
               now() - interval '1 minute' - i * 104729 % 7776000 * interval '1 second' AS created
             FROM generate_series($1::bigint, $2::bigint) i) given`,
    values: [from, to],
  });
}

async function insertPublications(db: Database, from: number, to: number, wallets: number): Promise<void> {
  const values = [from, to];
  const wallet = `CASE WHEN i % 10 = 0 THEN ${walletOf("0")} ELSE ${walletOf(`i * 31 % ${wallets}`)} END`;
  await db.query({
    text: `INSERT INTO publications (publication_id, wallet, capability_id, address, bytecode_hash, bytecode_bytes,
             computed_at_block, audit, observed_hash, observed_bytes, block_hash, published_at, log_index)
           SELECT 'pub_' || i, ${wallet}, 'contract.guard', ${walletOf("-i")}, '0x' || lpad(to_hex(i), 64, '0'), 1000, i,
             (ARRAY['passed', 'passed', 'failed', 'unaudited'])[1 + i % 4], '0x' || lpad(to_hex(i), 64, '0'), 1000,
             '0x' || lpad(to_hex(i), 64, 'b'), now() - i * 104729 % 7776000 * interval '1 second', i
           FROM generate_series($1::bigint, $2::bigint) i`,
    values,
  });
  await db.query({
    text: `INSERT INTO seeds (input_hash, capability_id, wallet, source, cap_micro_usd, fresh_until)
           SELECT ${hashOf("i")}, 'contract.guard', ${wallet}, 'publication', 5000000, now() + interval '30 days'
           FROM generate_series($1::bigint, $2::bigint) i`,
    values,
  });
}

/** One in twenty is younger than the head start of attested publishers. */
async function insertDemand(db: Database, from: number, to: number): Promise<void> {
  await db.query({
    text: `INSERT INTO demand (input_hash, capability_id, input, misses, listed_at, last_miss_at)
           SELECT ${hashOf("'asked ' || i")}, (ARRAY['contract.guard', 'token.metadata'])[1 + i % 2],
             json_build_object('address', ${walletOf("i")}), 1 + i * 7919 % 500,
             now() - CASE WHEN i % 20 = 0 THEN interval '1 second' ELSE i * interval '1 minute' END, now()
           FROM generate_series($1::bigint, $2::bigint) i`,
    values: [from, to],
  });
}

/** What settlements and publications keep as they happen, counted here at once. */
async function sumUp(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    // A recount of everything takes longer than a statement is given; no route does one.
    await tx.query({ text: "SET LOCAL statement_timeout = 0" });
    for (const [table, { columns, text }] of Object.entries(recounts)) {
      await tx.query({ text: `TRUNCATE ${table}` });
      await tx.query({ text: `INSERT INTO ${table} (${columns}) ${text}`, values: [[]] });
    }
    await tx.query({ text: "ANALYZE invocations" });
  });
  await db.query({ text: "TRUNCATE publishers" });
  await db.query({
    text: `INSERT INTO publishers (wallet, passed, passed_with_code, failed, unaudited, seeded, first_passed_at, last_failed_at)
           SELECT wallet, count(*) FILTER (WHERE audit = 'passed'), count(*) FILTER (WHERE audit = 'passed'),
             count(*) FILTER (WHERE audit = 'failed'),
             count(*) FILTER (WHERE audit = 'unaudited'), count(*), min(published_at) FILTER (WHERE audit = 'passed'),
             max(published_at) FILTER (WHERE audit = 'failed')
           FROM publications GROUP BY wallet`,
  });
  await deleteOldStats(db);
  // As autovacuum does in its own time: estimates, and maps of the pages an index alone can answer for.
  for (const table of [
    "invocations",
    "publications",
    "seeds",
    "demand",
    "publishers",
    ...Object.keys(recounts),
  ])
    await db.query({ text: `VACUUM ANALYZE ${table}` });
}
