import type { Queryable } from "../store/database.js";

/** Credits leave an issuing account, sit with a wallet, are held for a call, and end as redeemed. */
export type CreditAccount = `wallet:${string}` | `held:${string}` | `issue:${string}` | "redeemed";

export interface CreditMove {
  /** Names the one event that justifies this entry; a second entry for it is impossible. */
  readonly cause: string;
  readonly from: CreditAccount;
  readonly to: CreditAccount;
  readonly amountMicroUsd: bigint;
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

/** Writes one entry and both balances. Must run inside the transaction of the event it records. */
async function move(tx: Queryable, { cause, from, to, amountMicroUsd }: CreditMove): Promise<void> {
  const debited = await tx.query({
    name: from.startsWith("issue:") ? "credit_issue" : "credit_debit",
    text: from.startsWith("issue:")
      ? `INSERT INTO credit_balances (account, balance_micro_usd) VALUES ($1, -$2::bigint)
         ON CONFLICT (account) DO UPDATE SET balance_micro_usd = credit_balances.balance_micro_usd - $2::bigint RETURNING account`
      : `UPDATE credit_balances SET balance_micro_usd = balance_micro_usd - $2::bigint
         WHERE account = $1 AND balance_micro_usd >= $2::bigint RETURNING account`,
    values: [from, amountMicroUsd],
  });
  if (debited.length === 0)
    throw new InsufficientCreditError(`${from} holds less than ${amountMicroUsd} micro-USD`);
  await tx.query({
    name: "credit_credit",
    text: `INSERT INTO credit_balances (account, balance_micro_usd) VALUES ($1, $2)
           ON CONFLICT (account) DO UPDATE SET balance_micro_usd = credit_balances.balance_micro_usd + $2::bigint`,
    values: [to, amountMicroUsd],
  });
  await tx.query({
    name: "credit_entry",
    text: "INSERT INTO credit_entries (cause, debit_account, credit_account, amount_micro_usd) VALUES ($1, $2, $3, $4)",
    values: [cause, from, to, amountMicroUsd],
  });
}

/** Sets credit aside for a call, or throws when the wallet no longer has it. */
export function holdCredit(
  tx: Queryable,
  wallet: string,
  invocation: string,
  amountMicroUsd: bigint,
): Promise<void> {
  return move(tx, {
    cause: `hold:${invocation}`,
    from: `wallet:${wallet}`,
    to: `held:${invocation}`,
    amountMicroUsd,
  });
}

/** The call was paid: the held credit is spent. */
export function redeemHeldCredit(tx: Queryable, invocation: string, amountMicroUsd: bigint): Promise<void> {
  return move(tx, {
    cause: `redeem:${invocation}`,
    from: `held:${invocation}`,
    to: "redeemed",
    amountMicroUsd,
  });
}

/** The call charged nothing: the held credit goes back. */
export function releaseHeldCredit(
  tx: Queryable,
  wallet: string,
  invocation: string,
  amountMicroUsd: bigint,
): Promise<void> {
  return move(tx, {
    cause: `release:${invocation}`,
    from: `held:${invocation}`,
    to: `wallet:${wallet}`,
    amountMicroUsd,
  });
}

/** Creates credit. `reason` is the programme (dividend, review, pledge); `cause` the single event behind it. */
export function issueCredit(
  tx: Queryable,
  wallet: string,
  reason: string,
  cause: string,
  amountMicroUsd: bigint,
): Promise<void> {
  return move(tx, {
    cause: `${reason}:${cause}`,
    from: `issue:${reason}`,
    to: `wallet:${wallet}`,
    amountMicroUsd,
  });
}
