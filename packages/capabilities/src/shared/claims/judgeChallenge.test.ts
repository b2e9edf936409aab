import type { Assertion, ChallengeEvidence, Hex } from "@assay/protocol";
import { getAddress } from "viem";
import { describe, expect, test } from "vitest";
import { checkEvidenceBlock, decidingBlock, holdsAt, judgeChallenge } from "./judgeChallenge.js";

const a: Hex = `0x${"aa".repeat(20)}`;
const b: Hex = `0x${"bb".repeat(20)}`;
const [h, i]: [Hex, Hex] = [`0x${"11".repeat(32)}`, `0x${"22".repeat(32)}`];
const upgrade = (implementation: Hex | null): Assertion => ({
  type: "upgrade_window",
  address: `0x${"cc".repeat(20)}`,
  implementation,
  fromBlock: 10,
  toBlock: 20,
});
const code = (bytecodeHash: Hex | null, bytecodeBytes: number): Assertion => ({
  type: "bytecode",
  address: `0x${"cc".repeat(20)}`,
  bytecodeHash,
  bytecodeBytes,
  fromBlock: 20,
  toBlock: 20,
});

describe("evidence about an implementation", () => {
  test.each<[string, Hex | null, Hex | null, Hex | null, string]>([
    ["true and as claimed", a, a, a, "claim_correct"],
    ["true and otherwise", a, b, b, "counterexample_valid"],
    ["untrue", a, b, a, "invalid_evidence"],
    ["untrue, about a claim that is false", a, a, b, "invalid_evidence"],
    ["true that there is none, against one", a, null, null, "counterexample_valid"],
    ["true that there is one, against none", null, a, a, "counterexample_valid"],
    ["true that there is none, as claimed", null, null, null, "claim_correct"],
    ["untrue that there is none", a, null, a, "invalid_evidence"],
  ])("%s", (_, claimed, implementation, seen, resolution) => {
    for (const block of [10, 15, 20]) {
      const judged = judgeChallenge(upgrade(claimed), { block, implementation }, { implementation: seen });
      expect(judged.resolution).toBe(resolution);
      expect(judged.reason).toContain(`at block ${block}`);
    }
  });

  test("of a block outside the window is never valid", () => {
    for (const block of [0, 9, 21, 1e9])
      for (const seen of [a, b]) {
        const evidence = { block, implementation: b };
        expect(checkEvidenceBlock(upgrade(a), evidence)?.resolution).toBe("invalid_evidence");
        expect(judgeChallenge(upgrade(a), evidence, { implementation: seen }).resolution).toBe(
          "invalid_evidence",
        );
      }
    for (const block of [10, 20])
      expect(checkEvidenceBlock(upgrade(a), { block, implementation: b })).toBeUndefined();
  });

  test("is compared by address, not by casing", () => {
    const evidence = { block: 10, implementation: getAddress(a) };
    expect(judgeChallenge(upgrade(a), evidence, { implementation: a }).resolution).toBe("claim_correct");
  });
});

describe("evidence about code", () => {
  test.each<
    [string, Assertion, ChallengeEvidence, { bytecodeHash: Hex | null; bytecodeBytes: number }, string]
  >([
    ["as claimed", code(h, 3), fact(h, 3), fact(h, 3), "claim_correct"],
    ["another hash", code(i, 3), fact(h, 3), fact(h, 3), "counterexample_valid"],
    ["another length", code(h, 4), fact(h, 3), fact(h, 3), "counterexample_valid"],
    ["no code", code(h, 3), fact(null, 0), fact(null, 0), "counterexample_valid"],
    ["an untrue hash", code(h, 3), fact(i, 3), fact(h, 3), "invalid_evidence"],
    ["an untrue length", code(h, 3), fact(h, 4), fact(h, 3), "invalid_evidence"],
    ["no code, and yet a length", code(h, 3), fact(null, 3), fact(null, 0), "invalid_evidence"],
  ])("%s", (_, assertion, evidence, seen, resolution) => {
    expect(judgeChallenge(assertion, evidence, seen).resolution).toBe(resolution);
    expect(decidingBlock(assertion, evidence)).toBe(20);
  });
});

function fact(bytecodeHash: Hex | null, bytecodeBytes: number) {
  return { bytecodeHash, bytecodeBytes };
}

test("an assertion holds where the chain shows what it says", () => {
  expect([a, b, null].map((implementation) => holdsAt(upgrade(a), { implementation }))).toEqual([
    true,
    false,
    false,
  ]);
  expect(holdsAt(code(h, 3), fact(h, 3))).toBe(true);
  expect(holdsAt(code(h, 3), fact(h, 4))).toBe(false);
});
