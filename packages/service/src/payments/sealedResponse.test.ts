import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { openResponse, sealResponse } from "./sealedResponse.js";

const secret = randomBytes(32);
const payment = "a payment as its buyer sent it";
const body = Buffer.from("what only the payer may read");

test("opens with the payment it was sealed with", () => {
  const sealed = sealResponse(secret, payment, "inv_1", body);
  expect(openResponse(secret, payment, "inv_1", sealed)).toEqual(body);
});

test("shows nothing of the answer, and no two seals are equal", () => {
  const sealed = sealResponse(secret, payment, "inv_1", body);
  expect(sealed.includes("payer")).toBe(false);
  expect(sealed.equals(sealResponse(secret, payment, "inv_1", body))).toBe(false);
});

test.each([
  ["another payment", secret, "another payment", "inv_1"],
  ["another service secret", randomBytes(32), payment, "inv_1"],
  ["another call", secret, payment, "inv_2"],
])("stays shut for %s", (_, otherSecret, otherPayment, invocationId) => {
  const sealed = sealResponse(secret, payment, "inv_1", body);
  expect(openResponse(otherSecret, otherPayment, invocationId, sealed)).toBeUndefined();
});

test("a changed byte anywhere keeps it shut", () => {
  const sealed = sealResponse(secret, payment, "inv_1", body);
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(openResponse(secret, payment, "inv_1", changed)).toBeUndefined();
  }
});
