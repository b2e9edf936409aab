import { afterAll, beforeAll } from "vitest";
import { createTestDatabase, type TestDatabase } from "./createTestDatabase.js";

/** One database for the tests of one file. */
export function useTestDatabase(): { readonly database: TestDatabase } {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  }, 60_000);
  afterAll(() => database?.close());
  return {
    get database() {
      return database;
    },
  };
}
