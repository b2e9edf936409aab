import type { CapabilityResult } from "@assay/protocol";
import { describe, expect, it } from "vitest";
import { CLOCK_ALLOWANCE_MS, latestEndMs } from "./latestEndMs.js";

/** The fields of a result that its end depends on, and one that is not signed. */
const build = (evidence: object, refreshed?: object) =>
  ({
    result: {
      reasonCodes: [],
      summary: "",
      evidence,
      computedAtBlock: 7,
      validUntilBlock: 12,
      limitations: [],
      ...(refreshed && { refreshed }),
    },
    nextCall: { validForSeconds: 600 },
  }) as unknown as CapabilityResult;
const READ_AT_S = 1_700_000_000;
const evidenceOf = (ttlSeconds: number) => ({ block: { timestamp: READ_AT_S }, validity: { ttlSeconds } });
/** Seconds after the block, without the allowance for clocks. */
const secondsOf = (answer: CapabilityResult) =>
  (latestEndMs(answer) - CLOCK_ALLOWANCE_MS) / 1_000 - READ_AT_S;

describe("the latest end of an answer by the clock", () => {
  it("is its block's time and its signed seconds, whatever stands outside the signature", () => {
    expect(secondsOf(build(evidenceOf(10)))).toBe(10);
  });

  it("is that of the answer inside, by its seconds or its stated time, where that ends first", () => {
    const inside = (ttlSeconds: number, endsAfterS: number) =>
      build(evidenceOf(60), {
        capabilityId: "contract.guard",
        capabilityVersion: "1.0.0",
        artifactId: `sha256:${"ab".repeat(32)}`,
        verdict: "allow",
        result: build(evidenceOf(ttlSeconds)).result,
        validUntil: { block: 12, time: new Date((READ_AT_S + endsAfterS) * 1_000).toISOString() },
      });
    expect(secondsOf(inside(10, 30))).toBe(10);
    expect(secondsOf(inside(30, 10))).toBe(10);
    expect(secondsOf(inside(90, 90))).toBe(60);
  });

  it("has passed for an answer that states none", () => {
    for (const evidence of [{}, { block: null, validity: "long" }, { validity: { ttlSeconds: 1e6 } }])
      expect(latestEndMs(build(evidence))).toBeLessThan(Date.now());
    expect(secondsOf(build({ block: { timestamp: READ_AT_S }, validity: { ttlSeconds: "9" } }))).toBe(0);
  });
});
