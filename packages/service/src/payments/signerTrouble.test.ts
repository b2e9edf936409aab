import { openSharedDevnet } from "@assay/devnet/testing/sharedDevnet";
import { type CapabilityResult, evidenceTypedData, type Hex } from "@assay/protocol";
import { hashTypedData } from "viem";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { accountOf, balanceOf, fetchChallenge, send, signPayment } from "../../test/payer.js";
import { startTestService, type TestService } from "../../test/startTestService.js";
import { findSigner } from "../base/secp256k1.js";
import { type KeyService, startKeyService } from "../base/signers/testing/startKeyService.js";

// The whole service with both keys kept elsewhere. What a keeper does wrong costs its callers a retry, and never money.

let service: TestService;
let serviceKey: KeyService;
let settlerKey: KeyService;
let guarded: string;

beforeAll(async () => {
  const devnet = await openSharedDevnet({ blockTimeMs: 500 });
  serviceKey = await startKeyService(`0x${"6b".repeat(32)}`);
  settlerKey = await startKeyService(devnet.settler.privateKey);
  const env = {
    SERVICE_SIGNER: `web3signer:${serviceKey.url}/${serviceKey.address}`,
    SERVICE_SECRET: `0x${"7c".repeat(32)}`,
    SETTLER_PRIVATE_KEY: "",
    SETTLER_SIGNER: `web3signer:${settlerKey.url}/${settlerKey.address}`,
  };
  service = await startTestService(env, undefined, devnet);
  // Each key signs something worthless at the start, which must not be counted below.
  await service.context.facilitator.verifyReady();
  // Its answer lives for a week, so every call but the first costs the same.
  const { plainToken } = devnet.contracts;
  guarded = `${service.url}/api/v1/capabilities/contract.interface/invoke?address=${plainToken}`;
});
beforeEach(() => {
  serviceKey.mood = "well";
  settlerKey.mood = "well";
});
afterAll(async () => {
  await service?.stop();
  await serviceKey.close();
  await settlerKey.close();
});

const alice = () => accountOf(service, "alice");
const prepare = async () => signPayment(alice(), await fetchChallenge(guarded));
const sendAgain = async (payment: Awaited<ReturnType<typeof prepare>>) => {
  for (let tries = 0; ; tries++) {
    const response = await send(guarded, payment);
    if (response.status !== 503 || tries > 60) return response;
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    await new Promise((done) => setTimeout(done, 300));
  }
};
const countCalls = async () =>
  (
    await service.db.query<{ state: string }>({ text: "SELECT state FROM invocations ORDER BY created_at" })
  ).map(({ state }) => state);

function signerOf(answer: CapabilityResult): Hex | undefined {
  const { evidenceReference: evidence } = answer;
  const { computedAtBlock, validUntilBlock } = answer.result;
  const digest = hashTypedData(
    evidenceTypedData({
      ...{ capabilityId: answer.capabilityId, capabilityVersion: answer.capabilityVersion },
      ...{ invocationId: answer.invocationId, inputHash: evidence.inputHash },
      ...{ resultHash: evidence.resultHash, artifactId: evidence.artifactId },
      ...{ blockHash: evidence.blockHash, computedAtBlock },
      validUntilBlock,
    }),
  );
  return findSigner(digest, evidence.signature);
}

test("keys that are kept elsewhere sign results, offers, receipts and settlements", async () => {
  const payment = await prepare();
  const before = settlerKey.signed();
  const response = await sendAgain(payment);
  expect(response.status).toBe(200);
  const answer = (await response.json()) as CapabilityResult;
  expect(answer.evidenceReference.signer).toBe(serviceKey.address);
  expect(signerOf(answer)).toBe(serviceKey.address.toLowerCase());
  expect(settlerKey.signed() - before).toBe(1);
  const challenge = (await fetchChallenge(guarded)) as { extensions?: Record<string, unknown> };
  expect(JSON.stringify(challenge.extensions?.["offer-receipt"])).toContain('"signature":"0x');
});

test.each(["slow", "throttled", "down", "wrong key", "nonsense"] as const)(
  "while the service's key is %s nobody is charged, and the same payment buys its answer afterwards",
  async (mood) => {
    const payment = await prepare();
    const paid = await balanceOf(service, alice().address);
    const settled = settlerKey.signed();
    serviceKey.mood = mood;
    for (let i = 0; i < 2; i++) {
      const response = await send(guarded, payment);
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ code: "signer_unavailable" });
      expect(response.headers.get("retry-after")).toBe("2");
    }
    expect(settlerKey.signed()).toBe(settled);
    expect(await balanceOf(service, alice().address)).toBe(paid);
    expect((await countCalls()).filter((state) => state === "settling" || state === "unknown")).toEqual([]);
    serviceKey.mood = "well";
    expect((await sendAgain(payment)).status).toBe(200);
    expect(paid - (await balanceOf(service, alice().address))).toBe(BigInt(payment.accepted.amount));
    expect(settlerKey.signed() - settled).toBe(1);
  },
);

test("a payment that moved before the key went away is neither denied nor charged again", async () => {
  const payment = await prepare();
  const paid = await balanceOf(service, alice().address);
  // The next signature is the result's; the receipt's is asked for once the money has moved.
  serviceKey.moodAfterNext = "down";
  const first = await send(guarded, payment);
  expect(first.status).toBe(503);
  expect(await first.json()).toMatchObject({ code: "payment_outcome_unknown" });
  expect(paid - (await balanceOf(service, alice().address))).toBe(BigInt(payment.accepted.amount));
  serviceKey.mood = "well";
  expect((await sendAgain(payment)).status).toBe(200);
  expect(paid - (await balanceOf(service, alice().address))).toBe(BigInt(payment.accepted.amount));
});

test("while the settler's key is away nothing is sent, and its nonce is not lost", async () => {
  const payment = await prepare();
  const paid = await balanceOf(service, alice().address);
  const sent = () => service.devnet ?? service.chainOf;
  const count = () => sent().request<string>("eth_getTransactionCount", [settlerKey.address, "pending"]);
  const before = await count();
  settlerKey.mood = "down";
  const response = await send(guarded, payment);
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ code: "facilitator_unavailable" });
  expect(await balanceOf(service, alice().address)).toBe(paid);
  expect(await count()).toBe(before);
  settlerKey.mood = "well";
  expect((await sendAgain(payment)).status).toBe(200);
  expect(Number(await count()) - Number(before)).toBe(1);
});

test("health says that a key does not sign, and heals by itself", async () => {
  const health = async () => (await fetch(`${service.url}/api/v1/health`)).status;
  serviceKey.mood = "down";
  await send(guarded, await signPayment(alice(), await fetchChallenge(guarded)));
  await expect.poll(health, { timeout: 5_000 }).toBe(503);
  serviceKey.mood = "well";
  await expect.poll(health, { timeout: 15_000, interval: 300 }).toBe(200);
});
