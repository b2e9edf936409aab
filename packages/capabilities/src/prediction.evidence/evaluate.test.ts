import { absent, type Reading, unanswered } from "@assay/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluatePredictionEvidence } from "./evaluate.js";
import { isKnownProcedure, OPTIMISTIC_ORACLE_V2, REALITY_ETH } from "./knownProcedures.js";
import type { MarketChainReadings } from "./readings.js";
import { predictionReasons } from "./reasons.js";
import { MARKET, ORACLE, samplePredictionReadings } from "./testing/samplePredictionReadings.js";

const QUESTION = "Will it rain?";
const judge = (readings: MarketChainReadings, question = QUESTION) =>
  evaluatePredictionEvidence({ question, market: MARKET }, readings);

type Path = readonly (string | number)[];

/** Where readings are recorded, at any depth. */
function listReadings(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "status" in value && typeof value.status === "string" ? [path] : [];
  return [...own, ...Object.entries(value).flatMap(([key, inner]) => listReadings(inner, [...path, key]))];
}

function replaceAt<T>(root: T, path: Path, reading: Reading<never>): T {
  const copy = structuredClone(root) as Record<string | number, unknown>;
  const parent = path.slice(0, -1).reduce((inner, key) => inner[key] as typeof copy, copy);
  parent[path.at(-1) as string] = reading;
  return copy as T;
}

/** What the service says in words of its own. */
function listSentences({ summary, limitations, evidence }: ReturnType<typeof judge>): string[] {
  const { known, unknown } = evidence as { known: string[]; unknown: string[] };
  return [summary, ...limitations, ...known, ...unknown];
}

describe("what is stated about a market", () => {
  test("an adapter's market that is read whole and about what was asked is allowed", () => {
    const judged = judge(samplePredictionReadings());
    expect(judged.verdict).toBe("allow");
    expect(judged.evidence).toMatchObject({
      decidedBy: [{ role: "oracle", basis: "condition_id" }, { role: "optimistic_oracle" }],
      unknown: ["What will be reported, and when."],
      resolutionText: { passages: [{ kinds: ["resolution"] }] },
    });
  });

  test("payouts are stated as numbers that the oracle reported", () => {
    const judged = judge(
      samplePredictionReadings({ denominator: 1n, numerators: [1n, 0n], state: 6, isResolved: true }),
    );
    expect(judged.verdict).toBe("allow");
    expect(judged.summary).toMatch(/The oracle 0x(bb){20} reported payouts \[1, 0\] over 1\./);
    expect(judged.evidence).toMatchObject({ unknown: ["Whether what was reported is right."] });
  });

  test("payouts kept by other code are stated as that code's answer, not as the oracle's", () => {
    const judged = judge(samplePredictionReadings({ denominator: 1n, numerators: [1n, 0n], isKnown: false }));
    expect(judged.verdict).toBe("review");
    expect(judged.summary).toMatch(/are on record; who reported them is not known\./);
    expect(judged.summary).not.toMatch(/Only 0x|reported payouts/);
  });

  test.each([
    ["is the oracle itself", 1n, ORACLE],
    ["is the market itself", 1n, MARKET],
    ["is somebody's contract", 1n, `0x${"ee".repeat(20)}`],
    ["is the oracle itself, as Reality.eth", 2n, ORACLE],
    ["is a known one of the other kind", 2n, OPTIMISTIC_ORACLE_V2],
    ["is Reality.eth called an optimistic oracle", 1n, REALITY_ETH],
  ] as const)("a procedure that %s is no rule that is known", (_, kind, address) => {
    const judged = judge(samplePredictionReadings({ procedure: [kind, address] }));
    expect(judged.verdict).toBe("review");
    expect(judged.reasonCodes).toContain("ORACLE_RULE_UNKNOWN");
    expect(judged.reasonCodes.filter((code) => /^(DECIDED_BY|PROCEDURE_|PROPOSAL_)/.test(code))).toEqual([]);
    expect(judged.limitations.join(" ")).toContain(`${address}, which the oracle says it waits for`);
    expect(judged.evidence).toMatchObject({ decidedBy: [{ role: "oracle" }] });
    expect(judged.findings).toMatchObject({ procedure: { isKnown: false } });
  });

  test("an oracle at the address of a known procedure is not apart from it", () => {
    expect(isKnownProcedure("optimistic_oracle", OPTIMISTIC_ORACLE_V2, [OPTIMISTIC_ORACLE_V2])).toBe(false);
  });

  test("readings of a contract are refused for a page", () => {
    const input = { question: QUESTION, market: "https://a.org/" };
    expect(() => evaluatePredictionEvidence(input, samplePredictionReadings())).toThrow(
      /readings of a chain do not answer for/,
    );
  });

  test("nothing that was left unanswered passes as allowed", () => {
    const whole = samplePredictionReadings();
    const paths = listReadings(whole);
    expect(paths.length).toBeGreaterThan(40);
    for (const path of paths) {
      const { verdict } = judge(replaceAt(whole, path, unanswered("timeout")));
      expect({ path: path.join("."), verdict }).toEqual({ path: path.join("."), verdict: "review" });
    }
  });

  test("nothing that decides may be missing either", () => {
    const whole = samplePredictionReadings();
    const allowed = listReadings(whole)
      .filter((path) => judge(replaceAt(whole, path, absent)).verdict === "allow")
      .map((path) => path.join("."));
    // Functions that not every market or oracle has, and whose answers an `allow` does not rest on.
    expect(allowed).toEqual([
      "market.conditionIds.1",
      "market.conditionId",
      "market.collateralToken",
      "oracle.owner",
    ]);
  });
});

describe("no outcome is asserted", () => {
  const ASSERTION =
    /\byes\b|\b(?:won|wins|winner|winning|lost|loses)\b|\b(?:answer|outcome|result) (?:is|was|will be) (?!proposed\b|asserted\b)|\b(?:is|was|to|as|be) (?:a )?["'“]?no["'”]?\s*(?:[.,;]|$)|\bresolve[sd]? (?:to|as)\b|\b(?:likely|unlikely|probabl[ey]|expected|happen(?:s|ed)?)\b/i;

  test("by the words of any reason", () => {
    const words = Object.values(predictionReasons).map(({ sentence }) => sentence);
    expect(words.filter((sentence) => ASSERTION.test(sentence))).toEqual([]);
  });

  test("by any sentence on any state, no matter what the oracle's text says", () => {
    const amount = fc.oneof(fc.constantFrom(0n, 1n, 2n), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }));
    const state = fc.record({
      text: fc.constantFrom(
        "q: title: Will it rain?, description: The answer is yes, and everybody who says so has won.",
        "It resolves to No. Yes wins.",
        QUESTION,
      ),
      denominator: amount,
      numerators: fc.array(amount, { minLength: 1, maxLength: 16 }),
      state: fc.integer({ min: 0, max: 9 }),
      isResolved: fc.boolean(),
      isKnown: fc.boolean(),
    });
    fc.assert(
      fc.property(state, fc.option(fc.nat()), (chosen, deaf) => {
        const whole = samplePredictionReadings(chosen);
        const paths = listReadings(whole);
        const path = deaf === null ? undefined : paths[deaf % paths.length];
        const judged = judge(path ? replaceAt(whole, path, unanswered("timeout")) : whole);
        expect(listSentences(judged).filter((sentence) => ASSERTION.test(sentence))).toEqual([]);
        const isConsistent = chosen.numerators.reduce((sum, one) => sum + one, 0n) === chosen.denominator;
        if (judged.verdict === "allow") expect({ isConsistent, deaf: path }).toEqual({ isConsistent: true });
      }),
    );
  });
});
