import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluateEvidenceArtifact } from "./evaluate.js";
import { type EvidenceArtifactReadings, evidenceArtifactReadingsSchema, isArtifactLive } from "./readings.js";

const id = (digit: string) => `sha256:${digit.repeat(64)}`;
const blockAt = (number: number) => ({
  number,
  hash: `0x${"ab".repeat(32)}` as const,
  timestamp: 1_700_000_000,
});
const input = { artifactId: id("1") };

const live: EvidenceArtifactReadings = {
  block: blockAt(105),
  observedAtMs: 5_000,
  source: {
    artifactId: id("1"),
    capabilityId: "contract.guard",
    capabilityVersion: "1.0.0",
    input: { address: `0x${"cd".repeat(20)}` },
    inputHash: id("2"),
    resultHash: id("3"),
    block: blockAt(100),
    validUntilBlock: 105,
    freshUntilMs: 5_001,
    fieldPaths: ["result.evidence.readings.code"],
  },
  refreshed: null,
};
const refreshed: EvidenceArtifactReadings["refreshed"] = {
  capabilityId: "contract.guard",
  capabilityVersion: "1.0.0",
  artifactId: id("4"),
  resultHash: id("5"),
  verdict: "block",
  reasonCodes: ["CODE_PRESENT", "CONTRACT_PAUSED"],
  validUntilBlock: 111,
  freshUntilMs: 15_000,
};
const expired: EvidenceArtifactReadings = { ...live, observedAtMs: 5_001 };

test("the readings are what the schema takes", () => {
  for (const readings of [live, { ...expired, refreshed }])
    expect(evidenceArtifactReadingsSchema.parse(readings)).toEqual(readings);
});

test("a live artifact is allowed, with its window, its input and its field names", () => {
  expect(evaluateEvidenceArtifact(input, live)).toMatchObject({
    verdict: "allow",
    reasonCodes: ["ARTIFACT_LIVE"],
    findings: {
      state: "live",
      source: { capabilityId: "contract.guard", capabilityVersion: "1.0.0" },
      input: live.source.input,
      fieldPaths: live.source.fieldPaths,
      validity: { validFromBlock: 100, validUntilBlock: 105, freshUntil: "1970-01-01T00:00:05.001Z" },
    },
  });
});

describe("a window ends", () => {
  test.each([
    ["by the clock", expired],
    ["by block", { ...live, block: blockAt(106) }],
    ["when the chain was rewound to before it", { ...live, block: blockAt(99) }],
    ["when it is of another artifact", { ...live, source: { ...live.source, artifactId: id("9") } }],
  ])("%s", (_name, readings) => {
    expect(evaluateEvidenceArtifact(input, readings)).toMatchObject({
      verdict: "review",
      reasonCodes: ["ARTIFACT_EXPIRED"],
      findings: { state: "expired" },
    });
  });
});

test.each(["allow", "review", "block"] as const)(
  "an expired artifact takes its new verdict: %s",
  (verdict) => {
    const evaluation = evaluateEvidenceArtifact(input, { ...expired, refreshed: { ...refreshed, verdict } });
    expect(evaluation.verdict).toBe(verdict);
    expect(evaluation.reasonCodes).toEqual(["ARTIFACT_REFRESHED", "CODE_PRESENT", "CONTRACT_PAUSED"]);
    expect(evaluation.findings.state).toBe("refreshed");
  },
);

test("whatever was recorded, only an open window or a new allow allows", () => {
  const number = fc.integer({ min: 0, max: 12 });
  fc.assert(
    fc.property(
      number,
      number,
      number,
      number,
      number,
      fc.boolean(),
      (from, until, at, freshMs, nowMs, isNew) => {
        const source = {
          ...live.source,
          block: blockAt(from),
          validUntilBlock: until,
          freshUntilMs: freshMs,
        };
        const readings = {
          ...live,
          source,
          block: blockAt(at),
          observedAtMs: nowMs,
          refreshed: isNew ? refreshed : null,
        };
        const evaluation = evaluateEvidenceArtifact(input, readings);
        expect(evaluation.verdict === "allow").toBe(isArtifactLive(source, at, nowMs));
        expect(evaluation.limitations.length).toBeGreaterThan(1);
      },
    ),
  );
});
