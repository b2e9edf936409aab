import { capabilityResultSchema, type Quote } from "@assay/protocol";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accountOf, balanceOf, fetchChallenge, pay, priceOf } from "../../testing/payer.js";
import { startTestService, type TestService } from "../../testing/startTestService.js";
import { until } from "../../testing/until.js";

const TWIN = "0x00000000000000000000000000000000c0de0003";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const invokeUrl = (address: string) =>
  `${service.url}/api/v1/capabilities/contract.interface/invoke?address=${address}`;
const countScans = async () => (await service.db.query({ text: "SELECT FROM interface_scans" })).length;

async function quote(address: string): Promise<Quote> {
  const query = new URLSearchParams({
    capability: "contract.interface",
    address,
    wallet: accountOf(service, "bob").address,
  });
  return (await fetch(`${service.url}/api/v1/quotes?${query}`)).json() as Promise<Quote>;
}

/** Buys and tells what it cost on chain. */
async function buy(url: string, name: string) {
  const account = accountOf(service, name);
  const before = await balanceOf(service, account.address);
  const { response } = await pay(url, account);
  expect(response.status).toBe(200);
  const answer = capabilityResultSchema.parse(await response.json());
  return { ...answer, cost: before - (await balanceOf(service, account.address)) };
}

/** The same code at an address nobody has asked about. */
async function plantTwin(): Promise<void> {
  const { contracts, request } = service.chainOf;
  const code = await request("eth_getCode", [contracts.plainToken, "latest"]);
  await request("hardhat_setCode", [TWIN, code]);
  await service.chainOf.mine();
  const planted = await request<string>("eth_blockNumber", []);
  await until(async () => service.context.chain.getFreshHead().header.number >= Number(planted) || undefined);
}

test("a call that could not be charged leaves no scan, though its answer was computed", async () => {
  const url = invokeUrl(service.chainOf.contracts.plainToken);
  const penniless = privateKeyToAccount(`0x${"5a".repeat(32)}`);
  expect((await pay(url, penniless)).response.status).toBe(402);
  expect(await service.db.query({ text: "SELECT state FROM invocations" })).toEqual([{ state: "void" }]);
  expect(await countScans()).toBe(0);
});

test("miss, then partial at another address with the same code, then hit", async () => {
  const { plainToken } = service.chainOf.contracts;
  await plantTwin();
  expect(await quote(TWIN)).toMatchObject({ cacheStatus: "miss", priceUsd: 0.02 });

  const first = await buy(invokeUrl(plainToken), "alice");
  expect(first).toMatchObject({
    verdict: "allow",
    cost: 20_000n,
    pricing: { quotedCacheStatus: "miss", actualCacheStatus: "miss", pricePaidUsd: 0.02 },
    result: { evidence: { findings: { scans: { subject: { source: "now" } } } } },
  });
  expect(first.result.evidence.proofs).not.toBeNull();
  expect(first.result.validUntilBlock).toBeGreaterThan(first.result.computedAtBlock);
  expect(await countScans()).toBe(1);

  const quoted = await quote(TWIN);
  expect(quoted).toMatchObject({ cacheStatus: "partial", priceUsd: 0.02 });
  const second = await buy(quoted.invokeUrl, "bob");
  expect(second).toMatchObject({
    verdict: "allow",
    cost: 20_000n,
    pricing: { quotedCacheStatus: "partial", actualCacheStatus: "partial", pricePaidUsd: 0.02 },
    result: { evidence: { findings: { scans: { subject: { source: "reused" } } } } },
  });
  expect(await countScans()).toBe(1);

  await until(
    async () => priceOf((await fetchChallenge(invokeUrl(TWIN))).accepts[0]) === 10_000n || undefined,
  );
  const third = await buy(invokeUrl(TWIN), "alice");
  expect(third).toMatchObject({
    cost: 10_000n,
    pricing: { quotedCacheStatus: "hit", actualCacheStatus: "hit", pricePaidUsd: 0.01 },
  });
  expect(third.evidenceReference.artifactId).toBe(second.evidenceReference.artifactId);
});

test("concurrent first calls for one proxy settle, and store each code's scan once", async () => {
  const url = invokeUrl(service.chainOf.contracts.transparentProxy);
  const before = await countScans();
  const answers = await Promise.all(["alice", "bob"].map((name) => buy(url, name)));
  for (const answer of answers) {
    expect(answer.verdict).toBe("review");
    expect(["miss", "hit"]).toContain(answer.pricing.actualCacheStatus);
  }
  expect(await countScans()).toBe(before + 2);
});
