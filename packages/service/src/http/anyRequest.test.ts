import { request as httpRequest } from "node:http";
import { problemSchema } from "@assay/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyText } from "../../test/anyText.js";
import { fetchChallenge, signPayment } from "../../test/payer.js";
import { useTestService } from "../../test/useTestService.js";
import { catalogRows } from "./openapi/testing/contract.js";

/** Each is a request; `npm run campaign:properties` sends more. */
const RUNS = Number(process.env.ASSAY_PROPERTY_RUNS ?? 120);

const service = useTestService({ RATE_LIMITS: "off" });

describe("nothing a caller sends makes a 5xx", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...[
        "api",
        "v1",
        "capabilities",
        "quotes",
        "receipts",
        "health",
        "metrics",
        "invoke",
        "..",
        ".",
        "",
        "%00",
        "%",
      ],
      ...[
        "contract.guard",
        "chain.snapshot",
        "amm.swap.guard",
        "__proto__",
        "%ff",
        "%c0%af",
        "*",
        ":id",
        "inv_1",
      ],
    ),
    fc.webSegment(),
  );
  const path = fc.oneof(
    fc.array(piece, { maxLength: 6 }).map((pieces) => `/${pieces.join("/")}`),
    fc.constantFrom(
      ...["contract.guard", "chain.snapshot"].map((id) => `/api/v1/capabilities/${id}/invoke`),
      "/api/v1/quotes",
      "/api/v1/receipts/%00",
      "/api/v1/capabilities",
      "/api/v1/health",
    ),
  );
  const name = fc.oneof(
    fc.constantFrom(
      "address",
      "capability",
      "wallet",
      "quote",
      "from",
      "data",
      "fee",
      "__proto__",
      "constructor",
      "",
    ),
    fc.webQueryParameters(),
  );
  const value = fc.oneof(
    fc.constantFrom(
      "%00",
      "%",
      "%ff",
      "0x",
      `0x${"ab".repeat(20)}`,
      "contract.guard",
      "chain.snapshot",
      "1e999",
      "&",
    ),
    fc.constantFrom("prediction.evidence", "web.compile", "http://[::1", "quo_%00", "9".repeat(400)),
    fc.webQueryParameters(),
  );
  const query = fc
    .array(fc.tuple(name, value), { maxLength: 6 })
    .map((pairs) => (pairs.length === 0 ? "" : `?${pairs.map(([key, text]) => `${key}=${text}`).join("&")}`));
  const headerText = fc.string({
    unit: fc
      .integer({ min: 0x20, max: 0xff })
      .map((code) => String.fromCharCode(code === 0x7f ? 0x20 : code)),
    maxLength: 300,
  });
  const header = fc.tuple(
    fc.constantFrom("payment-signature", "content-type", "origin", "host", "accept", "x-agent-wallet"),
    fc.oneof(
      headerText,
      fc.json().map((text) => Buffer.from(text).toString("base64")),
    ),
  );
  const anyRequest = fc.record({
    method: fc.constantFrom(
      "GET",
      "GET",
      "GET",
      "POST",
      "PUT",
      "DELETE",
      "PATCH",
      "OPTIONS",
      "HEAD",
      "TRACE",
    ),
    target: fc.tuple(path, query).map((parts) => parts.join("")),
    headers: fc.array(header, { maxLength: 3 }),
    body: fc.oneof(fc.constant(""), fc.json(), anyText()),
  });
  type AnyRequest = typeof anyRequest extends fc.Arbitrary<infer T> ? T : never;

  const statusOf = ({ method, target, headers, body }: AnyRequest) =>
    new Promise<number>((done, fail) => {
      const { hostname, port } = new URL(service.url);
      const options = {
        hostname,
        port,
        method,
        path: target,
        headers: Object.fromEntries(headers),
        agent: false,
      };
      const request = httpRequest({ ...options, timeout: 10_000 }, (answer) => {
        answer.resume();
        answer.on("end", () => done(answer.statusCode ?? 0));
        answer.on("error", fail);
      });
      request.on("timeout", () => request.destroy(new Error("no answer within 10 s")));
      request.on("error", fail);
      // Node frames a body only for these; behind the others it would be read as the next request.
      request.end(/^P/.test(method) ? body : undefined);
    });

  test("requests made of half-right parts", async () => {
    const seen = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(anyRequest, async (request) => {
        const status = await statusOf(request);
        seen.set(status, (seen.get(status) ?? 0) + 1);
        expect(status).toBeGreaterThanOrEqual(200);
        expect(status).toBeLessThan(500);
      }),
      { numRuns: RUNS },
    );
    // The parts were right often enough to reach the routes behind the checks.
    for (const status of [200, 400, 402, 404, 405]) expect(seen.get(status) ?? 0).toBeGreaterThan(0);
  });

  test("quotes for every capability with fields of any content", async () => {
    const wallet = `0x${"ab".repeat(20)}`;
    const text = fc.oneof(
      fc.constantFrom(
        wallet,
        `0x${"cd".repeat(32)}`,
        "1",
        "-1",
        "abc",
        "0x",
        "0xabc",
        "9".repeat(80),
        "\0",
        " ",
        "",
      ),
      fc.constantFrom(
        "https://example.org/",
        "http://[",
        "javascript:alert(1)",
        "\u{1f600}",
        "\ud800",
        "x".repeat(3000),
      ),
      anyText({ maxLength: 40 }),
    );
    const capability = fc.constantFrom(...catalogRows);
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(
        capability,
        fc.array(text, { minLength: 6, maxLength: 6 }),
        async ({ id, input }, texts) => {
          const query = new URLSearchParams({ capability: id, wallet });
          input.forEach((field, at) => void query.set(field, texts[at] ?? ""));
          const response = await fetch(`${service.url}/api/v1/quotes?${query}`);
          const body = await response.json();
          if (response.status === 400) problemSchema.parse(body);
          seen.add(response.status);
        },
      ),
      { numRuns: RUNS },
    );
    // An obligation that nobody published is not found.
    expect([...seen].filter((status) => status !== 404).sort()).toEqual([200, 400]);
  });

  test("payments with any one field replaced by something else", async () => {
    const url = service.invokeUrl("contract.guard", { address: service.chainOf.contracts.plainToken });
    const signed = await signPayment(service.account("alice"), await fetchChallenge(url));
    // What a client says back of the challenge's extensions buys nothing and spoils nothing.
    const { extensions: _, ...good } = signed;
    // JSON can write both, and nothing that is compared or hashed can hold them.
    for (const odd of ['"\\ud800"', "1e999"]) {
      const text = JSON.stringify(good).replace('"extra":{', `"extra":{"odd":${odd},`);
      const encoded = Buffer.from(text).toString("base64");
      const response = await fetch(url, { headers: { "payment-signature": encoded } });
      expect([response.status, await response.text()]).toEqual([
        400,
        expect.stringContaining("surrogate pair"),
      ]);
    }
    const paths = listPaths(good);
    const odd = fc.oneof(
      fc.constantFrom<unknown>(
        null,
        "",
        "\0",
        "0x",
        "0xzz",
        -1,
        1e308,
        "9".repeat(78),
        "9".repeat(500),
        [],
        {},
        true,
      ),
      fc.constantFrom<unknown>(
        `0x${"00".repeat(65)}`,
        `0x${"ff".repeat(65)}`,
        `0x${"00".repeat(20)}`,
        "1",
        "0",
      ),
      fc.string({ maxLength: 40 }),
      fc.jsonValue({ maxDepth: 2 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), odd, async (at, replacement) => {
        const changed = structuredClone(good) as unknown as Record<string, unknown>;
        const parent = at.slice(0, -1).reduce((node, key) => node[key] as Record<string, unknown>, changed);
        const last = at.at(-1) as string;
        // What describes the resource may be changed freely; what is bought is decided by the rest.
        const isDecided = at[0] !== "resource" && at[0] !== "extensions";
        if (JSON.stringify(parent[last]) === JSON.stringify(replacement) || !isDecided) return;
        parent[last] = replacement;
        const encoded = Buffer.from(JSON.stringify(changed)).toString("base64");
        const response = await fetch(url, { headers: { "payment-signature": encoded } });
        await response.text();
        expect([400, 402, 431]).toContain(response.status);
      }),
      { numRuns: RUNS },
    );
  });
});

function listPaths(value: unknown, prefix: string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [prefix];
  const inside = Object.entries(value).flatMap(([key, child]) => listPaths(child, [...prefix, key]));
  return prefix.length > 0 ? [prefix, ...inside] : inside;
}
