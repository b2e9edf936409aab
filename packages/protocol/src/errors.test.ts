import { expect, test } from "vitest";
import { z } from "zod";
import { claimRequestSchema, maxClaimWindowBlocks } from "./claimShapes.js";
import { errorCodes } from "./errors.js";
import { listFieldErrors } from "./listFieldErrors.js";

/** By hand, as the contract has them: what passes by itself, and so may be sent again. */
const RETRYABLE = [
  "chain_head_stale",
  "chain_unavailable",
  "database_unavailable",
  "facilitator_unavailable",
  "internal_error",
  "log_inconsistent",
  "overloaded",
  "payment_in_flight",
  "payment_outcome_unknown",
  "rate_limited",
  "shutting_down",
  "signer_unavailable",
  "transaction_not_mined",
  "web_page_unavailable",
];

test("errors that pass by themselves are retryable, and no others", () => {
  const retryable = Object.entries(errorCodes).flatMap(([code, { retryable }]) => (retryable ? [code] : []));
  expect(retryable.sort()).toEqual(RETRYABLE);
});

test("each field that breaks a rule is named with the rule, once", () => {
  const schema = z.strictObject({
    address: z.string("must be text").min(3, "Must have three characters"),
    count: z.union([z.number("Must be a number"), z.string().regex(/^\d+$/, "must be digits")]),
    deep: z.object({ list: z.array(z.boolean("must be true or false")) }),
    text: z.string().refine((text) => text === "ok", { error: "Must be ok", path: ["inner"] }),
  });
  const errorsOf = (value: unknown) => {
    const { error } = schema.safeParse(value);
    return error ? listFieldErrors(error, value) : [];
  };
  const good = { address: "abc", count: 1, deep: { list: [true] }, text: "ok" };
  expect(errorsOf(good)).toEqual([]);
  expect(errorsOf({ ...good, address: undefined })).toEqual([{ field: "address", rule: "is required" }]);
  expect(errorsOf({ ...good, address: "a" })).toEqual([
    { field: "address", rule: "must have three characters" },
  ]);
  expect(errorsOf({ ...good, address: null })).toEqual([{ field: "address", rule: "must be text" }]);
  expect(errorsOf({ ...good, deep: { list: [true, 1] } })).toEqual([
    { field: "deep.list.1", rule: "must be true or false" },
  ]);
  expect(errorsOf({ ...good, deep: null }).map(({ field }) => field)).toEqual(["deep"]);
  expect(errorsOf({ ...good, count: "x" })).toEqual([{ field: "count", rule: "must be digits" }]);
  expect(errorsOf({ ...good, more: 1, other: 2 })).toEqual([
    { field: "more", rule: "is not a known field" },
    { field: "other", rule: "is not a known field" },
  ]);
  // A rule of our own says itself what is missing.
  expect(errorsOf({ ...good, text: "no" })).toEqual([{ field: "text.inner", rule: "must be ok" }]);
  expect(errorsOf([])[0]?.field).toBe("body");
});

test("the longest window of a claim is thirty days of blocks", () => {
  expect(maxClaimWindowBlocks(2_000)).toBe(1_296_000);
  expect(maxClaimWindowBlocks(7_000)).toBe(370_285);
});

test("a claim's reward is a cent to ten thousand dollars, in whole millionths", () => {
  const address = `0x${"11".repeat(20)}`;
  const claim = { wallet: address, address, implementation: null, fromBlock: 1, toBlock: 2 };
  const isTaken = (rewardUsd: number) =>
    claimRequestSchema.safeParse({ ...claim, rewardUsd, deadline: "2026-01-01T00:00:00Z" }).success;
  expect([0.01, 0.010001, 9_999.999999, 10_000].map(isTaken)).toEqual([true, true, true, true]);
  expect([0, 0.009999, 0.0100001, 10_000.000001, 10_001].map(isTaken)).toEqual(Array(5).fill(false));
});
