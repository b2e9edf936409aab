import { isUnsettled, parseRows, putCall } from "./callRows.js";
import type { Statement } from "./paymentStatements.js";
import { sqlError, type View } from "./rowStore.js";
import type { Tables } from "./tables.js";

/** `log_append`: everybody who appends holds the head until the end of the transaction. */
function append(view: View, { head, leaves }: Tables, [kinds, contents]: readonly unknown[]): bigint {
  const first = view.lock(head, "head")?.size ?? 0n;
  const all = contents as Buffer[];
  view.put(head, "head", { size: first + BigInt(all.length) });
  for (const [place, leaf] of all.entries()) {
    const leafIndex = first + BigInt(place);
    view.put(leaves, String(leafIndex), {
      leaf_index: leafIndex,
      kind: (kinds as string[])[place] as string,
      leaf,
    });
  }
  return first;
}

/** The places in the log of what a statement appends. */
function* appendAll(view: View, tables: Tables, values: readonly unknown[]): Generator<[string, bigint]> {
  const first = append(view, tables, values);
  for (const [place, subject] of (values[2] as string[]).entries()) yield [subject, first + BigInt(place)];
}

function settle(view: View, tables: Tables, values: readonly unknown[]): [] {
  const places = new Map(appendAll(view, tables, values));
  for (const g of parseRows(values[3])) {
    const id = g.invocation_id;
    const row = view.lock(tables.invocations, id);
    const logIndex = places.get(id);
    if (!row || !isUnsettled(row) || logIndex === undefined) continue;
    const { transaction_hash } = g;
    const news = { transaction_hash, settled_at: view.now, failure: null, log_index: logIndex };
    putCall(view, tables, { ...row, state: "settled", ...news });
    const response = view.get(tables.responses, id);
    const packed = Buffer.from(g.packed_payment_response, "base64");
    if (response) view.put(tables.responses, id, { ...response, packed_payment_response: packed });
  }
  return [];
}

function moveCredits(
  view: View,
  { balances, entries, sequences }: Tables,
  [json, accounts]: readonly unknown[],
) {
  const moves = parseRows(json);
  for (const account of [...(accounts as string[])].sort()) view.lock(balances, account);
  const move = (account: string, change: bigint) => {
    const balance = (view.get(balances, account)?.balance_micro_usd ?? 0n) + change;
    view.put(balances, account, { account, balance_micro_usd: balance });
  };
  const written = moves.map((given) => {
    const { cause, debit_account: debit, credit_account: credit } = given;
    const amount = BigInt(given.amount_micro_usd);
    move(debit, -amount);
    move(credit, amount);
    if (view.conflict(entries, "cause", cause))
      throw sqlError("23505", "duplicate key: credit_entries_cause_key", "credit_entries_cause_key");
    sequences.entry += 1n;
    const entry = {
      entry_id: sequences.entry,
      cause,
      debit_account: debit,
      credit_account: credit,
      amount_micro_usd: amount,
      salt: `salt ${sequences.entry}`,
    };
    view.put(entries, String(entry.entry_id), entry);
    return entry;
  });
  for (const account of accounts as string[]) {
    const balance = view.get(balances, account)?.balance_micro_usd ?? 0n;
    if (balance < 0n && !account.startsWith("issue:"))
      throw sqlError("23514", "credit_balances_check", "credit_balances_check");
  }
  return written;
}

function count(
  view: View,
  { stats }: Tables,
  day: string,
  capability: string,
  settled: bigint,
  paid: bigint,
  credit: bigint,
) {
  const key = `${day} ${capability}`;
  const row = view.lock(stats, key) ?? {
    capability_id: capability,
    settled: 0n,
    failed: 0n,
    paid_micro_usd: 0n,
    credit_micro_usd: 0n,
  };
  view.put(stats, key, {
    ...row,
    settled: row.settled + settled,
    failed: row.failed + (settled === 0n ? 1n : 0n),
    paid_micro_usd: row.paid_micro_usd + paid,
    credit_micro_usd: row.credit_micro_usd + credit,
  });
}

export const bookStatements: Readonly<Record<string, Statement>> = {
  credit_accounts: (view, { balances }, [accounts]) => {
    for (const account of accounts as string[])
      if (!view.conflict(balances, "account", account))
        view.put(balances, account, { account, balance_micro_usd: 0n });
    return [];
  },
  credit_move: moveCredits,
  log_unrecorded: (view, tables, values) => {
    append(view, tables, values);
    return [{ count: BigInt((values[1] as unknown[]).length) }];
  },
  log_receipts: (view, tables, values) => {
    for (const [subject, log_index] of appendAll(view, tables, values)) {
      const call = view.lock(tables.invocations, subject);
      if (call) view.put(tables.invocations, subject, { ...call, log_index });
    }
    return [];
  },
  invocation_settled: settle,
  stats_calls_count: (view, tables, [json, day]) => {
    const given = parseRows(json).sort((a, b) => a.capability_id.localeCompare(b.capability_id));
    for (const call of given)
      count(view, tables, String(day), call.capability_id, 1n, BigInt(call.paid), BigInt(call.credit));
    return [];
  },
  stats_failure_count: (view, tables, [, capability]) => {
    count(view, tables, view.now.toISOString().slice(0, 10), String(capability), 0n, 0n, 0n);
    return [];
  },
  // What the market keeps beside the books is not simulated.
  stats_wallets_open: () => [],
  stats_wallets_count: () => [],
  pledges_honour: () => [],
};
