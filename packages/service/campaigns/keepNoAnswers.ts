import type { Queryable } from "../src/store/database.js";

/** The control of several campaigns: the bytes owed are not stored before money moves, so that nobody can give them later. */
export async function keepNoAnswers(db: Queryable): Promise<void> {
  for (const text of [
    "CREATE FUNCTION keep_no_answer() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$",
    "CREATE TRIGGER keep_no_answer BEFORE INSERT ON responses FOR EACH ROW EXECUTE FUNCTION keep_no_answer()",
  ])
    await db.query({ text });
}
