import type { Queryable } from "../src/store/database.js";

/** `row`: nothing is stored, so that no money moves. `bytes`: money moves, and only who is answered at once ever sees what it bought. */
export type LostAnswers = "row" | "bytes";

/** The control of several campaigns: what is owed is not stored before money moves, so that nobody can give it later. */
export async function keepNoAnswers(db: Queryable, lost: LostAnswers): Promise<void> {
  const body = lost === "row" ? "RETURN NULL;" : "NEW.body := NULL; NEW.packed_body := NULL; RETURN NEW;";
  for (const text of [
    `CREATE FUNCTION keep_no_answer() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$`,
    "CREATE TRIGGER keep_no_answer BEFORE INSERT ON responses FOR EACH ROW EXECUTE FUNCTION keep_no_answer()",
  ])
    await db.query({ text });
}
