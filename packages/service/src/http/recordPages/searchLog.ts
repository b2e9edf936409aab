import type { LogEntries } from "@assay/protocol";
import { pickEntries } from "../../log/listEntries.js";
import type { Queryable } from "../../store/database.js";

/** Of one search; more about one address are found by its own pages. */
const MOST_FOUND = 50;

/**
 * The entries that a number, a receipt's id, a claim's id or an address leads to. Who searches for a receipt has its id, and may
 * learn its place; no wallet leads to what it bought.
 */
export async function searchLog(db: Queryable, text: string): Promise<LogEntries> {
  if (/^\d{1,15}$/.test(text)) return pickEntries(db, [Number(text)]);
  const rows = await db.query<{ log_index: bigint }>({
    name: "log_search",
    text: `SELECT log_index FROM (
             SELECT log_index FROM invocations WHERE invocation_id = $1
             UNION SELECT log_index FROM claims WHERE claim_id = $1
             UNION SELECT log_index FROM challenges WHERE claim_id = $1
             UNION (SELECT log_index FROM claims WHERE address = $1 ORDER BY log_index DESC NULLS LAST LIMIT $2)
             UNION (SELECT log_index FROM publications WHERE address = $1 ORDER BY log_index DESC NULLS LAST LIMIT $2)
             UNION (SELECT log_index FROM publications WHERE wallet = $1 ORDER BY log_index DESC NULLS LAST LIMIT $2)) AS found
           WHERE log_index IS NOT NULL ORDER BY log_index DESC LIMIT $2`,
    values: [/^0x/i.test(text) ? text.toLowerCase() : text, MOST_FOUND],
  });
  return pickEntries(
    db,
    rows.map(({ log_index }) => Number(log_index)),
  );
}
