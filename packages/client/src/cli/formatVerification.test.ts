import { expect, it } from "vitest";
import type { Saved } from "../readSaved.js";
import { formatVerification } from "./formatVerification.js";

/** The first line about an answer with this input. */
function firstLine(input: Saved["evidence"]["input"]): string | undefined {
  const saved = {
    result: {
      ...{ verdict: "allow", capabilityId: "chain.snapshot", nextCall: null },
      result: { computedAtBlock: 1, validUntilBlock: 2, evidence: {} },
    },
    evidence: { input },
  } as unknown as Saved;
  return formatVerification(
    { ok: true, conclusion: "verified", steps: [] },
    saved,
    (_style, text) => text,
  ).split("\n")[0];
}

it("shows the input so that one value cannot be read as two or move the cursor", () => {
  expect(firstLine({})).toBe("The file says: ALLOW  chain.snapshot  (no input)");
  expect(firstLine({ a: "0x12", b: null, c: 3 })).toMatch(/ {2}a=0x12 c=3$/);
  expect(firstLine({ a: "0x12 b=0x34" })).toMatch(/ {2}a="0x12 b=0x34"$/);
  expect(firstLine({ a: "\u001b[2J", "b\n": 1 })).toMatch(/ {2}a="\\u001b\[2J" b�=1$/);
});

it("cuts long calldata and says how long it was", () => {
  expect(firstLine({ data: `0x${"ab".repeat(500)}` })).toMatch(/ {2}data=0x(ab){49}… \(1002 characters\)$/);
});
