import { readFileSync } from "node:fs";
import { usdFromMicro } from "@assay/protocol";
import { describe, expect, it } from "vitest";
import { capabilities } from "./capabilities.js";
import { rule as contractGuardRule } from "./contract.guard/rule.js";
import type { Capability } from "./defineCapability.js";
import { exampleEcho } from "./example.echo/capability.js";
import type { Reasons } from "./shared/verdict/reasons.js";

/** Those on sale, and the one that new pages are copied from. */
const described: readonly Capability[] = [...capabilities, exampleEcho];
const contractGuardReasons = contractGuardRule.reasons;
const pageOf = (id: string) => readFileSync(new URL(`${id}/README.md`, import.meta.url), "utf8");

describe("the page of a capability", () => {
  it.each(described)("$id: how to call it, what it costs and what it cannot know", (capability) => {
    expect(listMissing(pageOf(capability.id), capability)).toEqual([]);
  });

  it.each(described)("$id: every reason its rule can give, with its verdict", async ({ id, loadRule }) => {
    const { reasons } = await loadRule();
    expect(compareReasons(pageOf(id), reasons)).toEqual([]);
  });

  it("is not satisfied by a page that leaves a reason out, calls it harmless or says both", () => {
    const page = pageOf("contract.guard");
    const without = page.replace("`CONTRACT_PAUSED`", "paused");
    expect(compareReasons(without, contractGuardReasons)).toEqual(["CONTRACT_PAUSED is missing"]);
    const harmless = page.replace("`CONTRACT_PAUSED` | block", "`CONTRACT_PAUSED` | allow");
    expect(compareReasons(harmless, contractGuardReasons)).toEqual(["CONTRACT_PAUSED is block"]);
    const contradictory = `${page}\n| \`CONTRACT_PAUSED\` | allow | calls go through |\n`;
    expect(compareReasons(contradictory, contractGuardReasons)).toEqual(["CONTRACT_PAUSED has 2 rows"]);
  });
});

/** What a page does not state. */
function listMissing(page: string, { id, method, prices, input }: Capability): string[] {
  const [opening = ""] = page.split(/^## /m);
  const usd = new Set([prices.hitMicroUsd, prices.partialMicroUsd, prices.missMicroUsd].map(usdFromMicro));
  const expected: [what: string, isThere: boolean][] = [
    ["route", opening.includes(`${method} /api/v1/capabilities/${id}/invoke`)],
    ...[...usd].map((price): [string, boolean] => [
      `price ${price}`,
      new RegExp(`(?<![\\d.])${String(price).replace(".", "\\.")}0*(?!\\d)`).test(opening),
    ]),
    ...Object.keys(input.shape).map((field): [string, boolean] => [
      `input ${field}`,
      new RegExp(`[?&\`"]${field}[\`"=]`).test(page),
    ]),
    ["limitations", /^## What it cannot know\n\n\S/m.test(page)],
  ];
  return expected.filter(([, isThere]) => !isThere).map(([what]) => what);
}

/** Reasons that a page does not name, has two rows for, or whose row in a table states another verdict. */
function compareReasons(page: string, reasons: Reasons): string[] {
  const rows = page.split("\n").filter((line) => line.startsWith("| `"));
  return Object.entries(reasons).flatMap(([code, { verdict }]) => {
    if (!page.includes(`\`${code}\``)) return [`${code} is missing`];
    const stated = rows.filter((row) => row.split(" | ")[0]?.includes(`\`${code}\``));
    if (stated.length > 1) return [`${code} has ${stated.length} rows`];
    const isSaid = stated.every((row) => row.split(" | ")[1]?.includes(verdict));
    return isSaid ? [] : [`${code} is ${verdict}`];
  });
}
