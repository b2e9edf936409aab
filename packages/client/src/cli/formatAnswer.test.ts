import { expect, it } from "vitest";
import type { PaidAnswer } from "../paidAnswer.js";
import { formatAnswer } from "./formatAnswer.js";

/** The lines about an answer with these findings. */
function linesOf(findings: unknown): string[] {
  const answer = {
    ...{
      verdict: "review",
      capabilityId: "amm.v4.hook.guard",
      nextCall: null,
      receiptUrl: "http://service/r",
    },
    result: {
      ...{ summary: "A hook.", reasonCodes: ["A", "B"], limitations: ["Not all was tried."] },
      ...{ computedAtBlock: 1, validUntilBlock: 2, evidence: { findings } },
    },
    evidenceReference: { blockHash: "0x" },
    pricing: { pricePaidUsd: 1, listPriceUsd: 1, creditAppliedUsd: 0 },
  };
  const paid = { answer, settlement: null } as unknown as PaidAnswer;
  return formatAnswer(
    paid,
    { state: "open" },
    "wallet",
    (_style, text) => text,
    (code) => code,
  ).split("\n");
}
const trips = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ role: "router", lossPpm: index, back: { success: true } }));

it("shows short findings whole", () => {
  const lines = linesOf({ hook: null, trips: trips(3) });
  expect(lines).toContain("  trips.2.back.success  true");
  expect(lines.join("\n")).not.toContain("more lines");
});

it("shows of long lists what their entries are like, how much is left, and still every reason and limitation", () => {
  const lines = linesOf({ hook: null, trips: trips(50), after: "seen" });
  expect(lines.length).toBeLessThan(40);
  for (const line of ["  trips.0.lossPpm       0", "  after                 seen", "  - Not all was tried."])
    expect(lines).toContain(line);
  expect(lines).toContain("  … and 147 more lines: --json prints them all, --save keeps them.");
  expect(lines.filter((line) => /^ {2}[AB] /.test(line))).toHaveLength(2);
});

it("ends even where there is no list to shorten", () => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`name${index}`, index]));
  expect(linesOf(many).length).toBeLessThan(100);
});
