import { createHash } from "node:crypto";
import { ContradictedFactError, verifyFacts } from "@assay/capabilities";
import { listPredictionEvidenceFacts } from "@assay/capabilities/prediction.evidence/facts";
import { predictionEvidenceReadingsSchema } from "@assay/capabilities/prediction.evidence/readings";
import { until } from "@assay/chain/testing/until";
import {
  type Hex,
  openStateProofs,
  problemSchema,
  quoteSchema,
  type StateProofs,
  valueReading,
} from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { expectSameVerdict } from "../expectSameVerdict.js";
import { balanceOf, pay } from "../payer.js";
import { type Query, useTestService } from "../useTestService.js";

const service = useTestService({ RATE_LIMITS: "off" });

const QUESTION = "Will the lamp of Skerry Point be dark on the night of 31 December 2026?";
const PAGE_QUESTION = "Will the bell of Skerry Point ring in 2027?";
const PAGE = "http://pages.assay.test/prediction";
const alice = () => service.account("alice");
const bob = () => service.account("bob");
const invokeUrl = (query: Query) => service.invokeUrl("prediction.evidence", query);
const quoteUrl = (query: Query) => service.quoteUrl("prediction.evidence", bob().address, query);

test("a market costs 0.05 at first and 0.01 while fresh, on the chain, and a stranger judges it again", async () => {
  const query = { question: QUESTION, market: service.chainOf.contracts.predictionMarket };
  const before = await balanceOf(service, alice().address);
  const fresh = await service.buy(invokeUrl(query));
  expect(before - (await balanceOf(service, alice().address))).toBe(50_000n);
  expect(fresh).toMatchObject({
    capabilityId: "prediction.evidence",
    verdict: "allow",
    pricing: { quotedCacheStatus: "miss", actualCacheStatus: "miss", pricePaidUsd: 0.05 },
    evidenceReference: { shareable: true },
    result: { evidence: { validity: { ttlSeconds: 60 } } },
  });
  await until(async () => (await service.priceNow(invokeUrl(query))) === 10_000n || undefined);

  // Another wallet, another spelling of the address, by a quote.
  const spelt = { ...query, market: query.market.toLowerCase() };
  const quote = quoteSchema.parse(await (await fetch(quoteUrl(spelt))).json());
  expect(quote).toMatchObject({ cacheStatus: "hit", priceUsd: 0.01 });
  const bobBefore = await balanceOf(service, bob().address);
  const reused = await service.buy(quote.invokeUrl, "bob");
  expect(bobBefore - (await balanceOf(service, bob().address))).toBe(10_000n);
  expect(reused.result).toEqual(fresh.result);
  expect(reused.evidenceReference.artifactId).toBe(fresh.evidenceReference.artifactId);

  await expectSameVerdict(fresh);

  // The condition's state is proven to the block, and payouts that were made up are contradicted.
  const { evidence } = fresh.result;
  const input = evidence.input as { question: string; market: string };
  const readings = predictionEvidenceReadingsSchema.parse(evidence.readings);
  const { hash } = evidence.block as { hash: Hex };
  const state = openStateProofs(evidence.proofs as StateProofs, hash);
  verifyFacts(state, listPredictionEvidenceFacts(input, readings));
  const forged = structuredClone(readings);
  if (forged.kind !== "chain" || forged.tokens === null) throw new Error("a market was asked for");
  forged.tokens.storage.payoutDenominator = valueReading<Hex>(`0x${"1".padStart(64, "0")}`);
  expect(() => verifyFacts(state, listPredictionEvidenceFacts(input, forged))).toThrow(ContradictedFactError);
}, 60_000);

test("code that contract.guard has fingerprinted makes it partial", async () => {
  const market = service.chainOf.contracts.plainToken;
  const query = { question: QUESTION, market };
  await service.buy(service.invokeUrl("contract.guard", { address: market }));
  await until(async () => (await service.priceNow(invokeUrl(query))) === 20_000n || undefined);
  expect(await service.buy(invokeUrl(query))).toMatchObject({
    verdict: "review",
    pricing: { actualCacheStatus: "partial", pricePaidUsd: 0.02 },
  });
}, 60_000);

test("a page is quoted with ranges and hashes that its text bears out", async () => {
  const url = invokeUrl({ question: PAGE_QUESTION, market: `${PAGE}#rules` });
  const { verdict, result } = await service.buy(url);
  expect({ verdict, reasons: result.reasonCodes }).toEqual({
    verdict: "allow",
    reasons: ["PAGE_COMPILED", "QUESTION_ON_PAGE", "RESOLUTION_TEXT_QUOTED", "DECIDER_NAMED_ON_PAGE"],
  });
  const { readings, passages, decidedBy, title } = result.evidence as unknown as {
    readings: unknown;
    title: string;
    passages: { kinds: string[]; start: number; end: number; quote: string; quoteHash: string }[];
    decidedBy: { quote: string }[];
  };
  const recorded = predictionEvidenceReadingsSchema.parse(readings);
  if (recorded.kind !== "page") throw new Error("a page was asked for");
  expect(title).toBe(`${PAGE_QUESTION} - Island markets`);
  for (const { start, end, quote, quoteHash } of passages) {
    expect(recorded.web.page.text.slice(start, end)).toBe(quote);
    expect(quoteHash).toBe(`sha256:${createHash("sha256").update(quote, "utf8").digest("hex")}`);
  }
  expect(new Set(passages.flatMap(({ kinds }) => kinds))).toEqual(
    new Set(["resolution", "decider", "source", "deadline"]),
  );
  expect(decidedBy.map(({ quote }) => quote).join(" ")).toContain("a committee of three keepers");
}, 60_000);

describe("what cannot be asked", () => {
  const market = `0x${"1".repeat(40)}`;

  test.each([
    ["http://127.0.0.1/", "web_target_forbidden"],
    ["http://169.254.169.254/latest", "web_target_forbidden"],
    ["http://user:secret@a.org/", "web_target_forbidden"],
    ["https://a.org:8443/", "web_target_forbidden"],
    ["ftp://a.org/x", "invalid_input"],
    ["0x12", "invalid_input"],
    [`0x${"1".repeat(64)}`, "invalid_input"],
    ["not a market", "invalid_input"],
    ["http://[::1", "invalid_input"],
    ["", "invalid_input"],
    [`https://a.org/${"a".repeat(2048)}`, "invalid_input"],
  ])("the market %j is 400 before anybody pays", async (given, code) => {
    for (const url of [
      invokeUrl({ question: QUESTION, market: given }),
      quoteUrl({ question: QUESTION, market: given }),
    ]) {
      const response = await fetch(url);
      expect(response.status).toBe(400);
      const problem = problemSchema.parse(await response.json());
      expect(problem).toMatchObject({ code, errors: [{ field: "market" }] });
    }
  });

  test.each<[string, Record<string, string>, string]>([
    ["no question", { market }, "question"],
    ["no market", { question: QUESTION }, "market"],
    ["a question too short", { question: " a ", market }, "question"],
    ["a question too long", { question: "a".repeat(501), market }, "question"],
    ["a question with a NUL", { question: "Will\0it?", market }, "question"],
  ])("%s is 400", async (_, query, field) => {
    const response = await fetch(invokeUrl(query));
    expect(response.status).toBe(400);
    const { errors } = problemSchema.parse(await response.json());
    expect(errors?.map((error) => error.field)).toEqual([field]);
  });

  test("a page that is not there is 502 and not charged", async () => {
    const before = await balanceOf(service, alice().address);
    const query = { question: QUESTION, market: "http://pages.assay.test/nowhere" };
    const { response } = await pay(invokeUrl(query), alice());
    expect(response.status).toBe(502);
    expect(problemSchema.parse(await response.json()).code).toBe("web_page_unavailable");
    expect(await balanceOf(service, alice().address)).toBe(before);
  });
});
