import { expect, test } from "vitest";
import { expectSameVerdict } from "../expectSameVerdict.js";
import { useTestService } from "../useTestService.js";

const service = useTestService({ RATE_LIMITS: "off" });
const { priceNow, buy } = service;

const urlOf = (capability: string, address: string) => service.invokeUrl(capability, { address });

test("a first answer is a miss, the next a hit, and a stranger reaches the same verdict", async () => {
  const url = urlOf("token.metadata", service.chainOf.contracts.plainToken);
  expect(await priceNow(url)).toBe(30_000n);
  const first = await buy(url);
  expect(first).toMatchObject({
    verdict: "allow",
    pricing: { actualCacheStatus: "miss", pricePaidUsd: 0.03 },
  });
  expect(await priceNow(url)).toBe(10_000n);
  const second = await buy(url);
  expect(second).toMatchObject({
    verdict: "allow",
    pricing: { actualCacheStatus: "hit", pricePaidUsd: 0.01 },
  });
  expect(second.evidenceReference.artifactId).toBe(first.evidenceReference.artifactId);

  expect(first.result.evidence.proofs).not.toBeNull();
  await expectSameVerdict(first);
}, 60_000);

test("code that contract.guard has fingerprinted makes it partial", async () => {
  const { bytes32Token } = service.chainOf.contracts;
  const url = urlOf("token.metadata", bytes32Token);
  expect(await priceNow(url)).toBe(30_000n);
  await buy(urlOf("contract.guard", bytes32Token));
  expect(await priceNow(url)).toBe(20_000n);
  expect(await buy(url)).toMatchObject({ pricing: { actualCacheStatus: "partial", pricePaidUsd: 0.02 } });
}, 60_000);
