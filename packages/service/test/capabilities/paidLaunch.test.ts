import { until } from "@assay/chain/testing/until";
import { expect, test } from "vitest";
import { expectSameVerdict } from "../expectSameVerdict.js";
import { useTestService } from "../useTestService.js";

const service = useTestService({ RATE_LIMITS: "off" });
const { priceNow, buy } = service;

const urlOf = (capability: string, address: string) => service.invokeUrl(capability, { address });

test("an answer is sold once at the full price, then shared, and a stranger reaches the same verdict", async () => {
  const url = urlOf("token.launch.guard", service.chainOf.contracts.freshToken);
  expect(await priceNow(url)).toBe(70_000n);
  const first = await buy(url);
  expect(first).toMatchObject({
    capabilityId: "token.launch.guard",
    verdict: "allow",
    pricing: { actualCacheStatus: "miss", pricePaidUsd: 0.07 },
  });
  expect(first.result.validUntilBlock).toBeGreaterThan(first.result.computedAtBlock);
  expect(first.nextCall).toMatchObject({
    validUntilBlock: first.result.validUntilBlock,
    recheck: { capabilityId: "token.launch.guard", notBeforeBlock: first.result.validUntilBlock + 1 },
  });
  await until(async () => (await priceNow(url)) === 20_000n || undefined);
  const second = await buy(url);
  expect(second).toMatchObject({ pricing: { actualCacheStatus: "hit", pricePaidUsd: 0.02 } });
  expect(second.evidenceReference.artifactId).toBe(first.evidenceReference.artifactId);

  expect(first.result.evidence.proofs).not.toBeNull();
  await expectSameVerdict(first);
}, 60_000);

test("code that contract.guard has fingerprinted makes it partial", async () => {
  const { taxedToken } = service.chainOf.contracts;
  const url = urlOf("token.launch.guard", taxedToken);
  expect(await priceNow(url)).toBe(70_000n);
  await buy(urlOf("contract.guard", taxedToken));
  await until(async () => (await priceNow(url)) === 40_000n || undefined);
  expect(await buy(url)).toMatchObject({
    verdict: "review",
    pricing: { actualCacheStatus: "partial", pricePaidUsd: 0.04 },
  });
}, 60_000);

test("a honeypot is blocked over HTTP, and a malformed address is refused before anybody pays", async () => {
  const blocked = await buy(urlOf("token.launch.guard", service.chainOf.contracts.honeypotToken));
  expect(blocked.verdict).toBe("block");
  expect(blocked.result.reasonCodes).toContain("SALE_FAILS");
  expect(blocked.result.summary).toContain("An account that buys the token now cannot sell it again.");
  const refused = await fetch(urlOf("token.launch.guard", "0x12"));
  expect(refused.status).toBe(400);
}, 60_000);
