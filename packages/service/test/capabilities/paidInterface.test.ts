import { until } from "@assay/chain/testing/until";
import type { Quote } from "@assay/protocol";
import { privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { balanceOf, pay } from "../payer.js";
import { useTestService } from "../useTestService.js";

const TWIN = "0x00000000000000000000000000000000c0de0003";

const service = useTestService();

const invokeUrl = (address: string) => service.invokeUrl("contract.interface", { address });
const countScans = async () => (await service.db.query({ text: "SELECT FROM interface_scans" })).length;

async function quote(address: string): Promise<Quote> {
  const url = service.quoteUrl("contract.interface", service.account("bob").address, { address });
  return (await fetch(url)).json() as Promise<Quote>;
}

/** Buys, and returns what it cost on chain. */
async function buy(url: string, name: string) {
  const { address } = service.account(name);
  const before = await balanceOf(service, address);
  const answer = await service.buy(url, name);
  return { ...answer, cost: before - (await balanceOf(service, address)) };
}

/** The same code at an address nobody has asked about. */
async function plantTwin(): Promise<void> {
  const { contracts, request } = service.chainOf;
  const code = await request("eth_getCode", [contracts.plainToken, "latest"]);
  await request("hardhat_setCode", [TWIN, code]);
  await service.chainOf.mine();
  // The head that prices go by is this block from now on.
  await service.context.chain.latestBlock();
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

  await until(async () => (await service.priceNow(invokeUrl(TWIN))) === 10_000n || undefined);
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
