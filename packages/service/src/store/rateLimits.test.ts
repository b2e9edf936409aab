import { AssayError } from "@assay/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../test/createTestDatabase.js";
import { createDatabase, type Database } from "./database.js";
import { createRateLimits, deleteOldRateLimits, noRateLimits, type RateLimited } from "./rateLimits.js";

let own: TestDatabase;
let other: Database;

beforeAll(async () => {
  own = await createTestDatabase();
  other = createDatabase({ connectionString: own.connectionString });
});
afterAll(async () => {
  await other.close();
  await own.close();
});

/** As two processes have them: nothing in common but the database. */
const twoProcesses = () => [createRateLimits(own), createRateLimits(other)] as const;

async function countAdmitted(what: RateLimited, key: string, tries: number): Promise<number> {
  const processes = twoProcesses();
  let admitted = 0;
  for (let at = 0; at < tries; at += 1) {
    await processes[at % 2]?.consume(what, key).then(
      () => {
        admitted += 1;
      },
      (error) => expect(error).toBeInstanceOf(AssayError),
    );
  }
  return admitted;
}

test("two processes share one budget", async () => {
  expect(await countAdmitted("stats", "192.0.2.1", 80)).toBe(60);
});

test("what asks all at once gets no more than the budget either", async () => {
  const processes = twoProcesses();
  const tries = Array.from({ length: 100 }, (_, at) => processes[at % 2]?.consume("stats", "192.0.2.2"));
  const admitted = (await Promise.allSettled(tries)).filter(({ status }) => status === "fulfilled");
  expect(admitted).toHaveLength(60);
});

test("a refusal is retryable and says when", async () => {
  await countAdmitted("challenge", "0xa", 31);
  const refusal = await createRateLimits(own)
    .consume("challenge", "0xa")
    .catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: "rate_limited" });
  const { retryAfterSeconds } = refusal as AssayError;
  expect(retryAfterSeconds).toBeGreaterThanOrEqual(1);
  expect(retryAfterSeconds).toBeLessThanOrEqual(60);
});

test("another caller, and the same caller for something else, have budgets of their own", async () => {
  await countAdmitted("challenge", "0xb", 31);
  const [limits] = twoProcesses();
  await expect(limits.consume("challenge", "0xb")).rejects.toThrow("At most 30");
  await limits.consume("challenge", "0xc");
  await limits.consume("decision", "0xb");
});

test("counters are deleted once their window is long past, and only then", async () => {
  const [limits] = twoProcesses();
  await limits.consume("read", "192.0.2.3");
  await limits.consume("read", "192.0.2.4");
  await own.query({
    text: "UPDATE rate_limits SET expire = expire - 2 * 3600000 WHERE key LIKE '%192.0.2.3'",
  });
  await deleteOldRateLimits(own);
  const kept = await own.query<{ key: string }>({
    text: "SELECT key FROM rate_limits WHERE key LIKE 'read:%' ORDER BY key",
  });
  expect(kept.map(({ key }) => key)).toEqual(["read:192.0.2.4"]);
});

test("switched off, nothing is counted or refused", async () => {
  for (let at = 0; at < 100; at += 1) await noRateLimits.consume("challenge", "0xd");
});
