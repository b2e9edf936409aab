import { samplePool } from "@assay/capabilities/amm.v4.hook.guard/testing/samplePool";
import { until } from "@assay/chain/testing/until";
import { zeroAddress } from "viem";
import { expect, test } from "vitest";
import { expectSameVerdict } from "../expectSameVerdict.js";
import { balanceOf } from "../payer.js";
import { type Query, useTestService } from "../useTestService.js";

const service = useTestService({ RATE_LIMITS: "off" });
const { priceNow, buy } = service;

const queryOf = (changes: Query) => ({ ...samplePool(service.chainOf.contracts, zeroAddress), ...changes });
const urlOf = (changes: Query = {}) => service.invokeUrl("amm.v4.hook.guard", queryOf(changes));

test("an answer is sold once at the full price, then shared, and a stranger reaches the same verdict", async () => {
  const url = urlOf();
  const alice = service.account("alice").address;
  const before = await balanceOf(service, alice);
  expect(await priceNow(url)).toBe(540_000n);
  const first = await buy(url);
  expect(before - (await balanceOf(service, alice))).toBe(540_000n);
  expect(first).toMatchObject({
    capabilityId: "amm.v4.hook.guard",
    verdict: "allow",
    pricing: { actualCacheStatus: "miss", pricePaidUsd: 0.54 },
  });
  await until(async () => (await priceNow(url)) === 150_000n || undefined);
  const second = await buy(url);
  expect(before - (await balanceOf(service, alice))).toBe(690_000n);
  expect(second).toMatchObject({ pricing: { actualCacheStatus: "hit", pricePaidUsd: 0.15 } });
  expect(second.evidenceReference.artifactId).toBe(first.evidenceReference.artifactId);

  expect(first.result.evidence.proofs).not.toBeNull();
  await expectSameVerdict(first);
}, 60_000);

test.each<["v4FeeHook" | "v4SkimmingHook" | "v4OneWayHook" | "v4UpgradeableHook", string, string]>([
  ["v4FeeHook", "review", "HOOK_TAKES_FEE"],
  ["v4SkimmingHook", "block", "HOOK_SKIMS"],
  ["v4OneWayHook", "block", "SWAPS_ONE_WAY"],
  ["v4UpgradeableHook", "review", "PROXY_EIP1967"],
])("%s of the local chain: %s, %s", async (name, verdict, reason) => {
  const answer = await buy(urlOf({ hooks: service.chainOf.contracts[name] }));
  expect(answer.verdict).toBe(verdict);
  expect(answer.result.reasonCodes).toContain(reason);
});

test("a quote names the price and the route", async () => {
  const { address } = service.account("alice");
  const quote = await fetch(service.quoteUrl("amm.v4.hook.guard", address, queryOf({ tickSpacing: 1 })));
  expect(await quote.json()).toMatchObject({ cacheStatus: "miss", priceUsd: 0.54, invokeMethod: "GET" });
});

const DYNAMIC = 8_388_608;
test.each<[string, Query, field: string, rule: string]>([
  ["unsorted currencies", { currency1: zeroAddress }, "currency1", "must be above currency0"],
  ["a fee above the whole", { fee: 1_000_001 }, "fee", "must be at most 1000000, or 8388608 if dynamic"],
  ["a fee that is no number", { fee: "0x1" }, "fee", "must be an integer"],
  ["a tick spacing of zero", { tickSpacing: 0 }, "tickSpacing", "must be from 1 to 32767"],
  ["a tick spacing beyond v4's", { tickSpacing: 32_768 }, "tickSpacing", "must be from 1 to 32767"],
  ["a dynamic fee and no hook", { fee: DYNAMIC }, "hooks", "must not be the zero address"],
  ["a hook without any bit", { hooks: `0x40${"0".repeat(38)}` }, "hooks", "whose lowest 14 bits v4 accepts"],
  [
    "a delta without its call",
    { hooks: `0x40${"0".repeat(36)}08` },
    "hooks",
    "whose lowest 14 bits v4 accepts",
  ],
  ["a hook that is no address", { hooks: "0x12" }, "hooks", "must be 0x followed by 40 hex digits"],
])("%s is refused before anybody pays", async (_, changes, field, rule) => {
  const refused = await fetch(urlOf(changes));
  expect(refused.status).toBe(400);
  const { errors } = (await refused.json()) as { errors: { field: string; rule: string }[] };
  expect(errors).toEqual(
    expect.arrayContaining([expect.objectContaining({ field, rule: expect.stringContaining(rule) })]),
  );
});
