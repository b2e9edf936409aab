import fc from "fast-check";
import { expect, test } from "vitest";
import { CUT } from "./cutResult.js";
import { type PackedCall, packCall, unpackCall } from "./packedCalls.js";

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((array) => `0x${Buffer.from(array).toString("hex")}`);
const json = fc.json({ maxDepth: 2 });

const calls: fc.Arbitrary<PackedCall> = fc.record({
  capability_version: fc.constantFrom("1.0.0", "2.0.0"),
  input_hash: hex(32).map((hash) => `sha256:${hash.slice(2)}`),
  result_hash: hex(32).map((hash) => `sha256:${hash.slice(2)}`),
  network: fc.constant("eip155:8453"),
  asset: hex(20),
  pay_to: hex(20),
  quoted_status: fc.constantFrom("hit", "partial", "miss"),
  actual_status: fc.constantFrom("hit", "partial", "miss"),
  digest_version: fc.constantFrom(1, 2, 3),
  valid_before: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String),
  reserved_at_block: fc.nat().map(String),
  quote_id: fc.option(hex(16).map((id) => `quo_${id.slice(2)}`)),
  credit_hold: fc.option(fc.string()),
  authorization_nonce: hex(32),
  transaction_hash: hex(32),
  payment_digest: fc.base64String({ minLength: 24, maxLength: 24 }),
  payment_response: fc.oneof(json, fc.tuple(hex(65), hex(300), hex(255)).map(String)),
  rest: fc.tuple(json, json).map(([before, after]) => `${before}${CUT}${after}`),
});

test("whatever a call holds comes out as it went in", () => {
  fc.assert(
    fc.property(calls, calls, hex(16), hex(20), (call, first, id, payer) => {
      const row = { invocation_id: `inv_${id.slice(2)}`, capability_id: "contract.guard", payer };
      expect(unpackCall(packCall(row, call, first), row, first)).toEqual(call);
    }),
    { numRuns: 100 },
  );
});
