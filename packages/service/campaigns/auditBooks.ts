import type { Devnet } from "@assay/devnet";
import type { Hex } from "@assay/protocol";
import { AUTHORIZATION_USED, asTopic, TRANSFER } from "../src/payments/settlement/transferCall.js";
import type { Queryable } from "../src/store/database.js";

export interface Audit {
  readonly violations: string[];
  readonly settled: number;
  /** Uses of an authorization whose money went to us. */
  readonly charges: number;
  readonly unfinished: number;
  readonly byState: Record<string, number>;
  /** Every `payer:nonce` that was charged. */
  readonly charged: ReadonlySet<string>;
  /** Every `payer:nonce` that the database knows as settled. */
  readonly settledKeys: ReadonlySet<string>;
}

interface Log {
  transactionHash: string;
  logIndex: string;
  topics: string[];
  data: string;
}

interface Charge {
  readonly payer: string;
  readonly nonce: string;
  readonly amount: bigint;
  readonly transaction: string;
}

/** Everything the chain says came to us, as authorizations; and any transfer that came without one. */
async function readCharges(devnet: Devnet): Promise<{ charges: Charge[]; strays: number; total: bigint }> {
  const query = (topics: unknown[]) =>
    devnet.request<Log[]>("eth_getLogs", [
      { address: devnet.stablecoin.address, fromBlock: "0x0", toBlock: "latest", topics },
    ]);
  const [uses, transfers] = await Promise.all([
    query([AUTHORIZATION_USED]),
    query([TRANSFER, null, asTopic(devnet.payTo)]),
  ]);
  const usesOf = new Map<string, Log[]>();
  for (const use of uses) usesOf.set(use.transactionHash, [...(usesOf.get(use.transactionHash) ?? []), use]);
  const charges: Charge[] = [];
  let strays = 0;
  let total = 0n;
  for (const transfer of transfers) {
    total += BigInt(transfer.data);
    // The token reports the use right before the transfer it causes.
    const at = Number(transfer.logIndex);
    const use = usesOf
      .get(transfer.transactionHash)
      ?.find(({ logIndex, topics }) => Number(logIndex) === at - 1 && topics[1] === transfer.topics[1]);
    if (!use) {
      strays++;
      continue;
    }
    charges.push({
      payer: `0x${(use.topics[1] as string).slice(26)}`,
      nonce: use.topics[2] as string,
      amount: BigInt(transfer.data),
      transaction: transfer.transactionHash.toLowerCase(),
    });
  }
  return { charges, strays, total };
}

const keyOf = (payer: string, nonce: string) => `${payer}:${nonce}`.toLowerCase();

interface SettledRow {
  invocation_id: string;
  payer: string;
  authorization_nonce: string;
  amount: bigint;
  transaction_hash: string;
}

/** Conditions that no row may meet; each counts rows. */
const impossible: Record<string, string> = {
  "settled calls without the stored bytes owed": `SELECT count(*) n FROM invocations i LEFT JOIN responses r USING (invocation_id)
     WHERE i.state = 'settled'
       AND (coalesce(r.body, r.packed_body) IS NULL OR (r.payment_response IS NULL AND r.packed_payment_response IS NULL))`,
  "calls that charged nothing but have a payment response": `SELECT count(*) n FROM invocations JOIN responses r USING (invocation_id)
     WHERE state <> 'settled' AND (r.payment_response IS NOT NULL OR r.packed_payment_response IS NOT NULL)`,
  "quotes held by a call that charged nothing, or by none at all": `SELECT count(*) n FROM quotes q LEFT JOIN invocations i ON i.invocation_id = q.invocation_id
     WHERE q.invocation_id IS NOT NULL AND (i.state IS NULL OR i.state IN ('void', 'failed') OR i.quote_id IS DISTINCT FROM q.quote_id)`,
  "settled calls on a quote that is not theirs": `SELECT count(*) n FROM invocations i LEFT JOIN quotes q ON q.quote_id = i.quote_id
     WHERE i.state = 'settled' AND i.quote_id IS NOT NULL AND q.invocation_id IS DISTINCT FROM i.invocation_id`,
  "quotes that bought more than one call": `SELECT count(*) n FROM (SELECT quote_id FROM invocations
     WHERE state = 'settled' AND quote_id IS NOT NULL GROUP BY quote_id HAVING count(*) > 1) twice`,
  "artifacts that no settled call made": `SELECT count(*) n FROM artifacts a WHERE NOT EXISTS (
     SELECT 1 FROM invocations i WHERE i.artifact_id = a.artifact_id AND i.state = 'settled')`,
  "artifacts whose bytes belong to a call that did not settle": `SELECT count(*) n FROM artifacts a LEFT JOIN invocations i USING (invocation_id)
     WHERE i.state IS DISTINCT FROM 'settled' OR i.artifact_id <> a.artifact_id`,
  "settled calls without their artifact": `SELECT count(*) n FROM invocations i WHERE i.state = 'settled'
     AND i.capability_id <> 'claims.open' AND NOT EXISTS (SELECT 1 FROM artifacts a WHERE a.artifact_id = i.artifact_id)`,
  "settled calls without their leaf in the log": `SELECT count(*) n FROM invocations i WHERE i.state = 'settled' AND NOT EXISTS (
     SELECT 1 FROM log_leaves l WHERE l.leaf_index = i.log_index
       AND convert_from(l.leaf, 'UTF8')::json->>'invocationId' = i.invocation_id)`,
  "leaves in the log beyond the settled calls": `SELECT abs((SELECT count(*) FROM log_leaves WHERE kind = 'receipt')
     - (SELECT count(*) FROM invocations WHERE state = 'settled')) n`,
  "settled openings without their claim, its leaf and the other way round": `SELECT count(*) n
     FROM (SELECT invocation_id FROM invocations WHERE capability_id = 'claims.open' AND state = 'settled') i
     FULL JOIN (SELECT * FROM claims WHERE invocation_id IS NOT NULL) c USING (invocation_id)
     FULL JOIN (SELECT convert_from(leaf, 'UTF8')::json->>'claimId' AS claim_id, leaf_index FROM log_leaves
       WHERE kind = 'claim' AND convert_from(leaf, 'UTF8')::json->>'invocationId' IS NOT NULL) l USING (claim_id)
     WHERE invocation_id IS NULL OR claim_id IS NULL OR l.leaf_index IS DISTINCT FROM c.log_index`,
  "finished calls that still hold credit": `SELECT count(*) n FROM invocations i JOIN credit_balances b ON b.account = 'held:' || i.credit_hold
     WHERE i.state IN ('settled', 'failed', 'void') AND b.balance_micro_usd <> 0`,
  "held credit that belongs to no call under way": `SELECT count(*) n FROM credit_balances b WHERE b.account LIKE 'held:%' AND b.balance_micro_usd <> 0
     AND NOT EXISTS (SELECT 1 FROM invocations i WHERE 'held:' || i.credit_hold = b.account
       AND i.state IN ('reserved', 'settling', 'unknown'))`,
  "ledgers out of balance":
    "SELECT count(*) n FROM (SELECT sum(balance_micro_usd) total FROM credit_balances) all_accounts WHERE total <> 0",
  "balances that differ from their entries": `SELECT count(*) n FROM credit_balances b WHERE b.balance_micro_usd <>
     coalesce((SELECT sum(amount_micro_usd) FROM credit_entries e WHERE e.credit_account = b.account), 0)
     - coalesce((SELECT sum(amount_micro_usd) FROM credit_entries e WHERE e.debit_account = b.account), 0)`,
  "micro-USD redeemed beyond, or short of, what settled calls were given": `SELECT abs(
     coalesce((SELECT balance_micro_usd FROM credit_balances WHERE account = 'redeemed'), 0)
     - (SELECT coalesce(sum(credit_micro_usd), 0) FROM invocations WHERE state = 'settled'))::bigint n`,
};

/** Counts the rows again that belong together, however a call was paid. Returns a sentence for each violation. */
export async function auditRows(db: Queryable): Promise<string[]> {
  const violations: string[] = [];
  for (const [what, text] of Object.entries(impossible)) {
    const [row] = await db.query<{ n: bigint }>({ text });
    if (row && row.n !== 0n) violations.push(`${row.n} ${what}`);
  }
  return violations;
}

/** Compares what the database believes with what the chain did. */
export async function auditBooks(
  db: Queryable,
  devnet: Devnet,
  options: { readonly mayBeUnfinished?: boolean } = {},
): Promise<Audit> {
  const violations: string[] = [];
  const { charges, strays, total } = await readCharges(devnet);
  const settled = await db.query<SettledRow>({
    // A payment that a reorganisation undid is charged by the transaction that delivered it again.
    text: `SELECT invocation_id, payer, authorization_nonce, amount, coalesce(redelivered_by, transaction_hash) transaction_hash
           FROM invocations WHERE state = 'settled'`,
  });
  const settledOf = new Map(settled.map((row) => [keyOf(row.payer, row.authorization_nonce), row]));
  const chargeOf = new Map(charges.map((charge) => [keyOf(charge.payer, charge.nonce), charge]));
  if (strays > 0) violations.push(`${strays} transfers to us came without an authorization`);
  if (chargeOf.size !== charges.length) violations.push("an authorization was charged twice");
  for (const [key, charge] of chargeOf) {
    const row = settledOf.get(key);
    if (!row && !options.mayBeUnfinished)
      violations.push(`charged, but not settled in the database: ${key} in ${charge.transaction}`);
    if (row && (row.amount !== charge.amount || row.transaction_hash !== charge.transaction))
      violations.push(`settled with another amount or transaction than charged: ${row.invocation_id}`);
  }
  for (const [key, row] of settledOf) {
    if (!chargeOf.has(key)) violations.push(`settled without a charge on chain: ${row.invocation_id}`);
  }
  const balanceOf = `0x70a08231${asTopic(devnet.payTo).slice(2)}`;
  const word = await devnet.request<Hex>("eth_call", [
    { to: devnet.stablecoin.address, data: balanceOf },
    "latest",
  ]);
  const charged = charges.reduce((sum, { amount }) => sum + amount, 0n);
  if (total !== charged && strays === 0) violations.push("the transfers do not add up to the charges");
  if (BigInt(word) !== total)
    violations.push(`our balance is ${BigInt(word)}, the transfers to us add up to ${total}`);
  violations.push(...(await auditRows(db)));
  const states = await db.query<{ state: string; n: bigint }>({
    text: "SELECT state, count(*) n FROM invocations GROUP BY state ORDER BY state",
  });
  const byState = Object.fromEntries(states.map(({ state, n }) => [state, Number(n)]));
  const unfinished = ["reserved", "settling", "unknown"].reduce(
    (sum, state) => sum + (byState[state] ?? 0),
    0,
  );
  if (unfinished > 0 && !options.mayBeUnfinished)
    violations.push(`${unfinished} calls are neither settled nor given up`);
  return {
    violations,
    settled: settled.length,
    charges: charges.length,
    unfinished,
    byState,
    charged: new Set(chargeOf.keys()),
    settledKeys: new Set(settledOf.keys()),
  };
}
