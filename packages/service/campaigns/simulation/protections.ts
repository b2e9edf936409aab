import type { ChannelDeposit } from "@assay/protocol";
import type { Given } from "./callRows.js";
import type { View } from "./rowStore.js";
import type { Overrides } from "./simulatedDatabase.js";
import type { CallRow, ChannelTableRow } from "./tables.js";

/** What a control takes away, at the seam where the simulation ends and the code begins. */
export interface Protection {
  readonly statements?: Overrides;
}

const startAgain: View["conflict"] = () => undefined;

/** Rows of one table as they are not, for a statement that then does what it should not. */
function pretend<V>(view: View, name: string, change: (value: V) => V, restore: (value: V) => V): View {
  const seen = (table: { readonly name: string }, value: unknown) =>
    table.name === name && value !== undefined ? change(value as V) : value;
  return {
    ...view,
    get: (table, key) => seen(table, view.get(table, key)) as never,
    lock: (table, key) => seen(table, view.lock(table, key)) as never,
    put: (table, key, value) =>
      view.put(table, key, (table.name === name ? restore(value as unknown as V) : value) as never),
  };
}

const asIfUnsettled: Overrides[string] = (usual) => (view, tables, values) =>
  usual(
    pretend<CallRow>(
      view,
      "invocations",
      (row) => (row.state === "settled" ? { ...row, state: "settling" } : row),
      (row) => row,
    ),
    tables,
    values,
  );

/** Each protection, and what is left without it. */
export const protections = {
  "one call for each authorization": {
    statements: {
      invocation_reserve: (usual) => (view, tables, values) =>
        usual({ ...view, conflict: startAgain }, tables, values),
    },
  },
  "a quote is taken once": {
    statements: {
      quote_consume:
        () =>
        (view, tables, [id, call]) => {
          const quote = view.lock(tables.quotes, id as string);
          if (!quote) return [];
          view.put(tables.quotes, quote.quote_id, { ...quote, invocation_id: call as string });
          return [{ quote_id: quote.quote_id }];
        },
    },
  },
  "settling is committed before the money moves": {
    statements: {
      invocation_answered:
        () =>
        (_view, _tables, [json]) =>
          (JSON.parse(json as string) as Given[]).map(({ invocation_id }) => ({ invocation_id })),
    },
  },
  "only a use after the reservation pays": {
    statements: {
      invocation_reserve:
        (usual) =>
        (view, tables, [json, seconds]) => {
          const rows = (JSON.parse(json as string) as Given[]).map((row) => ({
            ...row,
            reserved_at_block: 1,
          }));
          return usual(view, tables, [JSON.stringify(rows), seconds]);
        },
    },
  },
  // In the statement, and in the one that locks before it.
  "a call is settled once": {
    statements: {
      invocations_lock: asIfUnsettled,
      invocation_settled: asIfUnsettled,
    },
  },
  // In the statement, and in the check before it.
  "a channel is charged no more than it holds": {
    statements: {
      channels_find: (usual) => (view, tables, values) =>
        (usual(view, tables, values) as ChannelTableRow[]).map((row) => ({
          ...row,
          balance: row.balance + 2n ** 60n,
        })),
      channels_charge: (usual) => (view, tables, values) =>
        usual(
          pretend<ChannelTableRow>(
            view,
            "channels",
            (row) => ({ ...row, balance: row.balance + 2n ** 60n }),
            (row) => ({ ...row, balance: row.balance - 2n ** 60n }),
          ),
          tables,
          values,
        ),
    },
  },
  "a deposit counts once": {
    statements: {
      channel_keep_deposit: (usual) => (view, tables, values) => {
        usual(view, tables, values);
        const row = view.get(tables.channels, String(values[0]));
        const { amount } = JSON.parse(values[1] as string) as ChannelDeposit;
        if (row)
          view.put(tables.channels, String(values[0]), { ...row, balance: row.balance + BigInt(amount) });
        return [];
      },
    },
  },
  "what is refunded is charged no more": {
    statements: { channel_refunding: () => () => [] },
  },
} satisfies Record<string, Protection>;

export type ProtectionName = keyof typeof protections;
