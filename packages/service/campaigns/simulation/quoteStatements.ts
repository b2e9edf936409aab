import type { Statement } from "./paymentStatements.js";
import type { View } from "./rowStore.js";
import type { QuoteRow, Tables } from "./tables.js";

function changeQuote(
  view: View,
  { quotes }: Tables,
  id: unknown,
  news: (row: QuoteRow) => Partial<QuoteRow> | undefined,
) {
  const seen = view.get(quotes, id as string);
  const row = seen && news(seen) ? view.lock(quotes, id as string) : undefined;
  const changed = row && news(row);
  if (!row || !changed) return [];
  view.put(quotes, row.quote_id, { ...row, ...changed });
  return [{ quote_id: row.quote_id }];
}

export const quoteStatements: Readonly<Record<string, Statement>> = {
  quote_find: (view, { quotes }, [id]) => {
    const quote = view.get(quotes, id as string);
    return quote ? [quote] : [];
  },
  quote_consume: (view, tables, [id, call, isOwed]) =>
    changeQuote(view, tables, id, ({ invocation_id: holder, expires_at }) =>
      (holder === null || holder === call) && (isOwed || expires_at.getTime() > view.nowMs)
        ? { invocation_id: call as string }
        : undefined,
    ),
  quote_release: (view, tables, [id, call]) => {
    changeQuote(view, tables, id, (row) =>
      row.invocation_id === call ? { invocation_id: null } : undefined,
    );
    return [];
  },
  quote_end: (view, tables, [id]) => {
    changeQuote(view, tables, id, ({ expires_at }) => ({
      expires_at: expires_at.getTime() < view.nowMs ? expires_at : view.now,
    }));
    return [];
  },
};
