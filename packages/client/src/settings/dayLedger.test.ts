import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it } from "vitest";
import { type DayLedger, DayLimitError, openDayLedger as openLedger } from "./dayLedger.js";

const folders: string[] = [];
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-ledger-"));
  folders.push(folder);
});
const opened: DayLedger[] = [];
async function openDayLedger(...args: Parameters<typeof openLedger>): Promise<DayLedger> {
  const ledger = await openLedger(...args);
  opened.push(ledger);
  return ledger;
}
afterAll(() => Promise.all(opened.map((ledger) => ledger.close())));
afterAll(() => Promise.all(folders.map((one) => rm(one, { recursive: true, force: true }))));

const noon = () => new Date("2030-01-31T12:00:00Z");
const file = () => join(folder, "2030-01-31.jsonl");

it("grants exactly the limit to many at once, in several processes' views of one file", async () => {
  const ledgers = await Promise.all([1, 2, 3].map(() => openDayLedger(folder, noon)));
  const outcomes = await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const ledger = ledgers[index % 3] as (typeof ledgers)[0];
      try {
        const { amount, settle } = await ledger.reserve("priceMicroUsd", 250_000n, 5_000_000n);
        await settle(amount);
        return 1;
      } catch (error) {
        expect(error).toBeInstanceOf(DayLimitError);
        return 0;
      }
    }),
  );
  expect(outcomes.filter((granted) => granted === 1)).toHaveLength(20);
  for (const ledger of ledgers) expect(await ledger.spent("priceMicroUsd")).toBe(5_000_000n);
  // The same after a restart.
  const later = await openDayLedger(folder, noon);
  await expect(later.reserve("priceMicroUsd", 1n, 5_000_000n)).rejects.toThrow(DayLimitError);
});

it("gives back what was reserved and not spent, and waits for it before it refuses", async () => {
  const ledger = await openDayLedger(folder, noon);
  const first = await ledger.reserve("priceMicroUsd", 90n, 100n);
  const second = ledger.reserve("priceMicroUsd", 90n, 100n, { isPart: true });
  await first.settle(10n);
  expect((await second).amount).toBe(90n);
  await (await second).settle(1_000n);
  expect(await ledger.spent("priceMicroUsd")).toBe(100n);
  // What is left may be taken in part, but not of a value that is sent whole.
  const other = await openDayLedger(folder, noon);
  await (await other.reserve("valueWei", 60n, 100n)).settle(60n);
  await expect(other.reserve("valueWei", 60n, 100n)).rejects.toThrow("of");
  expect((await other.reserve("valueWei", 60n, 100n, { isPart: true })).amount).toBe(40n);
});

it("uses the whole limit where each takes less than it might have", async () => {
  const ledger = await openDayLedger(folder, noon);
  const spend = async () => {
    const reserved = await ledger.reserve("priceMicroUsd", 500n, 100n, { isPart: true });
    await new Promise((done) => setTimeout(done, 5));
    await reserved.settle(50n);
  };
  const outcomes = await Promise.allSettled([spend(), spend(), spend(), spend()]);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  expect(await ledger.spent("priceMicroUsd")).toBe(100n);
});

it("counts what a process had reserved when it died, and survives its half line", async () => {
  const died = await openDayLedger(folder, noon);
  await died.reserve("priceMicroUsd", 60n, 100n);
  await appendFile(file(), '\n{"reserve":"half","kind":"priceMicroUsd","amou');
  const ledger = await openDayLedger(folder, noon);
  await expect(ledger.reserve("priceMicroUsd", 60n, 100n)).rejects.toThrow(DayLimitError);
  expect((await ledger.reserve("priceMicroUsd", 40n, 100n)).amount).toBe(40n);
  expect(await readFile(file(), "utf8")).toContain('"amou\n');
});

it("begins anew at midnight UTC", async () => {
  let now = new Date("2030-01-31T23:59:59Z");
  const ledger = await openDayLedger(folder, () => now);
  await (await ledger.reserve("priceMicroUsd", 100n, 100n)).settle(100n);
  await expect(ledger.reserve("priceMicroUsd", 1n, 100n)).rejects.toThrow(DayLimitError);
  now = new Date("2030-02-01T00:00:00Z");
  expect((await ledger.reserve("priceMicroUsd", 100n, 100n)).amount).toBe(100n);
});
