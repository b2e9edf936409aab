import { until } from "@assay/chain/testing/until";
import { expect, test } from "vitest";
import { expectSameVerdict } from "../expectSameVerdict.js";
import { type Query, useTestService } from "../useTestService.js";

const service = useTestService({ RATE_LIMITS: "off" });
const { priceNow, buy } = service;

const urlOf = (query: Query) => service.invokeUrl("rwa.market.guard", query);

test("an answer is sold once at the full price, then shared, and a stranger reaches the same verdict", async () => {
  const url = urlOf({ address: service.chainOf.contracts.permissionedToken, symbol: "STF" });
  expect(await priceNow(url)).toBe(500_000n);
  const first = await buy(url);
  expect(first).toMatchObject({
    capabilityId: "rwa.market.guard",
    verdict: "allow",
    pricing: { actualCacheStatus: "miss", pricePaidUsd: 0.5 },
    nextCall: { watch: { capabilityId: "contract.change" } },
  });
  await until(async () => (await priceNow(url)) === 150_000n || undefined);
  const second = await buy(url);
  expect(second).toMatchObject({ pricing: { actualCacheStatus: "hit", pricePaidUsd: 0.15 } });
  expect(second.evidenceReference.artifactId).toBe(first.evidenceReference.artifactId);

  expect(first.result.evidence.proofs).not.toBeNull();
  await expectSameVerdict(first);
}, 60_000);

test("a symbol makes another question, and asking without one is no bare probe", async () => {
  const { permissionedToken } = service.chainOf.contracts;
  const plain = await buy(urlOf({ address: permissionedToken }));
  expect(plain).toMatchObject({ verdict: "allow", result: { evidence: { input: { symbol: null } } } });
  const other = await buy(urlOf({ address: permissionedToken, symbol: "GOLD" }));
  expect(other.verdict).toBe("review");
  expect(other.result.reasonCodes).toContain("ASKED_SYMBOL_DIFFERS");
  expect(other.evidenceReference.inputHash).not.toBe(plain.evidenceReference.inputHash);
}, 60_000);

test.each([
  ["symbol", "S".repeat(33), "must be at most 32 characters"],
  ["symbol", "", "must not be empty"],
  ["symbol", " ", "must not be empty"],
  ["symbol", "S\u0000F", "must not hold control characters"],
  ["address", "0x12", "must be 0x followed by 40 hex digits"],
])("%s %j is refused with its rule before anybody pays", async (field, value, rule) => {
  const fields = { address: service.chainOf.contracts.permissionedToken, [field]: value };
  const response = await fetch(urlOf(fields));
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ errors: [{ field, rule }] });
});
