import { until } from "@assay/chain/testing/until";
import { capabilityResultSchema } from "@assay/protocol";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { accountOf, fetchChallenge, pay, priceOf, send, signPayment } from "../../test/payer.js";
import { type Neighbour, startNeighbour } from "../../test/startNeighbour.js";
import { useTestService } from "../../test/useTestService.js";
import { joinResult } from "./cutResult.js";
import { createFreshness, followFreshness } from "./freshness.js";

const key = { SERVICE_SIGNING_KEY: `0x${"5".repeat(64)}` };
const seller = useTestService(key);
let neighbour: Neighbour;
beforeAll(async () => {
  neighbour = await startNeighbour(seller, key);
});
afterAll(() => neighbour?.stop());

const guardUrl = (service: Neighbour, address: string) =>
  `${service.url}/api/v1/capabilities/contract.guard/invoke?address=${address}`;
const offerOf = async (service: Neighbour, address: string) =>
  priceOf((await fetchChallenge(guardUrl(service, address))).accepts[0]);

test("the process that sold an answer knows of it without waiting for the notification", async () => {
  const { bytes32Token } = seller.chainOf.contracts;
  const url = `${seller.url}/api/v1/capabilities/token.metadata/invoke?address=${bytes32Token}`;
  const learn = vi.spyOn(seller.context.freshness, "learn");
  const { response } = await pay(url, accountOf(seller, "alice"));
  const { evidenceReference } = capabilityResultSchema.parse(await response.json());
  const times = () =>
    learn.mock.calls.filter(([news]) => news.inputHash === evidenceReference.inputHash).length;
  expect(times()).toBeGreaterThan(0);
  // Once by itself, and once by the notification that every process gets.
  await until(async () => times() === 2 || undefined);
  learn.mockRestore();
});

test("an answer bought at one process is offered as a hit by the other", async () => {
  const contract = seller.chainOf.contracts.plainToken;
  expect(await offerOf(neighbour, contract)).toBe(100_000n);
  const bought = await pay(guardUrl(seller, contract), accountOf(seller, "alice"));
  expect(bought.response.status).toBe(200);
  await until(async () => ((await offerOf(neighbour, contract)) === 20_000n ? true : undefined), 5_000);
  const { response } = await pay(guardUrl(neighbour, contract), accountOf(seller, "bob"));
  expect(capabilityResultSchema.parse(await response.json()).pricing).toMatchObject({
    quotedCacheStatus: "hit",
    actualCacheStatus: "hit",
    pricePaidUsd: 0.02,
  });
  // Control: nobody asked about this one, so it costs the full price at both.
  expect(await offerOf(seller, seller.chainOf.contracts.taxedToken)).toBe(100_000n);
  expect(await offerOf(neighbour, seller.chainOf.contracts.taxedToken)).toBe(100_000n);
});

test("a price offered by one process is taken by the other, and a payment's answer is kept for both", async () => {
  const contract = seller.chainOf.contracts.erc721;
  const payment = await signPayment(
    accountOf(seller, "carol"),
    await fetchChallenge(guardUrl(seller, contract)),
  );
  const first = await send(guardUrl(neighbour, contract), payment);
  expect(first.status).toBe(200);
  const again = await send(guardUrl(seller, contract), payment);
  expect([again.status, await again.text()]).toEqual([200, await first.text()]);
});

test("a process that starts later knows what is fresh; one that does not follow knows nothing", async () => {
  const contract = seller.chainOf.contracts.weth;
  const { response } = await pay(guardUrl(seller, contract), accountOf(seller, "dave"));
  const { evidenceReference, result } = capabilityResultSchema.parse(await response.json());
  const late = createFreshness();
  await followFreshness(neighbour.context.database, late);
  const { inputHash } = evidenceReference;
  expect(late.hasAnswer(inputHash, result.computedAtBlock)).toBe(true);
  expect(late.hasPaidPart(contract.toLowerCase(), ["contract.guard"])).toBe(true);
  expect(late.hasPaidPart(contract.toLowerCase(), ["rwa.market.guard"])).toBe(false);
  expect(late.hasAnswer(inputHash, result.validUntilBlock)).toBe(true);
  expect(late.hasAnswer(inputHash, result.validUntilBlock + 1)).toBe(false);
  expect(late.hasAnswer(inputHash, result.computedAtBlock - 1)).toBe(false);
  expect(createFreshness().hasAnswer(inputHash, result.computedAtBlock)).toBe(false);
});

test("notifications that are not ours are ignored, and listening goes on", async () => {
  const freshness = createFreshness();
  await followFreshness(seller.context.database, freshness);
  const notify = (payload: string) =>
    seller.db.query({ text: "SELECT pg_notify('assay_fresh', $1)", values: [payload] });
  for (const payload of ["", "{", "null", "[]", '{"inputHash":1}']) await notify(payload);
  const message = { inputHash: "h", fromBlock: 1, validUntilBlock: 9, freshUntilMs: Date.now() + 60_000 };
  await notify(JSON.stringify({ ...message, paidPart: null }));
  await until(async () => freshness.hasAnswer("h", 5) || undefined, 5_000);
});

test("what was known is forgotten when its time is over", () => {
  const freshness = createFreshness();
  const message = { inputHash: "h", fromBlock: 1, validUntilBlock: 9, paidPart: null };
  freshness.learn({ ...message, freshUntilMs: Date.now() + 60_000 });
  expect(freshness.hasAnswer("h", 5)).toBe(true);
  freshness.learn({ ...message, freshUntilMs: Date.now() - 1 });
  expect(freshness.hasAnswer("h", 5)).toBe(false);
});

test("a remembered answer is sold only while the database says that it is fresh", async () => {
  const { context, db, chainOf } = seller;
  const { response } = await pay(guardUrl(seller, chainOf.contracts.taxedToken), accountOf(seller, "alice"));
  const body = await response.text();
  const { evidenceReference, result } = capabilityResultSchema.parse(JSON.parse(body));
  const { inputHash, resultHash, artifactId } = evidenceReference;
  const find = () => context.soldAnswers.findFresh(inputHash, result.computedAtBlock);
  const [sold, again] = await Promise.all([find(), find()]);
  expect(sold).toMatchObject({ resultHash, resultText: JSON.stringify(JSON.parse(body).result) });
  expect(joinResult(sold?.firstRest ?? "", sold?.resultText ?? "")).toBe(body);
  // Fetched once: the same object, not an equal one.
  expect(again).toBe(sold);
  expect(await find()).toBe(sold);
  const setEnd = (text: string) =>
    db.query({
      text: `UPDATE artifacts SET fresh_until = now() + ${text} WHERE artifact_id = $1`,
      values: [artifactId],
    });
  await setEnd("interval '-1 second'");
  expect(await find()).toBeUndefined();
  await setEnd("interval '10 seconds'");
  expect(await find()).toBe(sold);
});
