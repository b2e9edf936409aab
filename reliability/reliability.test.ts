import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";
import { expect, test } from "vitest";
import { campaigns } from "./campaigns.mjs";
import { controlPlugin } from "./controlPlugin.mjs";
import { root } from "./runCommand.mjs";
import { describeResults } from "./writeReport.mjs";

interface Campaign {
  readonly id: string;
  readonly run: { readonly minutes: number; readonly files?: readonly string[] };
  readonly control: { readonly statement?: string; readonly without?: { readonly file: string } };
}
const listed = campaigns as unknown as readonly Campaign[];

test("all campaigns together are estimated at four hours or less", () => {
  expect(listed.reduce((sum, { run }) => sum + run.minutes, 0)).toBeLessThanOrEqual(240);
  expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
});

test("what a control removes stands in its source, which without it is still a program", () => {
  const removed = listed.flatMap(({ control }) => (control.without ? [control.without] : []));
  expect(removed.length).toBeGreaterThan(3);
  for (const without of removed) {
    const path = join(root, without.file);
    const text = readFileSync(path, "utf8");
    const changed = controlPlugin(without).transform(text, path) as string;
    expect(changed).not.toBe(text);
    expect(parseSync(path, changed).errors).toEqual([]);
  }
});

const result = {
  id: "races",
  commit: "a".repeat(40),
  isChanged: false,
  isQuick: true,
  seed: 7,
  date: "2026-01-02T03:04:05.000Z",
  node: "v20.19.0",
  load: [1, 2],
  minutes: 3,
  violations: [],
  figures: { quotes: 40, grants: 40 },
  control: { removed: "the lock", isBlind: false, reported: ["quote granted 4 times"], inAll: 5 },
};
const rowOf = (changes: object) =>
  describeResults([{ ...result, ...changes }])
    .split("\n")
    .find((line: string) => line.startsWith("| races |"));

test("the page states figures, what was removed and what was reported, and what was not run", () => {
  expect(rowOf({})).toContain(
    '| holds | quotes 40, grants 40 | Removed: the lock. Reported 5: "quote granted 4 times" |',
  );
  expect(rowOf({ violations: ["two | grants"] })).toContain("**1 violations**: two \\| grants");
  expect(rowOf({ failure: "it ended with 1" })).toContain("**did not end**: it ended with 1");
  expect(rowOf({ control: { removed: "the lock", isBlind: true } })).toContain("**Not noticed.**");
  const page = describeResults([result]);
  expect(page).toContain("| races | short | 2026-01-02 03:04 | aaaaaaaaaaaa | 7 | 3 | 1, 2 | v20.19.0 |");
  expect(page).toMatch(/\| kill \| .* \| not run \|/);
});
