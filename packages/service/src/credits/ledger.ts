import { hashCanonical } from "@assay/protocol";
import type { Queryable, Transaction } from "../store/database.js";
import { inOrder } from "../store/inOrder.js";

/** What credit is given for. */
export type CreditProgramme = "dividend" | "review" | "pledge";
/** Credits leave an issuing account, sit with a wallet, are held for a call, and end as redeemed. */
export type CreditAccount = `wallet:${string}` | `held:${string}` | `issue:${CreditProgramme}` | "redeemed";

export interface CreditMove {
  /** Names the one event that justifies this entry; a second entry for it is impossible. */
  readonly cause: string;
  readonly from: CreditAccount;
  readonly to: CreditAccount;
  readonly amountMicroUsd: bigint;
}

/** The public part of a written entry. */
export interface CreditEntry {
  readonly entryId: string;
  /** Over the entry and a salt that is kept with it: the log can hold this without showing whose entry it is. */
  readonly entryHash: string;
}

export class InsufficientCreditError extends Error {
  override readonly name = "InsufficientCreditError";
}

export async function getBalance(db: Queryable, account: CreditAccount): Promise<bigint> {
  const [row] = await db.query<{ balance_micro_usd: bigint }>({
    name: "credit_balance",
    text: "SELECT balance_micro_usd FROM credit_balances WHERE account = $1",
    values: [account],
  });
  return row?.balance_micro_usd ?? 0n;
}

/** Sets credit aside for a call. */
export const holdMove = (wallet: string, hold: string, amountMicroUsd: bigint): CreditMove => ({
  cause: `hold:${hold}`,
  from: `wallet:${wallet}`,
  to: `held:${hold}`,
  amountMicroUsd,
});

/** The call was paid: the held credit is spent. */
export const redeemMove = (hold: string, amountMicroUsd: bigint): CreditMove => ({
  cause: `redeem:${hold}`,
  from: `held:${hold}`,
  to: "redeemed",
  amountMicroUsd,
});

/** The call charged nothing: the held credit goes back to the wallet it came from. */
export const releaseMove = (wallet: string, hold: string, amountMicroUsd: bigint): CreditMove => ({
  cause: `release:${hold}`,
  from: `held:${hold}`,
  to: `wallet:${wallet}`,
  amountMicroUsd,
});

/** Creates credit; `cause` is the single event behind it within the programme. */
export const issueMove = (
  wallet: string,
  programme: CreditProgramme,
  cause: string,
  amountMicroUsd: bigint,
): CreditMove => ({
  cause: `${programme}:${cause}`,
  from: `issue:${programme}`,
  to: `wallet:${wallet}`,
  amountMicroUsd,
});

/**
 * Writes the entries and every balance they touch, inside the transaction of the events they record. Throws
 * `InsufficientCreditError` when an account that may not go below zero would: the transaction must then be rolled back.
 * Balances are locked in one order, so that two of these never wait for each other; for that, a transaction makes all
 * its moves in one call.
 */
export async function moveCredits(tx: Transaction, moves: readonly CreditMove[]): Promise<CreditEntry[]> {
  if (moves.length === 0) return [];
  const accounts = [...new Set(moves.flatMap(({ from, to }) => [from, to]))].sort();
  const given = moves.map(({ cause, from, to, amountMicroUsd }) => ({
    cause,
    debit_account: from,
    credit_account: to,
    amount_micro_usd: String(amountMicroUsd),
  }));
  try {
    const [, rows] = await inOrder(tx, [
      (tx) =>
        tx.query({
          name: "credit_accounts",
          text: `INSERT INTO credit_balances (account, balance_micro_usd) SELECT unnest($1::text[]), 0
                 ON CONFLICT (account) DO NOTHING`,
          values: [accounts],
        }),
      (tx) =>
        tx.query<EntryRow>({ name: "credit_move", text: MOVE, values: [JSON.stringify(given), accounts] }),
    ]);
    return rows.map(toEntry);
  } catch (error) {
    if ((error as { constraint?: unknown }).constraint === "credit_balances_check")
      throw new InsufficientCreditError("an account holds less than what is to leave it", { cause: error });
    throw error;
  }
}

const MOVE = `
  WITH moves AS (
    SELECT * FROM json_to_recordset($1)
      AS m (cause text, debit_account text, credit_account text, amount_micro_usd bigint)),
  changes AS (
    SELECT account, sum(change) AS change FROM (
      SELECT debit_account AS account, -amount_micro_usd AS change FROM moves
      UNION ALL SELECT credit_account, amount_micro_usd FROM moves) AS legs
    GROUP BY account),
  locked AS MATERIALIZED (
    SELECT account FROM credit_balances WHERE account = ANY($2) ORDER BY account FOR UPDATE),
  balanced AS (
    UPDATE credit_balances b SET balance_micro_usd = b.balance_micro_usd + c.change
    FROM changes c JOIN locked USING (account) WHERE b.account = c.account)
  INSERT INTO credit_entries (cause, debit_account, credit_account, amount_micro_usd)
  SELECT cause, debit_account, credit_account, amount_micro_usd FROM moves
  RETURNING entry_id, cause, debit_account, credit_account, amount_micro_usd, salt`;

interface EntryRow {
  entry_id: bigint;
  cause: string;
  debit_account: string;
  credit_account: string;
  amount_micro_usd: bigint;
  salt: string;
}

function toEntry(row: EntryRow): CreditEntry {
  const { entry_id, cause, debit_account: from, credit_account: to, salt } = row;
  const amountMicroUsd = row.amount_micro_usd.toString();
  return {
    entryId: entry_id.toString(),
    entryHash: hashCanonical({ cause, from, to, amountMicroUsd, salt }),
  };
}
