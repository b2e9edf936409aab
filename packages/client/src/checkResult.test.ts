import { evaluateChainSnapshot } from "@assay/capabilities/chain.snapshot/evaluate";
import type { ChainSnapshotReadings } from "@assay/capabilities/chain.snapshot/readings";
import {
  artifactIdOf,
  type CapabilityResult,
  evidenceTypedData,
  type Hex,
  inputHashOf,
  NETWORK,
  resultHashOf,
} from "@assay/protocol";
import { numberToHex, parseSignature, serializeSignature } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { checkResult } from "./checkResult.js";

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
        proofs: null,
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
      nextCall: {
        validUntilBlock: 102,
        validForSeconds: 4,
        recheck: {
          capabilityId: "chain.snapshot",
          method: "GET",
          url: "http://service.test/api/v1/capabilities/chain.snapshot/invoke",
          body: null,
          notBeforeBlock: 103,
          listPriceUsdCeiling: 0.005,
          payment: "x402",
        },
        watch: null,
      },
      evidenceReference: {
        ...hashes,
        shareable: true,
        url: `http://service.test/api/v1/evidence/${hashes.artifactId}`,
        signer: signer.address,
        signature,
      },
    }),
  );
}

/** The same signature with s in the other half of the order: it recovers to the same key (EIP-2). */
function flipSignature(signature: Hex): Hex {
  const { r, s, yParity } = parseSignature(signature);
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  return serializeSignature({ r, s: numberToHex(order - BigInt(s), { size: 32 }), yParity: 1 - yParity });
}

const failingSteps = async (value: unknown, expected?: Hex) =>
  (await checkResult(value, { signer: expected })).steps.filter(({ ok }) => !ok).map(({ name }) => name);

describe("checkResult", () => {
  it("takes no answer under a signer that is no address", async () => {
    expect(await failingSteps(await signedResult(), "" as Hex)).toEqual(["signature"]);
    expect(await failingSteps(await signedResult(), "0x1")).toEqual(["signature"]);
  });

  it("accepts an untouched result, in the order of the steps", async () => {
    const { ok, steps } = await checkResult(await signedResult(), { signer: signer.address });
    expect(ok).toBe(true);
    expect(steps.map(({ name, checked }) => (checked ? name : `${name}, not checked`))).toEqual([
      "shape",
      "block",
      "inputHash",
      "resultHash",
      "artifactId",
      "signature",
      "rule",
      "stateProofs, not checked",
      "logInclusion, not checked",
    ]);
    expect(steps.at(-1)?.detail).toBe("Not checked: the file has no receipt.");
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
      ["shape", "inputHash", "resultHash", "artifactId", "rule"],
    ],
    [
      "a longer validity",
      (r) => {
        r.result.validUntilBlock = 200;
      },
      ["block", "resultHash", "artifactId", "signature"],
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
      ["shape", "signature"],
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
      "another spelling of the signature",
      (r) => {
        r.evidenceReference.signature = r.evidenceReference.signature.toUpperCase().replace("X", "x") as Hex;
      },
      ["signature"],
    ],
    [
      "the signature's other root",
      (r) => {
        r.evidenceReference.signature = flipSignature(r.evidenceReference.signature);
      },
      ["signature"],
    ],
    [
      "another spelling of the signer",
      (r) => {
        r.evidenceReference.signer = r.evidenceReference.signer.toLowerCase() as Hex;
      },
      ["signature"],
    ],
    [
      "a link to another receipt",
      (r) => {
        r.receiptUrl = r.receiptUrl.replace("inv_1", "inv_2");
      },
      ["shape"],
    ],
    [
      "a link to another service",
      (r) => {
        r.evidenceReference.url = r.evidenceReference.url.replace("service.test", "service.evil");
      },
      ["shape"],
    ],
    [
      "a next call to another service",
      (r) => {
        if (r.nextCall)
          r.nextCall.recheck.url = r.nextCall.recheck.url.replace("service.test", "service.evil");
      },
      ["shape"],
    ],
    [
      "a next call later than the answer's end",
      (r) => {
        if (r.nextCall) r.nextCall.recheck.notBeforeBlock += 1;
      },
      ["block"],
    ],
    [
      "a price that is not list less credit",
      (r) => {
        r.pricing.creditAppliedUsd = 0.001;
      },
      ["shape"],
    ],
    [
      "a price no token can be paid in",
      (r) => {
        r.pricing.pricePaidUsd = 0.0000001;
      },
      ["shape"],
    ],
    [
      "proofs where the rule used no state",
      (r) => {
        r.result.evidence.proofs = { header: "0xc0", nodes: [] };
      },
      ["resultHash", "stateProofs"],
    ],
    [
      "proofs that are none",
      (r) => {
        r.result.evidence.proofs = { header: "0xc0" };
      },
      ["shape"],
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
