/** The change of one balance, by each of the three ways of knowing it. */
export interface BalanceRow {
  readonly holder: string;
  /** Null for the native currency. */
  readonly token: string | null;
  readonly id: string | null;
  readonly measured: { readonly before: bigint; readonly after: bigint } | undefined;
  readonly inferred: { readonly change: bigint; readonly bound: string } | undefined;
  readonly traced: bigint | undefined;
}

export interface AllowanceRow {
  readonly owner: string;
  readonly token: string;
  readonly spender: string;
  readonly form: string;
  readonly measured: { readonly before: bigint; readonly after: bigint } | undefined;
  /** Null where the allowance is unlimited. */
  readonly inferred: bigint | null | undefined;
}

export interface Effects {
  readonly balances: readonly BalanceRow[];
  readonly allowances: readonly AllowanceRow[];
  /** False where the simulation gave no differences, so that only calldata and trace are known. */
  readonly isMeasured: boolean;
}

/** The most reliable change of a balance: measured, else traced by the node, else inferred from calldata. */
export const changeOf = ({ measured, traced, inferred }: BalanceRow): bigint =>
  measured ? measured.after - measured.before : (traced ?? inferred?.change ?? 0n);

type Row = Record<string, unknown>;
const rowsOf = (part: unknown, name: string): Row[] => {
  const rows = (part as Row | null | undefined)?.[name];
  return Array.isArray(rows) ? rows : [];
};
const big = (value: unknown) => BigInt(String(value));

/** The differences in a transaction guard's findings, one row for each balance and allowance that changes. */
export function findEffects(findings: unknown): Effects {
  const { measured, inferred, traced } = (findings ?? {}) as Row;
  const balances = new Map<string, BalanceRow>();
  const balanceOf = ({ holder, token, id }: Row): [string, BalanceRow] => {
    const key = `${holder} ${token} ${id}`;
    const empty = { measured: undefined, inferred: undefined, traced: undefined };
    return [
      key,
      balances.get(key) ?? ({ holder, token: token ?? null, id: id ?? null, ...empty } as BalanceRow),
    ];
  };
  for (const row of rowsOf(measured, "balances")) {
    const [key, known] = balanceOf(row);
    balances.set(key, { ...known, measured: { before: big(row.before), after: big(row.after) } });
  }
  for (const row of rowsOf(inferred, "balances")) {
    const [key, known] = balanceOf(row);
    const change = big(row.change) + (known.inferred?.change ?? 0n);
    balances.set(key, { ...known, inferred: { change, bound: String(row.bound) } });
  }
  for (const row of rowsOf(traced, "balances")) {
    const [key, known] = balanceOf(row);
    balances.set(key, { ...known, traced: big(row.change) });
  }
  return {
    balances: [...balances.values()],
    allowances: listAllowances(measured, inferred),
    isMeasured: measured !== null && measured !== undefined,
  };
}

function listAllowances(measured: unknown, inferred: unknown): AllowanceRow[] {
  const keyOf = ({ owner, token, spender, form }: Row) => `${owner} ${token} ${spender} ${form}`;
  const rows = new Map<string, AllowanceRow>();
  for (const row of rowsOf(inferred, "allowances"))
    rows.set(keyOf(row), {
      ...(row as unknown as AllowanceRow),
      inferred: row.amount === null ? null : big(row.amount),
      measured: undefined,
    });
  for (const row of rowsOf(measured, "allowances")) {
    const known = rows.get(keyOf(row)) ?? ({ ...row, inferred: undefined } as unknown as AllowanceRow);
    rows.set(keyOf(row), { ...known, measured: { before: big(row.before), after: big(row.after) } });
  }
  return [...rows.values()];
}
