import { expect, onTestFinished, test, vi } from "vitest";
import { accountOf } from "../payer.js";
import { useTestService } from "../useTestService.js";

const service = useTestService({ RATE_LIMITS: "off" });
const { priceNow, buy } = service;

test("an answer that would end on its way to the buyer is read anew, at the price of a hit, and seeds nobody", async () => {
  const url = service.invokeUrl("token.metadata", { address: service.chainOf.contracts.plainToken });
  const first = await buy(url, "alice");
  expect(first).toMatchObject({ pricing: { actualCacheStatus: "miss" } });
  const { inputHash, artifactId } = first.evidenceReference;

  // Two seconds are left: the challenge still offers a hit, and its buyer gets what was read at a later block.
  await service.context.database.query({
    text: "UPDATE artifacts SET fresh_until = now() + interval '2 seconds' WHERE artifact_id = $1",
    values: [artifactId],
  });
  // The seed ends before the payment has settled, as it may.
  await service.context.database.query({
    text: "UPDATE seeds SET fresh_until = now() WHERE input_hash = $1",
    values: [inputHash],
  });
  expect(await priceNow(url)).toBe(10_000n);
  const second = await buy(url, "bob");
  expect(second).toMatchObject({
    verdict: "allow",
    pricing: { quotedCacheStatus: "hit", actualCacheStatus: "hit", pricePaidUsd: 0.01 },
  });
  expect(second.evidenceReference.artifactId).not.toBe(artifactId);
  expect(second.result.computedAtBlock).toBeGreaterThan(first.result.computedAtBlock);

  const seeds = await service.context.database.query<{ wallet: string }>({
    text: "SELECT wallet FROM seeds WHERE input_hash = $1",
    values: [inputHash],
  });
  expect(seeds).toEqual([{ wallet: accountOf(service, "alice").address.toLowerCase() }]);

  // The new answer is sold from then on.
  const third = await buy(url, "alice");
  expect(third.evidenceReference.artifactId).toBe(second.evidenceReference.artifactId);
}, 60_000);

test("callers who ask together for an answer that is about to end get one new answer, and each pays for it", async () => {
  const url = service.invokeUrl("token.metadata", { address: service.chainOf.contracts.pausableToken });
  const { evidenceReference: ended } = await buy(url, "alice");
  await service.context.database.query({
    text: "UPDATE artifacts SET fresh_until = now() + interval '2 seconds' WHERE artifact_id = $1",
    values: [ended.artifactId],
  });
  // Each reading is of a block of its own, so that two of them are two answers.
  const { chain } = service.context;
  const ask = chain.latestBlock.bind(chain);
  const asked = vi.spyOn(chain, "latestBlock").mockImplementation(async () => {
    await service.chainOf.request("evm_mine");
    return ask();
  });
  onTestFinished(() => asked.mockRestore());
  const answers = await Promise.all((["alice", "bob", "carol"] as const).map((name) => buy(url, name)));
  const artifacts = new Set(answers.map(({ evidenceReference }) => evidenceReference.artifactId));
  expect([...artifacts]).toEqual([expect.not.stringMatching(ended.artifactId)]);
  expect(answers.map(({ pricing }) => [pricing.actualCacheStatus, pricing.pricePaidUsd])).toEqual([
    ["hit", 0.01],
    ["hit", 0.01],
    ["hit", 0.01],
  ]);
}, 60_000);
