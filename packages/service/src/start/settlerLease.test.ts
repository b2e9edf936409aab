import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSharedDevnet } from "@assay/devnet/testing/sharedDevnet";
import type { Hex } from "@assay/protocol";
import { parseEther, toHex } from "viem";
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from "viem/accounts";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "../../test/createTestDatabase.js";
import { fetchChallenge, send, signPayment } from "../../test/payer.js";
import { spawnService } from "../../test/spawnService.js";

async function openWorld() {
  const devnet = await openSharedDevnet({ blockTimeMs: 250 });
  onTestFinished(() => devnet.close());
  const db = await createTestDatabase();
  onTestFinished(() => db.close());
  const start = async (env: Record<string, string> = {}) => {
    const directory = await mkdtemp(join(tmpdir(), "assay-lease-"));
    const spawned = spawnService({
      DATA_DIR: directory,
      DATABASE_URL: db.connectionString,
      RPC_URL: devnet.rpcUrl,
      PAY_TO: devnet.payTo,
      STABLECOIN_ADDRESS: devnet.stablecoin.address,
      SERVICE_SIGNING_KEY: `0x${"5e".repeat(32)}`,
      SETTLER_PRIVATE_KEY: devnet.settler.privateKey,
      RATE_LIMITS: "off",
      ...env,
    });
    onTestFinished(async () => {
      await spawned.stop("SIGKILL");
      await rm(directory, { recursive: true, force: true });
    });
    return spawned;
  };
  const alice = privateKeyToAccount(devnet.accounts.find(({ name }) => name === "alice")?.privateKey as Hex);
  // This answer holds for a week, so no price ends between a challenge and its payment, however busy the machine is.
  const buy = async (origin: string) => {
    const url = `${origin}/api/v1/capabilities/contract.interface/invoke?address=${devnet.stablecoin.address}`;
    return (await send(url, await signPayment(alice, await fetchChallenge(url)))).status;
  };
  return { devnet, db, start, buy };
}

test("two processes never settle with one key: the second is refused, takes over from a dead one, or waits for its turn", async () => {
  const { devnet, db, start, buy } = await openWorld();
  const countSent = async () =>
    Number(await devnet.request<string>("eth_getTransactionCount", [devnet.settler.address, "latest"]));

  const first = await start();
  await first.ready();
  const second = await start();
  expect(await second.ended()).toBe(1);
  expect(second.errors()).toMatch(
    new RegExp(
      `^assay: The settling key of ${devnet.settler.address.toLowerCase()} is used by process ${first.child.pid} on \\S+ since 20\\S+Z, and two processes must not count its nonces: stop that process first, give this one a key of its own, set SETTLER_LEASE=wait [^\\n]+\\.$`,
      "m",
    ),
  );

  // A process that died holds nothing up.
  await first.stop("SIGKILL");
  const third = await start();
  const thirdUrl = await third.ready();
  const before = await countSent();
  expect(await buy(thirdUrl)).toBe(200);

  // One after the other: the successor serves at once, and settles when its predecessor has finished.
  const successor = await start({ SETTLER_LEASE: "wait" });
  const successorUrl = await successor.ready();
  const early = buy(successorUrl);
  const late = [buy(thirdUrl), buy(thirdUrl)];
  await new Promise((done) => setTimeout(done, 100));
  void third.stop("SIGTERM");
  expect(await Promise.all([early, ...late, buy(successorUrl)])).toEqual([200, 200, 200, 200]);
  expect(await third.ended()).toBe(0);
  // Each transaction carried a payment: no number was used twice, and none was skipped, which would hold up the next.
  const settled = await db.query<{ transaction_hash: string }>({
    text: "SELECT DISTINCT transaction_hash FROM invocations WHERE state = 'settled'",
  });
  expect((await countSent()) - before).toBe(settled.length);
}, 90_000);

test("processes that are given the same list of keys each take a free one, and name it by its number in the list", async () => {
  const { devnet, start, buy } = await openWorld();
  const spare = generatePrivateKey();
  await devnet.request("hardhat_setBalance", [privateKeyToAddress(spare), toHex(parseEther("1"))]);
  const shared = {
    SETTLER_LEASE: "any",
    SETTLER_PRIVATE_KEY: `${devnet.settler.privateKey},${spare}`,
  };
  for (const place of [1, 2]) {
    const url = await (await start(shared)).ready();
    expect(await buy(url)).toBe(200);
    const figures = await (await fetch(`${url}/metrics`)).text();
    expect(figures.match(/^assay_settlements_left\{.*?\}/gm)).toEqual([
      `assay_settlements_left{settler="${place}"}`,
    ]);
  }
  const oneTooMany = await start(shared);
  expect(await oneTooMany.ended()).toBe(1);
  expect(oneTooMany.errors()).toContain("assay: Each of the 2 settling keys is used by another process");
}, 90_000);
