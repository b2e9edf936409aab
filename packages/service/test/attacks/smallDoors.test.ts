import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AssayError, type CapabilityPrices } from "@assay/protocol";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { answerMcp } from "../../src/mcp/answerMcp.js";
import { loadSigningKey, signingKeyPath, writeSecret } from "../../src/start/keys.js";
import { asPost, fetchChallenge, send, signPayment } from "../payer.js";
import { useTestService } from "../useTestService.js";

// Small ways around a limit, or to what is not the caller's to see.
const service = useTestService({ TRUSTED_PROXIES: "127.0.0.1" });
const spendPages = async (address: string) => {
  for (let used = 0; used < 30; used += 1) await service.context.limits.consume("page", address);
};

test("a page is counted also when it is read again for an expired artifact", async () => {
  const alice = service.account("alice");
  const [page = ""] = service.chainOf.pages;
  const compiled = await service.buy(service.invokeUrl("web.compile", { url: page, wallet: alice.address }));
  const { artifactId } = compiled.evidenceReference;
  await service.db.query({
    text: "UPDATE artifacts SET fresh_until = now() - interval '1 second' WHERE artifact_id = $1",
    values: [artifactId],
  });
  const url = service.invokeUrl("evidence.artifact", { artifactId });
  const refreshFrom = async (address: string) => {
    const payment = await signPayment(alice, await fetchChallenge(url));
    return send(url, payment, { headers: { "x-forwarded-for": address } });
  };
  await spendPages("203.0.113.50");
  expect((await refreshFrom("203.0.113.50")).status).toBe(429);
  // Control: a caller who has pages left gets it.
  expect((await refreshFrom("203.0.113.51")).status).toBe(200);
});

test("work that fails and costs its caller nothing is counted like a refused payment", async () => {
  const url = service.invokeUrl("chain.snapshot");
  const buyFrom = async (address: string) => {
    const headers = { "x-forwarded-for": address };
    const payment = await signPayment(service.account("bob"), await fetchChallenge(url));
    return (await send(url, payment, { headers })).status;
  };
  for (let used = 0; used < 60; used += 1)
    await service.context.limits.consume("refusedPayment", "203.0.113.60");
  const outage = vi
    .spyOn(service.context.chain, "latestBlock")
    .mockRejectedValue(new AssayError("chain_unavailable", "No node answers."));
  onTestFinished(() => outage.mockRestore());
  expect(await buyFrom("203.0.113.61")).toBe(503);
  expect(await buyFrom("203.0.113.60")).toBe(429);
  outage.mockClear();
  expect(await buyFrom("203.0.113.60")).toBe(429);
  expect(outage).not.toHaveBeenCalled();
});

test("who tries offers that nobody made gets sixty tries a minute, and others go on", async () => {
  const url = service.invokeUrl("chain.snapshot");
  const payment = await signPayment(service.account("bob"), await fetchChallenge(url));
  const { extra } = payment.accepted;
  const guess = (n: number, address: string) => {
    const accepted = { ...payment.accepted, extra: { ...extra, ticket: `${extra.ticket}${n}` } };
    return send(url, { ...payment, accepted }, { headers: { "x-forwarded-for": address } });
  };
  const statuses = await Promise.all(
    Array.from({ length: 60 }, async (_, n) => (await guess(n, "203.0.113.70")).status),
  );
  expect(new Set(statuses)).toEqual(new Set([402]));
  expect((await guess(60, "203.0.113.70")).status).toBe(429);
  expect((await send(url, payment, { headers: { "x-forwarded-for": "203.0.113.70" } })).status).toBe(429);
  expect((await send(url, payment, { headers: { "x-forwarded-for": "203.0.113.71" } })).status).toBe(200);
});

describe("a claim that says nothing is not sold", () => {
  const priceOf = async (change: object) => {
    const { header } = service.context.chain.getFreshHead();
    const claim = {
      wallet: service.account("alice").address,
      address: service.chainOf.contracts.plainToken,
      implementation: null,
      fromBlock: header.number - 1,
      toBlock: header.number,
      rewardUsd: 1,
      deadline: new Date(Date.now() + 7_200_000).toISOString(),
      ...change,
    };
    const response = await fetch(`${service.url}/api/v1/claims`, asPost(claim));
    return [response.status, await response.json()];
  };

  test("of one block", async () => {
    const { number } = service.context.chain.getFreshHead().header;
    expect(await priceOf({ fromBlock: number, toBlock: number })).toMatchObject([
      400,
      { errors: [{ field: "fromBlock" }] },
    ]);
  });

  test("about an address without code", async () => {
    const { address } = privateKeyToAccount(generatePrivateKey());
    expect(await priceOf({ address })).toMatchObject([400, { errors: [{ field: "address" }] }]);
  });

  test("control: one about code over some blocks has its price", async () => {
    expect((await priceOf({}))[0]).toBe(402);
  });
});

test("the list of tools is written once, and is what the SDK would give", async () => {
  const list = async (params?: object) => {
    const message = { jsonrpc: "2.0", id: "list", method: "tools/list", ...(params && { params }) };
    return (await (await fetch(`${service.url}/api/mcp`, asPost(message))).json()) as {
      result: { tools: unknown[] };
    };
  };
  expect(await list()).toMatchObject({ jsonrpc: "2.0", id: "list" });
  expect((await list({ _meta: {} })).result.tools.length).toBeGreaterThan(10);
  expect(await list({ cursor: "x" })).toMatchObject({ error: { code: -32602 } });

  // Writing it reads each price; asked for again, none is read.
  let reads = 0;
  class CountedPrices extends Map<string, CapabilityPrices> {
    override get(id: string) {
      reads += 1;
      return super.get(id);
    }
  }
  const context = { prices: new CountedPrices(service.context.prices), settings: service.context.settings };
  const request = new Request(`${service.url}/api/mcp`, { method: "POST" });
  const body = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/list" });
  const ask = () =>
    answerMcp(context, { request, body, callRoute: () => Promise.reject(new Error("no call")) });
  const first = await (await ask()).json();
  expect(reads).toBeGreaterThan(10);
  reads = 0;
  expect(await (await ask()).json()).toEqual(first);
  expect(reads).toBe(0);
});

describe("metrics", () => {
  const read = (headers: Record<string, string> = {}) =>
    fetch(`${service.url}/metrics`, { headers }).then(({ status }) => status);

  test("are not for callers from elsewhere, however they come", async () => {
    expect(await read({ "x-forwarded-for": "203.0.113.9" })).toBe(404);
    expect(await read({ "x-forwarded-for": "127.0.0.1" })).toBe(404);
    expect(await read({ via: "1.1 proxy" })).toBe(404);
    expect(await read({ "x-forwarded-for": "203.0.113.9", authorization: "Bearer undefined" })).toBe(404);
    // Control: this machine.
    expect(await read()).toBe(200);
  });

  test("with a token are for those who have it, and for nobody else", async () => {
    const context = service.context as { metricsToken: string | undefined };
    context.metricsToken = "0123456789abcdef";
    onTestFinished(() => {
      context.metricsToken = undefined;
    });
    expect(await read()).toBe(404);
    expect(await read({ authorization: "Bearer 0123456789abcdeg" })).toBe(404);
    const far = { "x-forwarded-for": "203.0.113.9" };
    expect(await read({ ...far, authorization: "Bearer 0123456789abcdef" })).toBe(200);
  });
});

test("files with keys are closed to other users, also those that were open", async () => {
  const folder = await mkdtemp(join(tmpdir(), "assay-keys-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
  const open = join(folder, "devnet.json");
  await writeFile(open, "{}", { mode: 0o644 });
  await writeSecret(open, "{}");
  expect([await modeOf(open), await readFile(open, "utf8")]).toEqual([0o600, "{}\n"]);
  const key = await loadSigningKey(undefined, folder);
  await chmod(signingKeyPath(folder), 0o644);
  expect(await loadSigningKey(undefined, folder)).toBe(key);
  expect(await modeOf(signingKeyPath(folder))).toBe(0o600);
});
