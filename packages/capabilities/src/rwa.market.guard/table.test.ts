import { afterAll, expect, test } from "vitest";
import { useAssetFixture } from "./testing/assetFixture.js";
import { hostileRows } from "./testing/listHostileRows.js";
import { issuerRows } from "./testing/listIssuerRows.js";
import { marketRows } from "./testing/listMarketRows.js";

const fixture = useAssetFixture();
const rows = [...issuerRows, ...marketRows, ...hostileRows];
const table: Record<string, unknown>[] = [];
/** Bounds the evidence, no matter what a token answers. Characters of canonical JSON. */
const MAX_EVIDENCE_CHARACTERS = 40_000;

afterAll(() => {
  if (process.env.SHOW_RWA_TABLE) console.table(table);
});

test.each(rows.map((row) => [row.name, row.verdict, row] as const))("%s: %s", async (_, verdict, row) => {
  const question = await row.arrange(fixture.issuer);
  const answer = await fixture.guard({
    ...question,
    ...(row.silent && { through: fixture.deafTo(row.silent) }),
  });
  table.push({
    situation: row.name,
    expected: verdict,
    given: answer.verdict,
    reasons: answer.reasonCodes.join(" "),
  });
  expect(answer.reasonCodes).toEqual(expect.arrayContaining([...row.codes]));
  for (const code of row.without ?? []) expect(answer.reasonCodes).not.toContain(code);
  expect(answer.verdict).toBe(verdict);
  expect(answer.bytes).toBeLessThan(MAX_EVIDENCE_CHARACTERS);
});
