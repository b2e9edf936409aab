import type { StoredArtifact } from "@assay/capabilities";
import { type ResultBody, resultHashOf } from "@assay/protocol";
import type { Database, Queryable } from "../store/database.js";
import { type ArtifactRow, artifactFromRow } from "./artifacts.js";
import { cutOut } from "./cutResult.js";

/** An answer that was sold before, with what every later sale of it has in common with the first. */
export interface SoldAnswer {
  readonly artifact: StoredArtifact;
  readonly resultHash: string;
  /** The JSON of its result. */
  readonly resultText: string;
  /** What else the first buyer was given; undefined where that text does not hold the result as it is written now. */
  readonly firstRest: string | undefined;
}

export interface SoldAnswers {
  /** The newest answer to this question that is still inside its window. */
  findFresh(inputHash: string, headBlock: number): Promise<SoldAnswer | undefined>;
}

/** A result with proofs has some ten thousand characters, so this is about a thousand answers. */
const MAX_REMEMBERED_CHARACTERS = 16_000_000;

/**
 * The database says each time which answer is sold; memory holds the answers themselves, which never change. Without it, every sale
 * would fetch, parse and hash the whole answer again.
 */
export function createSoldAnswers(database: Database): SoldAnswers {
  /** By artifact; the least recently used come first. */
  const remembered = new Map<string, SoldAnswer>();
  const newest = new Map<string, string>();
  let characters = 0;

  function forgetOldest(): void {
    for (const [artifactId, { artifact, resultText }] of remembered) {
      if (characters <= MAX_REMEMBERED_CHARACTERS) return;
      characters -= resultText.length;
      remembered.delete(artifactId);
      if (newest.get(artifact.inputHash) === artifactId) newest.delete(artifact.inputHash);
    }
  }

  function remember(artifactId: string, answer: SoldAnswer): void {
    if (!remembered.delete(artifactId)) characters += answer.resultText.length;
    remembered.set(artifactId, answer);
    newest.set(answer.artifact.inputHash, artifactId);
    forgetOldest();
  }

  async function findAll(questions: readonly Question[]): Promise<(SoldAnswer | undefined)[]> {
    const distinct = new Map(questions.map((question) => [keyOf(question), question]));
    // Held until the database has answered, whatever is forgotten meanwhile.
    const known = new Map<string, SoldAnswer>();
    for (const { input_hash } of distinct.values()) {
      const artifactId = newest.get(input_hash);
      const answer = artifactId === undefined ? undefined : remembered.get(artifactId);
      if (artifactId !== undefined && answer) known.set(artifactId, answer);
    }
    const rows = await database.query<FreshRow>({
      name: "artifact_fresh",
      text: `SELECT a.*, CASE WHEN a.artifact_id = ANY($2) THEN NULL ELSE r.body END AS body, q.head_block
             FROM json_to_recordset($1) AS q (input_hash text, head_block bigint)
             CROSS JOIN LATERAL (
               SELECT * FROM artifacts WHERE input_hash = q.input_hash AND valid_until_block >= q.head_block
                 AND block_number <= q.head_block AND fresh_until > now()
               ORDER BY block_number DESC LIMIT 1) a
             JOIN responses r USING (invocation_id)`,
      values: [JSON.stringify([...distinct.values()]), [...known.keys()]],
    });
    const found = new Map<string, SoldAnswer>();
    for (const { body, head_block, ...row } of rows) {
      const answer = body ? toSoldAnswer({ ...row, body }) : known.get(row.artifact_id);
      if (!answer) continue;
      remember(row.artifact_id, answer);
      found.set(keyOf({ input_hash: row.input_hash, head_block: Number(head_block) }), answer);
    }
    return questions.map((question) => found.get(keyOf(question)));
  }

  return {
    findFresh: (inputHash, headBlock) =>
      database.batch("artifact", { input_hash: inputHash, head_block: headBlock }, findAll),
  };
}

interface Question {
  readonly input_hash: string;
  readonly head_block: number;
}

interface FreshRow extends ArtifactRow {
  body: Buffer | null;
  head_block: bigint;
}

const keyOf = ({ input_hash, head_block }: Question) => `${input_hash} ${head_block}`;

function toSoldAnswer(row: ArtifactRow & { body: Buffer }): SoldAnswer {
  const text = row.body.toString("utf8");
  const { result } = JSON.parse(text) as { result: ResultBody };
  const artifact = { ...artifactFromRow(row), result };
  const resultText = JSON.stringify(result);
  const resultHash = resultHashOf(artifact.verdict, result);
  return { artifact, resultHash, resultText, firstRest: cutOut(text, resultText) };
}

/** The newest answer to this question, whether or not its window is open. */
export async function findNewestAnswer(db: Queryable, inputHash: string): Promise<SoldAnswer | undefined> {
  const [row] = await db.query<ArtifactRow & { body: Buffer }>({
    name: "artifact_newest",
    text: `SELECT a.*, r.body FROM artifacts a JOIN responses r USING (invocation_id)
           WHERE a.input_hash = $1 ORDER BY a.block_number DESC LIMIT 1`,
    values: [inputHash],
  });
  return row && toSoldAnswer(row);
}
