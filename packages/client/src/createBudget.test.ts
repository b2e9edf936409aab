import { createPublicClient, http } from "viem";
import { base } from "viem/chains";
import { beforeAll, describe, expect, it } from "vitest";
import { createBudget, type SignedAuthorization } from "./createBudget.js";
import { createClient } from "./createClient.js";
import { BudgetError, PaymentRefusedError } from "./errors.js";
import { isAuthorizationDead } from "./isAuthorizationDead.js";
import type { ConnectedService } from "./testing/connectToService.js";
import { getSharedService } from "./testing/getSharedService.js";

const nowSeconds = () => Math.floor(Date.now() / 1000);
const authorization = (digit: string, validBeforeSeconds: number): SignedAuthorization => ({
  asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  payer: "0x0000000000000000000000000000000000000002",
  authorizationNonce: `0x${digit.repeat(64)}`,
  validBeforeSeconds,
});

describe("a budget", () => {
  it("gives back only what has run out and the chain shows unused", async () => {
    const used = authorization("1", nowSeconds() - 10);
    const dead = authorization("2", nowSeconds() - 10);
    const alive = authorization("3", nowSeconds() + 300);
    const asked: string[] = [];
    const budget = createBudget(30n, async ({ authorizationNonce }) => {
      asked.push(authorizationNonce);
      return authorizationNonce !== used.authorizationNonce;
    });
    for (const payment of [used, dead, alive]) await budget.sign("x", 10n, async () => payment);
    await budget.sign("x", 10n, async () => authorization("4", nowSeconds() + 300));
    expect(asked).toEqual([used.authorizationNonce, dead.authorizationNonce]);
    expect(budget.spentMicroUsd).toBe(30n);
    await expect(budget.sign("x", 1n, async () => alive)).rejects.toThrow(BudgetError);
  });

  it("forgets what was answered, which still counts", async () => {
    const paid = authorization("1", nowSeconds() - 10);
    const asked: SignedAuthorization[] = [];
    const budget = createBudget(10n, async (payment) => asked.push(payment) > 0);
    await budget.sign("x", 10n, async () => paid);
    budget.settle(paid.authorizationNonce);
    await expect(budget.sign("x", 1n, async () => paid)).rejects.toThrow(BudgetError);
    expect([asked, budget.spentMicroUsd]).toEqual([[], 10n]);
  });

  it("does not count what was not signed after all", async () => {
    const budget = createBudget(10n);
    const refuse = () => budget.sign("x", 10n, () => Promise.reject(new Error("the wallet says no")));
    await expect(refuse()).rejects.toThrow("says no");
    expect(budget.spentMicroUsd).toBe(0n);
  });
});

describe("with a service", () => {
  let service: ConnectedService;
  beforeAll(async () => {
    service = await getSharedService();
  });

  it("binds against one that takes the money and says that it did not", async () => {
    const { address } = service.wallet("carol");
    const before = await service.balanceOf(address);
    const client = createClient({
      baseUrl: service.url,
      account: service.wallet("carol"),
      maxTotalUsd: 0.01,
      node: service.rpcUrl,
      async fetch(input, init) {
        const answer = await fetch(input, init);
        if (!new Headers(init?.headers).has("payment-signature")) return answer;
        const challenge = await fetch(input);
        return new Response(await challenge.text(), { status: 402, headers: challenge.headers });
      },
    });
    const failures = [];
    for (let call = 0; call < 8; call++)
      failures.push(await client.call("chain.snapshot", {}, { useQuote: false }).catch((error) => error));
    const refused = failures.filter((error) => error instanceof PaymentRefusedError);
    expect(refused.length).toBeGreaterThan(0);
    expect(failures.at(-1)).toBeInstanceOf(BudgetError);
    const taken = before - (await service.balanceOf(address));
    expect(taken).toBeGreaterThan(0n);
    expect(taken).toBeLessThanOrEqual(10_000n);
    expect(client.spentUsd()).toBeGreaterThanOrEqual(Number(taken) / 1e6);
  });

  it("keeps payments that are signed at once within what is left", async () => {
    const address = service.contract("plainToken");
    const client = createClient({
      baseUrl: service.url,
      account: service.wallet("dave"),
      maxTotalUsd: 0.015,
    });
    const racing = await Promise.allSettled([1, 2, 3].map(() => client.call("token.metadata", { address })));
    expect(client.spentUsd()).toBeLessThanOrEqual(0.015);
    expect(racing.some(({ status }) => status === "rejected")).toBe(true);
  });

  it("releases a payment that the chain shows was not made", async () => {
    const client = createClient({ baseUrl: service.url, account: service.wallet("erin") });
    // Of an answer that holds long, because its price does too.
    const prepared = await client.prepareUnquoted("contract.interface", {
      address: service.contract("plainToken"),
    });
    const toAuthorization = (validBeforeSeconds: number) => ({ ...prepared, validBeforeSeconds });
    const { timestamp } = await createPublicClient({
      chain: base,
      transport: http(service.rpcUrl),
    }).getBlock();
    const past = toAuthorization(Number(timestamp) - 1);
    expect(await isAuthorizationDead(service.rpcUrl, past)).toBe(true);
    expect(await isAuthorizationDead(service.rpcUrl, toAuthorization(Number(timestamp) + 300))).toBe(false);
    const silent = { request: () => Promise.reject(new Error("away")) };
    expect(await isAuthorizationDead(silent, past)).toBe(false);
    await client.send(prepared);
    expect(await isAuthorizationDead(service.rpcUrl, past)).toBe(false);
  });
});
