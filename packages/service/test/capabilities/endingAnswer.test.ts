import { expect, onTestFinished, test, vi } from "vitest";
import { packFinalCalls } from "../../src/payments/packFinalCalls.js";
import { getStoredResponse } from "../../src/payments/storedResponses.js";
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

  // Once they are final, one of them is kept whole and those like it are packed. One that differs in its result stays as it is.
  const { database } = service.context;
  await database.query({ text: "DELETE FROM unfinal_settlements" });
  const [{ invocation_id: changed } = { invocation_id: "" }] = await database.query<{
    invocation_id: string;
  }>({
    text: `UPDATE responses r SET body = convert_to(replace(convert_from(body, 'UTF8'), '"ttlSeconds"', '"ttlMoments"'), 'UTF8')
           FROM invocations i JOIN artifacts a USING (artifact_id)
           WHERE r.invocation_id = i.invocation_id AND a.artifact_id = $1 AND a.invocation_id <> i.invocation_id
             AND i.payer = $2 RETURNING i.invocation_id`,
    values: [...artifacts, service.account("carol").address.toLowerCase()],
  });
  const read = () =>
    Promise.all(answers.map(({ invocationId }) => getStoredResponse(database, invocationId)));
  const stored = await read();
  await packFinalCalls(database, 0);
  const whole = await database.query<{ invocation_id: string }>({
    text: "SELECT invocation_id FROM responses JOIN invocations USING (invocation_id) WHERE artifact_id = $1 AND body IS NOT NULL",
    values: [...artifacts],
  });
  expect(whole.map(({ invocation_id }) => invocation_id)).toHaveLength(changed ? 2 : 1);
  expect(await read()).toEqual(stored);
  expect(await packFinalCalls(database, 0)).toBe(0);
}, 60_000);
