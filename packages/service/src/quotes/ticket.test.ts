import { createCipheriv, createHmac, createSecretKey, randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyText } from "../../test/anyText.js";
import { createSeries, encodeTicket, findTicket, type Ticket } from "./ticket.js";

const secret = createSecretKey(Buffer.alloc(32, 7));
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
    expect(findTicket(createSecretKey(Buffer.alloc(32, 8)), encodeTicket(secret, ticket))).toBeUndefined();
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
    const tag = encodeTicket(secret, ticket).split(".")[2];
    const changes: Partial<Ticket>[] = [
      { capabilityId: "token.metadata" },
      { inputHash: null },
      { inputHash: `sha256:${"cd".repeat(32)}` },
      { priceMicroUsd: 1n },
      { cacheStatus: "hit" },
      { expiresAtMs: ticket.expiresAtMs + 1 },
      { buyerSecret: "AAECAwQFBgcICQoLDA0ODg" },
    ];
    for (const change of changes) {
      const [terms, buyerSecret] = encodeTicket(secret, { ...ticket, ...change }).split(".");
      expect(findTicket(secret, `${terms}.${buyerSecret}.${tag}`)).toBeUndefined();
    }
  });
});

test("garbage of any kind is refused without a throw", () => {
  const parts = fc.array(fc.oneof(fc.string(), fc.base64String(), fc.constant(".")), { maxLength: 6 });
  fc.assert(
    fc.property(
      fc.oneof(
        anyText(),
        parts.map((p) => p.join("")),
      ),
      (text) => {
        expect(findTicket(secret, text)).toBeUndefined();
      },
    ),
    { numRuns: 500 },
  );
});

test("a well-tagged text of another shape is refused, so a later format cannot be misread", () => {
  const sign = (value: unknown, buyerSecret = ticket.buyerSecret) => {
    const terms = Buffer.from(JSON.stringify(value)).toString("base64url");
    const keyOfTerms = createHmac("sha256", secret).update(terms).digest();
    const cipher = createCipheriv("aes-256-ecb", keyOfTerms, null);
    const tag = cipher.update(Buffer.from(buyerSecret, "base64url").subarray(0, 16));
    return `${terms}.${buyerSecret}.${tag.toString("base64url")}`;
  };
  const good = ["contract.guard", null, "1000", "miss", 1];
  expect(findTicket(secret, sign(good))).toBeDefined();
  for (const terms of [
    [...good, 1],
    good.slice(1),
    {},
    null,
    ["contract.guard", null, "-1", "miss", 1],
    ["contract.guard", null, "1e3", "miss", 1],
    ["contract.guard", null, "1000", "fresh", 1],
    ["contract.guard", null, "1000", "miss", "1"],
  ])
    expect(findTicket(secret, sign(terms))).toBeUndefined();
  for (const buyerSecret of ["short", "", `${ticket.buyerSecret}AA`, `${ticket.buyerSecret.slice(0, -1)}x`])
    expect(findTicket(secret, sign(good, buyerSecret))).toBeUndefined();
  expect(findTicket(secret, `.${randomBytes(16).toString("base64url")}`)).toBeUndefined();
});

test("one caller after another gets the same offer, each under a secret of its own", () => {
  const text = encodeTicket(secret, ticket);
  const next = createSeries(secret, text);
  const tickets = Array.from({ length: 1_000 }, next);
  for (const one of [text, ...tickets].slice(0, 100)) {
    const { buyerSecret, ...terms } = findTicket(secret, one) as Ticket;
    expect({ ...terms, buyerSecret: ticket.buyerSecret }).toEqual(ticket);
    expect(one).toHaveLength(text.length);
  }
  const words = tickets.flatMap((one) => one.split(".").slice(1));
  expect(new Set(words).size).toBe(words.length);
});

test("every bit of a secret is random", () => {
  const next = createSeries(secret, encodeTicket(secret, ticket));
  const secrets = Array.from({ length: 2_000 }, () =>
    Buffer.from(next().split(".")[1] as string, "base64url"),
  );
  for (let bit = 0; bit < 128; bit += 1) {
    const set = secrets.filter((bytes) => ((bytes[bit >> 3] as number) >> (bit & 7)) & 1).length;
    // Nine standard deviations on either side: a true random bit is never out of it.
    expect(Math.abs(set - 1_000), `bit ${bit}`).toBeLessThan(200);
  }
});

test("a tag says nothing about other secrets: it is not that of the same secret in another offer", () => {
  const [, buyerSecret, tag] = encodeTicket(secret, ticket).split(".");
  const other = encodeTicket(secret, { ...ticket, priceMicroUsd: 1n }).split(".");
  expect(other[1]).toBe(buyerSecret);
  expect(other[2]).not.toBe(tag);
});
