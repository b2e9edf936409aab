import { expect, onTestFinished, test, vi } from "vitest";
import { accountOf, fetchChallenge, send, signPayment } from "../../test/payer.js";
import { useTestService } from "../../test/useTestService.js";

const service = useTestService({ TRUSTED_PROXIES: "127.0.0.1" });

/** A path, and how often one address may ask for it in a minute. */
const routes = [
  ["/api/v1/bounties", 600],
  ["/api/v1/opportunities", 600],
  ["/api/v1/receipts/inv_none", 600],
  [`/api/v1/evidence/sha256:${"0".repeat(64)}`, 600],
  ["/api/v1/log/checkpoint", 600],
  ["/api/v1/log/proof/0", 600],
  ["/api/v1/log/consistency?first=0&second=0", 600],
  [`/api/v1/publishers/0x${"a".repeat(40)}`, 600],
  [
    "/api/v1/capabilities/contract.guard/invoke?address=0x0000000000000000000000000000000000000001&quote=none",
    600,
  ],
  [`/api/v1/capabilities/evidence.artifact/invoke?artifactId=sha256:${"0".repeat(64)}`, 600],
  ["/api/v1/capabilities/stats", 60],
] as const;

const get = (path: string, address: string, origin = service.url) =>
  fetch(`${origin}${path}`, { headers: { "x-forwarded-for": address } });

/** As many uses as leave one. */
const spend = (budget: string, address: string, points: number) =>
  service.db.query({
    text: `INSERT INTO rate_limits (key, points, expire)
           VALUES ($1, $2, (extract(epoch FROM now()) * 1000)::bigint + 30000)`,
    values: [`${budget}:${address}`, points - 1],
  });

test.each(routes)("%s is limited by address", async (path, points) => {
  const address = `203.0.113.${routes.findIndex(([one]) => one === path)}`;
  await spend(points === 60 ? "stats" : "read", address, points);
  expect((await get(path, address)).status).not.toBe(429);
  const refused = await get(path, address);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(await refused.json()).toMatchObject({
    code: "rate_limited",
    detail: expect.stringContaining(`${points}`),
  });
  // Its own address, written left of the one that the proxy added, does not help; another caller is not affected.
  expect((await get(path, `198.51.100.7, ${address}`)).status).toBe(429);
  expect((await get(path, "198.51.100.7")).status).not.toBe(429);
});

test("the neighbours of an IPv6 caller share its budget", async () => {
  await spend("read", "2001:db8:0:1::/64", 600);
  expect((await get("/api/v1/opportunities", "2001:db8:0:1::1")).status).toBe(200);
  expect((await get("/api/v1/opportunities", "2001:db8:0:1:ffff::2")).status).toBe(429);
  expect((await get("/api/v1/opportunities", "2001:db8:0:2::1")).status).toBe(200);
});

test("challenges without a read are not limited", async () => {
  const path =
    "/api/v1/capabilities/contract.guard/invoke?address=0x0000000000000000000000000000000000000001";
  await spend("read", "203.0.113.99", 601);
  expect((await get(path, "203.0.113.99")).status).toBe(402);
});

test("pages that a caller asks for with payments are limited by address, shared answers are not", async () => {
  const alice = accountOf(service, "alice");
  const [fresh, other] = service.chainOf.pages;
  const urlOf = (page: string | undefined) =>
    `${service.url}/api/v1/capabilities/web.compile/invoke?${new URLSearchParams({ url: page ?? "", wallet: alice.address })}`;
  const buy = async (url: string) => {
    const payment = await signPayment(alice, await fetchChallenge(url));
    return send(url, payment, { headers: { "x-forwarded-for": "203.0.113.200" } });
  };
  await spend("page", "203.0.113.200", 30);
  expect((await buy(urlOf(fresh))).status).toBe(200);
  const refused = await buy(urlOf(other));
  expect([refused.status, await refused.json()]).toMatchObject([429, { code: "rate_limited" }]);
  expect((await buy(urlOf(fresh))).status).toBe(200);
});

test("a page that was paid for is given again, however much its payer has asked for since", async () => {
  const alice = accountOf(service, "alice");
  const query = new URLSearchParams({ url: service.chainOf.pages[2] ?? "", wallet: alice.address });
  const url = `${service.url}/api/v1/capabilities/web.compile/invoke?${query}`;
  const payment = await signPayment(alice, await fetchChallenge(url));
  const ask = () => send(url, payment, { headers: { "x-forwarded-for": "203.0.113.201" } });
  await spend("page", "203.0.113.201", 30);
  const first = await ask();
  expect(first.status).toBe(200);
  // As when the shared answer has lapsed, or another process gave it.
  const known = vi.spyOn(service.context.freshness, "hasAnswer").mockReturnValue(false);
  onTestFinished(() => known.mockRestore());
  const again = await ask();
  expect([again.status, await again.text()]).toEqual([200, await first.text()]);
});
