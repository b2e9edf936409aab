import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { openResponse, sealResponse } from "./sealedResponse.js";

const secret = randomBytes(32);
const signature = `0x${"a1".repeat(65)}`;
const body = Buffer.from("what only the payer may read");

test("opens with the signature it was sealed with, whatever its letter case", () => {
  const sealed = sealResponse(secret, signature, "inv_1", body);
  expect(openResponse(secret, signature.toUpperCase().replace("0X", "0x"), "inv_1", sealed)).toEqual(body);
});

test("shows nothing of the answer, and no two seals are equal", () => {
  const sealed = sealResponse(secret, signature, "inv_1", body);
  expect(sealed.includes("payer")).toBe(false);
  expect(sealed.equals(sealResponse(secret, signature, "inv_1", body))).toBe(false);
});

test.each([
  ["another signature", secret, `0x${"a2".repeat(65)}`, "inv_1"],
  ["another service secret", randomBytes(32), signature, "inv_1"],
  ["another call", secret, signature, "inv_2"],
])("stays shut for %s", (_, otherSecret, otherSignature, invocationId) => {
  const sealed = sealResponse(secret, signature, "inv_1", body);
  expect(openResponse(otherSecret, otherSignature, invocationId, sealed)).toBeUndefined();
});

test("a changed byte anywhere keeps it shut", () => {
  const sealed = sealResponse(secret, signature, "inv_1", body);
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(openResponse(secret, signature, "inv_1", changed)).toBeUndefined();
  }
});
