import { canonicalJson } from "@assay/protocol";
import type { Queryable, Statement } from "../store/database.js";

/** What the log records. */
export type LeafKind =
  | "receipt"
  | "credit"
  | "publication"
  | "claim"
  | "challenge"
  | "verdict"
  | "decision"
  | "reorg"
  | "restoration";

export interface Leaf {
  readonly kind: LeafKind;
  /** Id of the row that the leaf is about. */
  readonly subject: string;
  /** Public for ever, so it holds only what is public already. */
  readonly content: Readonly<Record<string, unknown>>;
}

/**
 * What else the appending statement does: it writes the indices down, which it reads from `appended (subject, leaf_index)`. Its own
 * values follow three others, so the first of them is $4.
 */
export type LeafRecord = Statement & { readonly name: string };

/** For leaves whose place is recorded nowhere else. */
export const UNRECORDED = { name: "log_unrecorded", text: "SELECT count(*) FROM appended" };

/** Commits the log to a credit entry without showing whose it is. */
export const creditLeaf = (entry: { readonly entryId: string; readonly entryHash: string }): Leaf => ({
  kind: "credit",
  subject: entry.entryId,
  content: { ...entry },
});

/**
 * Appends inside the caller's transaction: a leaf exists exactly if what it records does. The head of the log stays
 * locked until that transaction ends, so this comes last.
 */
export async function appendLeaves(
  tx: Queryable,
  leaves: readonly Leaf[],
  record: LeafRecord,
): Promise<void> {
  if (leaves.length === 0) return;
  await tx.query({
    name: record.name,
    text: `WITH head AS MATERIALIZED (SELECT log_append($1::text[], $2::bytea[]) AS first_index),
           appended AS (
             SELECT subject, first_index + place - 1 AS leaf_index
             FROM head, unnest($3::text[]) WITH ORDINALITY AS given (subject, place))
           ${record.text}`,
    values: [
      leaves.map(({ kind }) => kind),
      leaves.map(({ kind, content }) => Buffer.from(canonicalJson({ kind, ...content }))),
      leaves.map(({ subject }) => subject),
      ...(record.values ?? []),
    ],
  });
}
