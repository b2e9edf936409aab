import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { evaluateWebCompile } from "@assay/capabilities/web.compile/evaluate";
import { webCompileReadingsSchema } from "@assay/capabilities/web.compile/readings";
import { servePageFiles } from "@assay/capabilities/web.compile/testing/servePageFiles";
import { problemSchema, quoteSchema } from "@assay/protocol";
import { afterAll, describe, expect, test } from "vitest";
import { balanceOf, pay } from "../payer.js";
import { useTestService } from "../useTestService.js";

const files = await servePageFiles({ "deep.html": `<html><body>${"<div>".repeat(600)}x` });
afterAll(() => files.close());
const hosts = [...files.testHosts].map(([name, place]) => `${name}=${place}`).join();
const service = useTestService({ RATE_LIMITS: "off", WEB_TEST_HOSTS: hosts });

const alice = () => service.account("alice");
const bob = () => service.account("bob");
const route = (name: "quote" | "invoke", query: Record<string, string>) =>
  `${service.url}/api/v1/capabilities/web.compile/${name}?${new URLSearchParams(query)}`;
const invokeUrl = (url: string, wallet: string, claim?: string) =>
  route("invoke", { url, wallet, ...(claim !== undefined && { claim }) });

async function countInvocations(): Promise<unknown> {
  return (await service.db.query({ text: "SELECT count(*) AS n FROM invocations WHERE state <> 'void'" }))[0];
}

describe("a page that is bought", () => {
  test("costs 0.03 at first and 0.02 while it is fresh, on the chain, and is fetched once", async () => {
    const url = files.urlOf("article.html");
    const before = await balanceOf(service, alice().address);
    const fresh = await service.buy(invokeUrl(url, alice().address));
    expect(before - (await balanceOf(service, alice().address))).toBe(30_000n);
    expect(fresh).toMatchObject({
      capabilityId: "web.compile",
      verdict: "allow",
      pricing: { quotedCacheStatus: "miss", actualCacheStatus: "miss", pricePaidUsd: 0.03 },
      evidenceReference: { shareable: true },
      result: {
        reasonCodes: ["PAGE_COMPILED"],
        evidence: {
          title: "Breakwater to be rebuilt before winter | The Harbour Post",
          language: "en-GB",
          validity: { ttlSeconds: 3600 },
          proofs: null,
        },
      },
    });

    // Another wallet, another spelling of the same page.
    const spelt = url.replace("http://golden.test/", "HTTP://GOLDEN.test:80/./");
    const quote = quoteSchema.parse(
      await (await fetch(route("quote", { url: `${spelt}#part`, wallet: bob().address }))).json(),
    );
    expect(quote).toMatchObject({ capabilityId: "web.compile", cacheStatus: "hit", priceUsd: 0.02 });
    const bobBefore = await balanceOf(service, bob().address);
    expect(await service.priceNow(quote.invokeUrl)).toBe(20_000n);
    const reused = await service.buy(quote.invokeUrl, "bob");
    expect(bobBefore - (await balanceOf(service, bob().address))).toBe(20_000n);
    expect(reused.evidenceReference.artifactId).toBe(fresh.evidenceReference.artifactId);
    expect(reused.result).toEqual(fresh.result);
    expect(reused.nextCall?.recheck.url).toBe(invokeUrl(url, bob().address.toLowerCase()));
    expect(files.asked.get("article.html")).toBe(1);
  });

  test("is judged again by a stranger from the bytes' hash, the text and the blocks in the answer", async () => {
    const url = files.urlOf("hidden-display-none.html");
    const { verdict, result } = await service.buy(invokeUrl(url, alice().address, "Slabs cost more"));
    expect(verdict).toBe("block");
    const recorded = result.evidence as Record<string, unknown>;
    const input = { url, claim: "Slabs cost more" };
    expect(recorded.input).toEqual(input);
    const readings = webCompileReadingsSchema.parse(recorded.readings);
    const bytes = readFileSync(
      new URL(
        "../../../capabilities/src/web.compile/testing/pages/hidden-display-none.html",
        import.meta.url,
      ),
    );
    expect(readings.fetched.bytesSha256).toBe(`0x${createHash("sha256").update(bytes).digest("hex")}`);
    const again = evaluateWebCompile(input, readings);
    expect(again).toMatchObject({ verdict, reasonCodes: result.reasonCodes, summary: result.summary });
    expect(recorded).toMatchObject(JSON.parse(JSON.stringify(again.evidence)));
    // Negative control: without its hidden text the same page is clean.
    const cleaned = { ...readings, page: { ...readings.page, hidden: [], hiddenCount: 0 } };
    expect(evaluateWebCompile(input, cleaned).verdict).toBe("allow");
  });
});

describe("what is no public page", () => {
  test.each([
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://[::1]/",
    "http://169.254.169.254/latest/meta-data",
    "http://localhost/",
    "http://printer/",
    "http://user:secret@a.org/",
    "ftp://a.org/x",
    "http://a.org:8080/",
    "not a url",
    "",
  ])("%j is refused before anybody pays", async (url) => {
    for (const name of ["quote", "invoke"] as const) {
      const response = await fetch(route(name, { url, wallet: alice().address }));
      expect(response.status).toBe(400);
      expect(problemSchema.parse(await response.json())).toMatchObject({
        code: "web_target_forbidden",
        errors: [{ field: "url" }],
      });
    }
  });

  test.each([
    ["missing.html", 502, "web_page_unavailable"],
    ["deep.html", 422, "web_page_unsupported"],
  ])("%s is answered %d and not charged", async (path, status, code) => {
    const [before, rows] = [await balanceOf(service, alice().address), await countInvocations()];
    const { response } = await pay(invokeUrl(files.urlOf(path), alice().address), alice());
    expect(response.status).toBe(status);
    expect(problemSchema.parse(await response.json()).code).toBe(code);
    expect(await balanceOf(service, alice().address)).toBe(before);
    expect(await countInvocations()).toEqual(rows);
  });
});

describe("the route's own rules", () => {
  const url = "https://www.rfc-editor.org/rfc/rfc9110";

  test("a bare probe is answered with the ceiling price", async () => {
    expect(await service.priceNow(route("invoke", {}))).toBe(30_000n);
  });

  test.each<[string, Record<string, string>, string]>([
    ["no wallet", { url }, "wallet"],
    ["a wallet that is none", { url, wallet: "0x12" }, "wallet"],
    ["no url", { wallet: `0x${"1".repeat(40)}` }, "url"],
    ["a url too long", { url: `${url}?${"a".repeat(2048)}`, wallet: `0x${"1".repeat(40)}` }, "url"],
    ["a claim too long", { url, wallet: `0x${"1".repeat(40)}`, claim: "a ".repeat(251) }, "claim"],
    ["an empty claim", { url, wallet: `0x${"1".repeat(40)}`, claim: " " }, "claim"],
    ["a claim with a NUL", { url, wallet: `0x${"1".repeat(40)}`, claim: "a\0b" }, "claim"],
  ])("%s is 400 on both routes", async (_, query, field) => {
    for (const name of ["quote", "invoke"] as const) {
      const response = await fetch(route(name, query));
      expect(response.status).toBe(400);
      const { code, errors } = problemSchema.parse(await response.json());
      expect({ code, fields: errors?.map((error) => error.field) }).toEqual({
        code: "invalid_input",
        fields: [field],
      });
    }
  });

  test("the wallet is not part of the question, the claim is", async () => {
    const quoteOf = async (wallet: string, claim?: string) =>
      quoteSchema.parse(
        await (await fetch(route("quote", { url, wallet, ...(claim !== undefined && { claim }) }))).json(),
      );
    const quotes = await Promise.all([
      quoteOf(alice().address),
      quoteOf(bob().address),
      quoteOf(bob().address, "it  says so"),
    ]);
    const rows = await service.db.query<{ quote_id: string; input_hash: string }>({
      text: "SELECT quote_id, input_hash FROM quotes WHERE quote_id = ANY($1)",
      values: [quotes.map(({ quoteId }) => quoteId)],
    });
    const [one, two, three] = quotes.map(
      ({ quoteId }) => rows.find((row) => row.quote_id === quoteId)?.input_hash,
    );
    expect(one).toBe(two);
    expect(three).not.toBe(one);
    expect(new URL(quotes[2]?.invokeUrl ?? "").searchParams.get("claim")).toBe("it says so");
  });
});
