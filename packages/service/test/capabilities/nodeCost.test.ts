import { contractGuard } from "@assay/capabilities/contract.guard/capability";
import { devnetChain } from "@assay/chain/testing/devnetChain";
import { type ProfiledNode, startProfiledNode } from "@assay/chain/testing/profiledNode";
import { getProfile } from "@assay/chain/testing/providerProfiles";
import { openSharedDevnet } from "@assay/devnet/testing/sharedDevnet";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accountOf, balanceOf, pay } from "../payer.js";
import { startTestService, type TestService } from "../startTestService.js";

/** `npm run campaign:nodes` watches an idle service for a minute; the suite for two seconds. */
const IDLE_MS = process.env.ASSAY_EVERY_PROFILE === undefined ? 2_000 : 60_000;
/** As on Base. */
const BLOCK_TIME_MS = 200;

let node: ProfiledNode;
let service: TestService;
beforeAll(async () => {
  const devnet = await openSharedDevnet({ blockTimeMs: BLOCK_TIME_MS });
  node = await startProfiledNode(devnetChain(devnet), getProfile("full node"));
  service = await startTestService({ RPC_URL: node.url, RATE_LIMITS: "off" }, undefined, devnet);
}, 120_000);
afterAll(async () => {
  await service?.stop();
  await node?.close();
});

const countCalls = () => [...node.calls.values()].reduce((sum, calls) => sum + calls, 0);
const sleep = (ms: number) => new Promise((resume) => setTimeout(resume, ms));
const urlOf = (sample: "plainToken" | "upgradeableProxy") =>
  `${service.url}/api/v1/capabilities/contract.guard/invoke?address=${service.chainOf.contracts[sample]}`;

describe("what a service asks of its node", { timeout: 200_000 }, () => {
  test("idle at 200 ms blocks: at most 80 requests a minute", async () => {
    // Until nobody has asked for a while.
    await sleep(6_500);
    const before = countCalls();
    await sleep(IDLE_MS);
    const perMinute = ((countCalls() - before) * 60_000) / IDLE_MS;
    if (IDLE_MS >= 60_000) console.log(`idle: ${perMinute} requests a minute`);
    // In two seconds, one more or less is thirty in a minute.
    expect(perMinute).toBeLessThanOrEqual(80 + (IDLE_MS < 60_000 ? 30 : 0));
  });

  test("a miss of contract.guard: at most 15 requests for the answer itself", async () => {
    // After the first one it is known that the node gives proofs, which contain the slots.
    await pay(urlOf("upgradeableProxy"), accountOf(service, "alice"));
    const before = new Map(node.calls);
    const { response } = await pay(urlOf("plainToken"), accountOf(service, "alice"));
    expect(response.status).toBe(200);
    const asked = [...node.calls].map(
      ([method, calls]) => [method, calls - (before.get(method) ?? 0)] as const,
    );
    if (IDLE_MS >= 60_000) console.log("contract.guard, a miss:", JSON.stringify(Object.fromEntries(asked)));
    const answering = ["eth_getCode", "eth_getProof", "eth_getStorageAt", "eth_getBlockByHash", "eth_call"];
    const spent = asked
      .filter(([method]) => answering.includes(method))
      .reduce((sum, [, calls]) => sum + calls, 0);
    expect(spent).toBeLessThanOrEqual(15);
  });
});

describe("eight callers at once behind a provider that is asked too often", { timeout: 200_000 }, () => {
  test.each(["throttled: credits", "throttled: 429", "throttled: in words"])(
    "%s: each gets a whole answer, or is not charged for a partial one",
    async (name) => {
      const payer = accountOf(service, "bob");
      const urls = Object.values(service.chainOf.contracts)
        .slice(0, 8)
        .map((address) => `${service.url}/api/v1/capabilities/contract.guard/invoke?address=${address}`);
      const before = await balanceOf(service, payer.address);
      node.profile = getProfile(name);
      const answers = await Promise.all(urls.map((url) => pay(url, payer)));
      node.profile = getProfile("full node");
      const bodies = await Promise.all(answers.map(({ response }) => response.text()));
      const sold = bodies.filter((_, i) => answers[i]?.response.status === 200);
      for (const body of sold) expect(body).not.toMatch(/"reason":"[^"]*(rate_limited|circuit_open|timeout)/);
      // Whether such a payment went through is found on the chain later; what it paid for is a whole answer too.
      const open = bodies.filter((body) => body.includes("payment_outcome_unknown"));
      const paid = before - (await balanceOf(service, payer.address));
      expect(paid).toBeLessThanOrEqual(BigInt(sold.length + open.length) * contractGuard.prices.missMicroUsd);
      await sleep(1_500);
    },
  );
});
