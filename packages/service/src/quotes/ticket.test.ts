import { createHmac, randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeTicket, findTicket, type Ticket } from "./ticket.js";

const secret = Buffer.alloc(32, 7);
const ticket: Ticket = {
  capabilityId: "contract.guard",
  inputHash: `sha256:${"ab".repeat(32)}`,
  priceMicroUsd: 100_000n,
  cacheStatus: "miss",
  expiresAtMs: 1_800_000_000_000,
  buyerSecret: "AAECAwQFBgcICQoLDA0ODw",
};

const anyTicket = fc.record<Ticket>({
  capabilityId: fc.string(),
  inputHash: fc.option(fc.string()),
  priceMicroUsd: fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }),
  cacheStatus: fc.constantFrom("hit", "partial", "miss"),
  expiresAtMs: fc.integer({ min: 0, max: 2 ** 50 }),
  buyerSecret: fc
    .uint8Array({ minLength: 16, maxLength: 16 })
    .map((bytes) => Buffer.from(bytes).toString("base64url")),
});

test("what was written is read back", () => {
  fc.assert(
    fc.property(anyTicket, (given) => {
      expect(findTicket(secret, encodeTicket(secret, given))).toEqual(given);
    }),
  );
});

describe("a ticket this service did not write is not a ticket", () => {
  test("another secret", () => {
    expect(findTicket(Buffer.alloc(32, 8), encodeTicket(secret, ticket))).toBeUndefined();
  });

  test("any single character replaced, removed or added", () => {
    const text = encodeTicket(secret, ticket);
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. !";
    const accepted: string[] = [];
    const tryText = (changed: string) => {
      if (changed !== text && findTicket(secret, changed)) accepted.push(changed);
    };
    for (let at = 0; at <= text.length; at++) {
      tryText(text.slice(0, at) + text.slice(at + 1));
      for (const character of alphabet) {
        tryText(text.slice(0, at) + character + text.slice(at + 1));
        tryText(text.slice(0, at) + character + text.slice(at));
      }
    }
    expect(accepted).toEqual([]);
  });

  test("any field changed under the old tag", () => {
    const tag = encodeTicket(secret, ticket).split(".")[1];
    const changes: Partial<Ticket>[] = [
      { capabilityId: "token.metadata" },
      { inputHash: null },
      { inputHash: `sha256:${"cd".repeat(32)}` },
      { priceMicroUsd: 1n },
      { cacheStatus: "hit" },
      { expiresAtMs: ticket.expiresAtMs + 1 },
    ];
    for (const change of changes) {
      const body = encodeTicket(secret, { ...ticket, ...change }).split(".")[0];
      expect(findTicket(secret, `${body}.${tag}`)).toBeUndefined();
    }
  });
});

test("garbage of any kind is refused without a throw", () => {
  const parts = fc.array(fc.oneof(fc.string(), fc.base64String(), fc.constant(".")), { maxLength: 6 });
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "binary" }),
        parts.map((p) => p.join("")),
      ),
      (text) => {
        expect(findTicket(secret, text)).toBeUndefined();
      },
    ),
    { numRuns: 500 },
  );
});

test("a well-tagged body of another shape is refused, so a later format cannot be misread", () => {
  const sign = (value: unknown) => {
    const body = Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
    const tag = createHmac("sha256", secret).update(body).digest().subarray(0, 16).toString("base64url");
    return `${body}.${tag}`;
  };
  const { buyerSecret } = ticket;
  const good = ["contract.guard", null, "1000", "miss", 1, buyerSecret];
  expect(findTicket(secret, sign(good))).toBeDefined();
  for (const body of [
    [...good, 1],
    good.slice(1),
    {},
    null,
    ["contract.guard", null, "-1", "miss", 1, buyerSecret],
    ["contract.guard", null, "1e3", "miss", 1, buyerSecret],
    ["contract.guard", null, "1000", "fresh", 1, buyerSecret],
    ["contract.guard", null, "1000", "miss", "1", buyerSecret],
    ["contract.guard", null, "1000", "miss", 1, "short"],
    ["contract.guard", null, "1000", "miss", 1],
  ])
    expect(findTicket(secret, sign(body))).toBeUndefined();
  expect(findTicket(secret, `.${randomBytes(16).toString("base64url")}`)).toBeUndefined();
});
