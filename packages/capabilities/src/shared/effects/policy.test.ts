import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { policy } from "./policy.js";

const page = readFileSync(new URL("../../../../../docs/policy.md", import.meta.url), "utf8");

test("the page about the policy has every line of it, and no other", () => {
  const rows = page.split("\n").filter((line) => line.startsWith("| `"));
  const lines = Object.entries(policy).map(
    ([code, { effect, party, verdict, why }]) =>
      `| \`${code}\` | ${verdict} | ${effect} | ${party} | ${why} |`,
  );
  expect(rows).toEqual(lines);
});

test("no two lines say the same of the same party with another verdict", () => {
  const seen = new Map<string, string>();
  for (const { effect, party, verdict } of Object.values(policy)) {
    const key = `${effect} | ${party}`;
    expect(seen.get(key) ?? verdict, key).toBe(verdict);
    seen.set(key, verdict);
  }
});
