import { type CapabilityResult, capabilityResultSchema } from "@assay/protocol";
import { evaluateTokenLaunch, tokenLaunchReadingsSchema } from "@assay/rules";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accountOf, fetchChallenge, pay, priceOf } from "../../testing/payer.js";
import { startTestService, type TestService } from "../../testing/startTestService.js";
import { until } from "../../testing/until.js";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ RATE_LIMITS: "off" });
}, 60_000);
afterAll(() => service?.stop());

const urlOf = (capability: string, address: string) =>
  `${service.url}/api/v1/capabilities/${capability}/invoke?address=${address}`;
const priceNow = async (url: string) => priceOf((await fetchChallenge(url)).accepts[0]);

async function buy(url: string): Promise<CapabilityResult> {
  const { response } = await pay(url, accountOf(service, "alice"));
  expect(response.status).toBe(200);
  return capabilityResultSchema.parse(await response.json());
}

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

  const { evidence, reasonCodes, summary } = first.result;
  expect(evidence.proofs).not.toBeNull();
  const again = evaluateTokenLaunch(
    evidence.input as { address: `0x${string}` },
    tokenLaunchReadingsSchema.parse(evidence.readings),
  );
  expect(again).toMatchObject({ verdict: first.verdict, reasonCodes, summary, findings: evidence.findings });
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
  expect(blocked.result.summary).toContain("Who buys the token now cannot sell it again.");
  const refused = await fetch(urlOf("token.launch.guard", "0x12"));
  expect(refused.status).toBe(400);
}, 60_000);
