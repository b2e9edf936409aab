import { type AddressInfo, createServer } from "node:net";
import { until } from "@assay/chain/testing/until";
import { openSharedDevnet } from "@assay/devnet/testing/sharedDevnet";
import { catalogSchema, type Hex, healthSchema, problemSchema } from "@assay/protocol";
import { afterEach, expect, test, vi } from "vitest";
import { createDoor } from "../../test/createDoor.js";
import { createTestDatabase } from "../../test/createTestDatabase.js";
import { accountOf, balanceOf, fetchChallenge, send, signPayment } from "../../test/payer.js";
import { startFacilitator } from "../../test/startFacilitator.js";
import { startTestService, type TestService } from "../../test/startTestService.js";

const undo: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (let step = undo.pop(); step; step = undo.pop()) await step();
});
async function start(env: Record<string, string> = {}): Promise<TestService> {
  const service = await startTestService({ RATE_LIMITS: "off", ...env });
  undo.push(() => service.stop());
  return service;
}

async function readHealth(service: TestService) {
  const response = await fetch(`${service.url}/api/v1/health`);
  const health = healthSchema.parse(await response.json());
  const down = health.dependencies.filter((dependency) => !dependency.ok);
  expect(response.status).toBe(down.length === 0 ? 200 : 503);
  expect(health.status).toBe(down.length === 0 ? "ready" : "unavailable");
  if (down.length > 0) expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(response.headers.get("cache-control")).toBe("no-store");
  return { health, down: down.map((dependency) => dependency.name) };
}

/** Waits until exactly these dependencies are named; answers in between must be of the right form too. */
const untilDown = (service: TestService, names: string[]) =>
  until(async () => {
    const { health, down } = await readHealth(service);
    return JSON.stringify(down) === JSON.stringify(names) ? health : undefined;
  });

async function expectUnavailable(response: Response, codes: string[]): Promise<void> {
  const problem = problemSchema.parse(await response.json());
  expect([response.status, problem.code, problem.detail]).toEqual([
    503,
    expect.toBeOneOf(codes),
    expect.any(String),
  ]);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
}

const quoteUrl = (service: TestService) =>
  `${service.url}/api/v1/quotes?capability=chain.snapshot&wallet=${accountOf(service, "alice").address}`;
const guardUrl = (service: TestService) =>
  `${service.url}/api/v1/capabilities/contract.guard/invoke?address=${service.chainOf.contracts.plainToken}`;

test("without its chain the service is unavailable, names it, and recovers by itself", async () => {
  let aheadMs = 0;
  const realNow = Date.now.bind(Date);
  const clock = vi.spyOn(Date, "now").mockImplementation(() => realNow() + aheadMs);
  undo.push(() => clock.mockRestore());
  // Mines on transactions only, so that no block is stamped by the clock while it runs ahead.
  const devnet = await openSharedDevnet({ blockTimeMs: 0 });
  undo.push(() => devnet.close());
  const door = await createDoor(devnet.rpcUrl);
  undo.push(() => door.close());
  const service = await start({ RPC_URL: door.url });
  const alice = accountOf(service, "alice");
  const payment = await signPayment(alice, await fetchChallenge(guardUrl(service)));
  door.shut();
  const health = await untilDown(service, ["chain", "x402"]).catch(() => untilDown(service, ["chain"]));
  expect(health.dependencies[0]?.detail).toBeTruthy();
  await expectUnavailable(await send(guardUrl(service), payment), [
    "chain_unavailable",
    "facilitator_unavailable",
  ]);

  // Half a minute later nothing may be sold at all: the newest block known is too old to judge by.
  aheadMs = 31_000;
  await expectUnavailable(await fetch(quoteUrl(service)), ["chain_head_stale"]);
  await expectUnavailable(await fetch(guardUrl(service)), ["chain_head_stale"]);
  await expectUnavailable(await send(guardUrl(service), payment), ["chain_head_stale"]);
  // What was sold is still shown.
  expect((await fetch(`${service.url}/api/v1/receipts/none`)).status).toBe(404);
  aheadMs = 0;

  door.open();
  await untilDown(service, []);
  const before = await devnetBalance(devnet, alice.address);
  const paid = await until(async () => {
    const response = await send(guardUrl(service), payment);
    if (response.status === 503) return undefined;
    return response.status;
  });
  expect(paid).toBe(200);
  expect(before - (await devnetBalance(devnet, alice.address))).toBe(100_000n);
});

const devnetBalance = (devnet: Awaited<ReturnType<typeof openSharedDevnet>>, address: string) =>
  balanceOf({ chainOf: devnet } as TestService, address);

// The outage campaign stops and crashes a server of its own; here the way to it is cut.
test("a service with everything it needs is ready; without its database it is unavailable, names persistence, and recovers without a restart", async () => {
  const database = await createTestDatabase();
  undo.push(() => database.close());
  const door = await createDoor(database.connectionString);
  undo.push(() => door.close());
  const service = await start({ DATABASE_URL: door.url });
  const { health: whole, down } = await readHealth(service);
  expect(down).toEqual([]);
  expect(whole.dependencies.map((dependency) => dependency.name)).toEqual(["chain", "persistence", "x402"]);
  expect(whole.headBlock).toBeGreaterThan(0);
  expect(whole.headAgeMs).toBeLessThan(30_000);
  expect(whole.blockTimeMs).toBeGreaterThan(0);
  const alice = accountOf(service, "alice");
  const payment = await signPayment(alice, await fetchChallenge(guardUrl(service)));
  const before = await balanceOf(service, alice.address);

  door.shut();
  await untilDown(service, ["persistence"]);
  await expectUnavailable(await fetch(quoteUrl(service)), ["database_unavailable"]);
  await expectUnavailable(await send(guardUrl(service), payment), ["database_unavailable"]);
  await expectUnavailable(await fetch(`${service.url}/api/v1/receipts/inv_${"0".repeat(32)}`), [
    "database_unavailable",
  ]);
  await expectUnavailable(await fetch(`${guardUrl(service)}&quote=quo_${"0".repeat(32)}`), [
    "database_unavailable",
  ]);
  // The unpaid price needs no database.
  expect((await fetch(guardUrl(service))).status).toBe(402);
  const catalog = catalogSchema.parse(await (await fetch(`${service.url}/api/v1/capabilities`)).json());
  expect(catalog.readiness.ok).toBe(false);

  door.open();
  await untilDown(service, []);
  expect((await fetch(quoteUrl(service))).status).toBe(200);
  expect((await send(guardUrl(service), payment)).status).toBe(200);
  expect(before - (await balanceOf(service, alice.address))).toBe(100_000n);
});

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

test("without its facilitator the service is unavailable, names x402, charges nothing, and recovers", async () => {
  const port = await findFreePort();
  const service = await start({ FACILITATOR_URL: `http://127.0.0.1:${port}` });
  const alice = accountOf(service, "alice");
  await untilDown(service, ["x402"]);
  const payment = await signPayment(alice, await fetchChallenge(guardUrl(service)));
  const before = await balanceOf(service, alice.address);
  await expectUnavailable(await send(guardUrl(service), payment), ["facilitator_unavailable"]);
  expect(await balanceOf(service, alice.address)).toBe(before);
  const rows = await service.db.query({ text: "SELECT state FROM invocations" });
  expect(rows).toEqual([{ state: "void" }]);

  undo.push(await startFacilitator(port, service.chainOf.rpcUrl, service.chainOf.settler.privateKey as Hex));
  await untilDown(service, []);
  const status = await until(async () => {
    const response = await send(guardUrl(service), payment);
    return response.status === 503 ? undefined : response.status;
  });
  expect(status).toBe(200);
  expect(before - (await balanceOf(service, alice.address))).toBe(100_000n);
});
