import { describe, expect, it } from "vitest";
import { AssayClientError } from "./assayClientError.js";
import { readSavedAnswer, type SavedAnswer, savedKeys } from "./testing/savedAnswers.js";
import { VerificationError } from "./verificationError.js";
import { verifyReceipt } from "./verifyReceipt.js";
import { verifyResult } from "./verifyResult.js";

const saved = readSavedAnswer("contract.guard.block.json");
/** The same answer with a better verdict. */
const tampered: SavedAnswer = { ...saved, answer: { ...saved.answer, verdict: "allow" } };

/** A caller that takes the result of a verification for a yes or no. */
async function signIfVerified(value: unknown): Promise<string> {
  if (!(await verifyResult(value, savedKeys))) return "not signed";
  return "signed";
}

describe("verifyResult", () => {
  it("returns the steps of an answer that verifies", async () => {
    const { ok, steps } = await verifyResult(saved, savedKeys);
    expect(ok).toBe(true);
    expect(steps).toHaveLength(9);
  });

  it("throws at a tampered answer: the message names the failed steps, the error has all of them", async () => {
    const error = await verifyResult(tampered, savedKeys).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(VerificationError);
    expect(error).toBeInstanceOf(AssayClientError);
    const { message, code, retryable, steps } = error as VerificationError;
    expect(message).toMatch(
      /^The answer does not verify: resultHash, artifactId, rule failed\. Do not rely on it\. resultHash: /,
    );
    expect({ code, retryable }).toEqual({ code: "not_verified", retryable: false });
    expect(steps.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual([
      ...["resultHash", "artifactId", "rule"],
    ]);
    expect(steps).toHaveLength(9);
  });

  it("throws at what is no answer, and at an answer under other keys", async () => {
    for (const value of [undefined, null, "text", {}])
      await expect(verifyResult(value)).rejects.toThrow("The answer does not verify: shape failed.");
    const other = { ...savedKeys, signer: `0x${"01".repeat(20)}` } as const;
    await expect(verifyResult(saved, other)).rejects.toThrow("signature failed.");
  });

  it("leaves no way to sign by taking its result for a yes or no", async () => {
    expect(await signIfVerified(saved)).toBe("signed");
    await expect(signIfVerified(tampered)).rejects.toThrow(VerificationError);
    await expect(Promise.all([verifyResult(saved), verifyResult(tampered)])).rejects.toThrow(
      VerificationError,
    );
  });
});

describe("verifyReceipt", () => {
  it("returns the steps of a receipt, and throws at a tampered one", async () => {
    expect((await verifyReceipt(saved.receipt, savedKeys)).ok).toBe(true);
    const { payment } = saved.receipt;
    const cheaper = { ...saved.receipt, payment: { ...payment, amount: "1" } };
    await expect(verifyReceipt(cheaper, savedKeys)).rejects.toThrow(
      "The receipt does not verify: price, leaf failed.",
    );
  });
});
