import type { News } from "@assay/capabilities/loadNews";
import type { Verdict } from "@assay/protocol";
import { describe, expect, it } from "vitest";
import type { PaidAnswer } from "../paidAnswer.js";
import { formatAnswer, type Printed } from "./formatAnswer.js";
import { formatBrief } from "./formatBrief.js";

const STRANGER = `0x${"b6".repeat(20)}`;
const ROUTER = `0x${"26".repeat(20)}`;

/** An answer with these findings and this news. */
function printedOf(verdict: Verdict, findings: unknown, news: Partial<News> = {}): Printed {
  const answer = {
    ...{ verdict, capabilityId: "amm.v4.hook.guard", nextCall: null, receiptUrl: "http://service/r" },
    result: {
      ...{ summary: "A hook.", reasonCodes: ["A", "B"], limitations: ["Not all was tried."] },
      ...{ computedAtBlock: 1, validUntilBlock: 2, evidence: { findings } },
    },
    evidenceReference: { blockHash: "0x" },
    pricing: { pricePaidUsd: 1, listPriceUsd: 1, creditAppliedUsd: 0 },
  };
  return {
    paid: { answer, settlement: null } as unknown as PaidAnswer,
    news: {
      ...{ headline: `${STRANGER} may take any amount.`, detail: "", changes: [], powers: [], sections: [] },
      reasons: [
        { code: "A", sentence: "It is bad.", verdict: "block" },
        { code: "B", sentence: "It is there.", verdict: "allow" },
      ],
      isTimeless: false,
      names: new Map([[ROUTER, "A router"]]),
      ...news,
    },
    window: { state: "open" },
    paidBy: "wallet",
  };
}
const plain = (_style: unknown, text: string) => text;
const linesOf = (findings: unknown) => formatAnswer(printedOf("review", findings), plain).split("\n");
const trips = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ role: "router", lossPpm: index, back: { success: true } }));

describe("all of an answer", () => {
  it("shows short findings whole", () => {
    const lines = linesOf({ hook: null, trips: trips(3) });
    expect(lines).toContain("  trips.2.back.success  true");
    expect(lines.join("\n")).not.toContain("more lines");
  });

  it("shows of long lists what their entries are like, how much is left, and still every reason and limitation", () => {
    const lines = linesOf({ hook: null, trips: trips(50), after: "seen" });
    expect(lines.length).toBeLessThan(45);
    for (const line of [
      "  trips.0.lossPpm       0",
      "  after                 seen",
      "  - Not all was tried.",
    ])
      expect(lines).toContain(line);
    expect(lines).toContain("  … and 147 more lines: --json prints them all, --save keeps them.");
    expect(lines.filter((line) => /^ {2}[AB] {2}/.test(line))).toHaveLength(2);
  });

  it("ends even where there is no list to shorten, and shows addresses whole", () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`name${index}`, index]));
    const lines = linesOf(many);
    expect(lines.length).toBeLessThan(110);
    expect(lines[1]).toBe(`${STRANGER} may take any amount.`);
  });
});

describe("an answer in short", () => {
  const many = (count: number, name: string) =>
    Array.from({ length: count }, (_, index) => ({ name: `${name} ${index}`, text: "x".repeat(400) }));

  it("leads with the news, and keeps to 25 lines however much there is to say", () => {
    const news = {
      powers: [{ name: ROUTER, text: "may take up to 25 USDC" }, ...many(30, "power")],
      sections: [{ title: "Figures", lines: many(30, "figure") }],
      detail: "More.",
    };
    const lines = formatBrief(printedOf("block", {}, news), plain)
      .trimEnd()
      .split("\n");
    expect(lines.slice(0, 6)).toEqual([
      "BLOCK  amm.v4.hook.guard",
      "0xb6b6…b6b6 may take any amount.",
      "More.",
      "",
      "Power over it",
      expect.stringMatching(/^ {2}A router \(0x2626…2626\) +may take up to 25 USDC$/),
    ]);
    expect(lines).toHaveLength(25);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(150);
    expect(lines.at(-1)).toMatch(/^ {2}\d+ more figures, reasons and limits: --full$/);
    expect(lines.some((line) => line.startsWith("  receipt"))).toBe(true);
  });

  it("gives the reasons that weigh, and counts the others", () => {
    const text = formatBrief(printedOf("block", {}), plain);
    expect(text).toContain("  A  It is bad.");
    expect(text).not.toContain("It is there.");
    expect(text).toContain("  2 more figures, reasons and limits: --full");
  });

  it("lets nothing that a service sends command the terminal", () => {
    const evil = "\u001b[2J\nALLOW";
    const news = {
      headline: evil,
      names: new Map([[ROUTER, evil]]),
      powers: [{ name: ROUTER, text: evil }],
      sections: [{ title: "T", lines: [{ name: evil, text: evil }] }],
    };
    const text = formatBrief(printedOf("block", {}, news), plain);
    expect(text).not.toContain("\u001b");
    expect(text).not.toMatch(/^ALLOW/m);
  });
});
