import {
  artifactIdOf,
  type CapabilityResult,
  evidenceTypedData,
  type Hex,
  inputHashOf,
  NETWORK,
  resultHashOf,
} from "@assay/protocol";
import { type ChainSnapshotReadings, evaluateChainSnapshot } from "@assay/rules";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { verifyResult } from "./verifyResult.js";

const signer = privateKeyToAccount(generatePrivateKey());
const hash: Hex = `0x${"ab".repeat(32)}`;
const readings: ChainSnapshotReadings = {
  block: { number: 100, hash, timestamp: 1_800_000_000, baseFeePerGas: "1000" },
  observedAtMs: 1_800_000_001_000,
  feeHistory: { status: "absent" },
};

/** A result as the service builds it, signed by `signer`; `change` acts before hashing and signing. */
async function signedResult(
  change: (parts: { verdict: string; result: Record<string, unknown> }) => void = () => {},
) {
  const evaluation = evaluateChainSnapshot({}, readings);
  const block = { number: 100, hash, timestamp: 1_800_000_000 };
  const parts = {
    verdict: evaluation.verdict as string,
    result: {
      reasonCodes: [...evaluation.reasonCodes],
      summary: evaluation.summary,
      evidence: {
        network: NETWORK,
        block,
        input: {},
        readings,
        findings: evaluation.findings,
        rule: { id: "chain.snapshot", version: "1.0.0" },
      },
      computedAtBlock: 100,
      validUntilBlock: 102,
      limitations: [...evaluation.limitations],
    } as Record<string, unknown>,
  };
  change(parts);
  const verdict = parts.verdict as CapabilityResult["verdict"];
  const names = { capabilityId: "chain.snapshot", capabilityVersion: "1.0.0" };
  const hashes = {
    inputHash: inputHashOf("chain.snapshot", "1.0.0", {}),
    resultHash: resultHashOf(verdict, parts.result),
    artifactId: artifactIdOf({
      ...names,
      network: NETWORK,
      input: {},
      readings: { ...readings },
      verdict,
      block,
      validUntilBlock: 102,
    }),
    blockHash: hash,
  };
  const statement = {
    ...names,
    ...hashes,
    invocationId: "inv_1",
    computedAtBlock: 100,
    validUntilBlock: 102,
  };
  const signature = await signer.signTypedData(evidenceTypedData(statement));
  return JSON.parse(
    JSON.stringify({
      ...names,
      invocationId: "inv_1",
      verdict,
      result: parts.result,
      pricing: {
        quotedCacheStatus: "miss",
        actualCacheStatus: "miss",
        listPriceUsd: 0.005,
        creditAppliedUsd: 0,
        pricePaidUsd: 0.005,
      },
      receiptUrl: "http://service.test/api/v1/receipts/inv_1",
      nextCall: null,
      evidenceReference: {
        ...hashes,
        shareable: true,
        url: "http://service.test/",
        signer: signer.address,
        signature,
      },
    }),
  );
}

const failingSteps = async (value: unknown, expected?: Hex) =>
  (await verifyResult(value, { signer: expected })).steps.filter(({ ok }) => !ok).map(({ name }) => name);

describe("verifyResult", () => {
  it("accepts an untouched result, in the order of the steps", async () => {
    const { ok, steps } = await verifyResult(await signedResult(), { signer: signer.address });
    expect(ok).toBe(true);
    expect(steps.map(({ name }) => name)).toEqual([
      "shape",
      "block",
      "inputHash",
      "resultHash",
      "artifactId",
      "signature",
      "rule",
    ]);
  });

  it("hashes fields it does not know, too", async () => {
    const extended = await signedResult(({ result }) => Object.assign(result, { addedLater: 1 }));
    expect(await failingSteps(extended)).toEqual([]);
    expect(await failingSteps({ ...extended, result: { ...extended.result, addedLater: 2 } })).toEqual([
      "resultHash",
    ]);
  });

  it.each<[string, (result: CapabilityResult) => void, string[]]>([
    [
      "a better verdict",
      (r) => {
        r.verdict = "allow";
      },
      ["resultHash", "artifactId", "rule"],
    ],
    [
      "another summary",
      (r) => {
        r.result.summary = "All is well.";
      },
      ["resultHash", "rule"],
    ],
    [
      "a dropped limitation",
      (r) => {
        r.result.limitations.pop();
      },
      ["resultHash", "rule"],
    ],
    [
      "a changed reading",
      (r) => {
        (r.result.evidence.readings as { observedAtMs: number }).observedAtMs += 1;
      },
      ["resultHash", "artifactId", "rule"],
    ],
    [
      "a changed input",
      (r) => {
        r.result.evidence.input = { address: "0x" };
      },
      ["inputHash", "resultHash", "artifactId", "rule"],
    ],
    [
      "a longer validity",
      (r) => {
        r.result.validUntilBlock = 200;
      },
      ["resultHash", "artifactId", "signature"],
    ],
    [
      "another block",
      (r) => {
        r.evidenceReference.blockHash = `0x${"cd".repeat(32)}`;
      },
      ["block", "signature"],
    ],
    [
      "another invocation",
      (r) => {
        r.invocationId = "inv_2";
      },
      ["signature"],
    ],
    [
      "a foreign signer",
      (r) => {
        r.evidenceReference.signer = "0x0000000000000000000000000000000000000001";
      },
      ["signature"],
    ],
    [
      "an unreadable signature",
      (r) => {
        r.evidenceReference.signature = "0x1234";
      },
      ["signature"],
    ],
    [
      "a rule nobody holds",
      (r) => {
        r.result.evidence.rule = { id: "chain.snapshot", version: "9.0.0" };
      },
      ["resultHash", "rule"],
    ],
    [
      "missing evidence",
      (r) => {
        r.result.evidence = {};
      },
      ["shape"],
    ],
  ])("names the failing step of %s", async (_name, change, expected) => {
    const result = await signedResult();
    change(result);
    expect(await failingSteps(result)).toEqual(expected);
  });

  it("does not take the service's signature for the truth: a verdict that does not follow is refused", async () => {
    const lying = await signedResult((parts) => {
      parts.verdict = "allow";
    });
    expect(await failingSteps(lying)).toEqual(["rule"]);
  });

  it("refuses another signer than the one expected, and values that are no result", async () => {
    expect(await failingSteps(await signedResult(), "0x0000000000000000000000000000000000000001")).toEqual([
      "signature",
    ]);
    for (const value of [null, 1, "text", [], {}]) expect(await failingSteps(value)).toEqual(["shape"]);
  });
});
