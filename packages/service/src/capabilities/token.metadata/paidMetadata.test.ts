import { type CapabilityResult, capabilityResultSchema } from "@assay/protocol";
import { evaluateTokenMetadata, tokenMetadataReadingsSchema } from "@assay/rules";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accountOf, fetchChallenge, pay, priceOf } from "../../testing/payer.js";
import { startTestService, type TestService } from "../../testing/startTestService.js";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ RATE_LIMITS: "off" });
}, 60_000);
afterAll(() => service.stop());

const urlOf = (capability: string, address: string) =>
  `${service.url}/api/v1/capabilities/${capability}/invoke?address=${address}`;
const priceNow = async (url: string) => priceOf((await fetchChallenge(url)).accepts[0]);

async function buy(url: string): Promise<CapabilityResult> {
  const { response } = await pay(url, accountOf(service, "alice"));
  expect(response.status).toBe(200);
  return capabilityResultSchema.parse(await response.json());
}

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

  const { evidence, reasonCodes, summary } = first.result;
  expect(evidence.proofs).not.toBeNull();
  const again = evaluateTokenMetadata(
    evidence.input as { address: `0x${string}` },
    tokenMetadataReadingsSchema.parse(evidence.readings),
  );
  expect(again).toMatchObject({ verdict: first.verdict, reasonCodes, summary, findings: evidence.findings });
}, 60_000);

test("code that contract.guard has fingerprinted makes it partial", async () => {
  const { bytes32Token } = service.chainOf.contracts;
  const url = urlOf("token.metadata", bytes32Token);
  expect(await priceNow(url)).toBe(30_000n);
  await buy(urlOf("contract.guard", bytes32Token));
  expect(await priceNow(url)).toBe(20_000n);
  expect(await buy(url)).toMatchObject({ pricing: { actualCacheStatus: "partial", pricePaidUsd: 0.02 } });
}, 60_000);
