import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Devnet } from "@assay/devnet";
import { openSharedDevnet } from "@assay/devnet/testing/sharedDevnet";
import {
  capabilityResultSchema,
  type PaymentPayload,
  serviceDescriptionSchema,
  verifyCheckpoint,
} from "@assay/protocol";
import { pino } from "pino";
import { generatePrivateKey } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/createTestDatabase.js";
import {
  accountOf,
  balanceOf,
  fetchChallenge,
  pay,
  send,
  signPayment,
  signTerms,
} from "../../../test/payer.js";
import { startOnDevnet } from "../../../test/startOnDevnet.js";
import { beginRefund, listRecovered, recordRefund } from "../../payments/recovery/recoveredPayments.js";
import type { RunningService } from "../startService.js";
import { restoreBackup } from "./restoreBackup.js";
import { writeBackup } from "./writeBackup.js";

// Real payments on the local chain. A backup is taken between them, the database is lost, and the backup is put back.

const signingKey = generatePrivateKey();
/** Seconds; the service asks for ten when a payment arrives. */
const SHORT_VALIDITY = 14;

let devnet: Devnet;
let folder: string;
const databases: TestDatabase[] = [];
const running: RunningService[] = [];

const openService = async (database: TestDatabase) => {
  const place = { devnet, dataDir: join(folder, "data"), databaseUrl: database.connectionString };
  const env = { RATE_LIMITS: "off", SERVICE_SIGNING_KEY: signingKey };
  const service = await startOnDevnet(place, env, pino({ level: "silent" }));
  running.push(service);
  return service;
};
const openDatabase = async (options?: { migrated: boolean }) => {
  const database = await createTestDatabase(options);
  databases.push(database);
  return database;
};

interface Purchase {
  readonly name: string;
  readonly path: string;
  readonly payment: PaymentPayload;
}

let before: Purchase & { readonly body: string };
let lost: Record<"open" | "expired" | "quoted" | "toRefund", Purchase>;
let formerHead: string;
let former: { readonly origin: string; readonly publicKey: string };
let balances: Record<string, bigint>;
let restored: RunningService;
let restoredDb: TestDatabase;

const account = (name: string) => accountOf({ chainOf: devnet }, name);
const invoke = (address: string) => `/api/v1/capabilities/token.metadata/invoke?address=${address}`;
const resend = ({ path, payment }: Purchase) => send(`${restored.url}${path}`, payment);
const readBalances = async () => {
  const names = ["alice", "bob", "carol", "dave", "erin"];
  const read = names.map(async (name) => [name, await balanceOf({ chainOf: devnet }, account(name).address)]);
  return Object.fromEntries(await Promise.all(read)) as Record<string, bigint>;
};

beforeAll(async () => {
  devnet = await openSharedDevnet({ blockTimeMs: 500 });
  folder = await mkdtemp(join(tmpdir(), "assay-restore-"));
  const database = await openDatabase();
  const service = await openService(database);
  const { plainToken, bytes32Token, pausableToken, weth } = devnet.contracts;

  const first = await pay(`${service.url}${invoke(plainToken)}`, account("alice"));
  before = {
    name: "alice",
    path: invoke(plainToken),
    payment: first.payment,
    body: await first.response.text(),
  };
  expect(first.response.status).toBe(200);

  await writeBackup(database.connectionString, join(folder, "before.gz"));

  const buy = async (
    name: string,
    path: string,
    change?: (payment: PaymentPayload) => Promise<PaymentPayload>,
  ) => {
    const signed = await signPayment(account(name), await fetchChallenge(`${service.url}${path}`));
    const payment = change ? await change(signed) : signed;
    const response = await send(`${service.url}${path}`, payment);
    expect(response.status, await response.clone().text()).toBe(200);
    return { name, path, payment };
  };
  const validBefore = String(Math.floor(Date.now() / 1000) + SHORT_VALIDITY);
  const expired = await buy("carol", invoke(weth), (payment) =>
    signTerms(account("carol"), payment, { validBefore }),
  );
  const query = new URLSearchParams({
    capability: "token.metadata",
    wallet: account("dave").address,
    address: plainToken,
  });
  const quote = (await (await fetch(`${service.url}/api/v1/quotes?${query}`)).json()) as { quoteId: string };
  lost = {
    open: await buy("bob", invoke(bytes32Token)),
    expired,
    quoted: await buy("dave", `${invoke(plainToken)}&quote=${quote.quoteId}`),
    toRefund: await buy("erin", invoke(pausableToken)),
  };
  formerHead = await (await fetch(`${service.url}/api/v1/log/checkpoint`)).text();
  former = service.context.logSigner;
  balances = await readBalances();
  await service.stop();

  restoredDb = await openDatabase({ migrated: false });
  await restoreBackup(restoredDb.connectionString, join(folder, "before.gz"));
  restored = await openService(restoredDb);
}, 60_000);

afterAll(async () => {
  for (const service of running) await service.stop();
  for (const database of databases) await database.close();
  await devnet.close();
  await rm(folder, { recursive: true, force: true });
});

describe("a database that was put back to an earlier moment", () => {
  const stateOf = async ({ payment }: Purchase) =>
    (await listRecovered(restoredDb)).find(
      ({ nonce }) => nonce === payment.payload.authorization.nonce.toLowerCase(),
    );

  test("knows every payment of the calls that it lacks, before anybody asks, and no other", async () => {
    const states = await Promise.all(Object.values(lost).map(stateOf));
    expect(states.map((one) => one?.state)).toEqual(Array(4).fill("waiting"));
    expect(await listRecovered(restoredDb)).toHaveLength(4);
    expect(await stateOf(before)).toBeUndefined();
  });

  test("still answers a payment from before, byte for byte", async () => {
    const response = await resend(before);
    expect(response.status).toBe(200);
    expect((await response.text()) === before.body).toBe(true);
  });

  test("answers a lost payment anew for its payer, once, without a charge", async () => {
    const responses = await Promise.all([resend(lost.open), resend(lost.open), resend(lost.open)]);
    const again = await resend(lost.open);
    const bodies = new Set<string>([await again.text()]);
    for (const response of responses) {
      // Racers of the one that is served are asked to come again.
      expect([200, 409, 503]).toContain(response.status);
      if (response.status === 200) bodies.add(await response.text());
    }
    expect(bodies.size).toBe(1);
    const answer = capabilityResultSchema.parse(JSON.parse([...bodies][0] as string));
    expect(answer.capabilityId).toBe("token.metadata");
    expect((await stateOf(lost.open))?.state).toBe("answered");
  });

  test("takes the secret of the buyer for it: what the chain shows is not enough", async () => {
    const thief = await fetchChallenge(`${restored.url}${lost.toRefund.path}`);
    const accepted = { ...lost.toRefund.payment.accepted, extra: thief.accepts[0]?.extra ?? {} };
    const response = await send(`${restored.url}${lost.quoted.path}`, { ...lost.toRefund.payment, accepted });
    expect(response.status).toBe(402);
    expect((await stateOf(lost.toRefund))?.state).toBe("waiting");
  });

  test("refunds what is not answered: no answer from the begin of the refund on, and no refund of what was answered", async () => {
    const { id } = (await stateOf(lost.toRefund)) as { id: string };
    expect(await beginRefund(restoredDb, id)).toBe(true);
    expect(await beginRefund(restoredDb, id)).toBe(false);
    expect((await resend(lost.toRefund)).status).toBe(402);
    expect((await stateOf(lost.toRefund))?.state).toBe("refund_began");
    expect(await recordRefund(restoredDb, id, `0x${"ab".repeat(32)}`)).toBe(true);
    expect((await stateOf(lost.toRefund))?.state).toBe("refunded");
    const answered = (await stateOf(lost.open)) as { id: string };
    expect(await beginRefund(restoredDb, answered.id)).toBe(false);
  });

  test("leaves a payment refundable whose quote was lost too", async () => {
    const response = await resend(lost.quoted);
    expect([response.status, await response.text()]).toEqual([
      402,
      expect.stringContaining("quote_not_found"),
    ]);
    expect((await stateOf(lost.quoted))?.state).toBe("waiting");
  });

  test("answers a lost payment that has expired since", async () => {
    const { validBefore } = lost.expired.payment.payload.authorization;
    await sleep(Math.max(0, Number(validBefore) * 1000 - Date.now()));
    const response = await resend(lost.expired);
    expect(response.status, await response.clone().text()).toBe(200);
    expect((await stateOf(lost.expired))?.state).toBe("answered");
  });

  test("moved no money for any of that", async () => expect(await readBalances()).toEqual(balances));

  test("continues the log under a new name, which says where it left the old one", async () => {
    const text = await (await fetch(`${restored.url}/.well-known/assay.json`)).text();
    const { log } = serviceDescriptionSchema.parse(JSON.parse(text));
    const publicKey = Buffer.from(log.publicKey, "base64");
    const signed = await (await fetch(log.checkpoint)).text();
    const head = verifyCheckpoint(signed, { origin: log.origin, publicKey });
    const old = verifyCheckpoint(formerHead, { origin: former.origin, publicKey });
    expect(log.publicKey).toBe(former.publicKey);
    expect(log.origin).not.toBe(former.origin);
    expect(log.breaks).toHaveLength(1);
    expect(former.origin.endsWith(`/${log.breaks?.[0]?.formerLogId}`)).toBe(true);
    // Longer than the break and shorter than what was signed: under the old name this would be a second history.
    expect(log.breaks?.[0]?.size).toBeLessThan(old.size);
    expect(head.root).not.toBe(old.root);
  });
});

test("control: without the search for lost payments, the same payment is refused although it was taken", async () => {
  const database = await openDatabase({ migrated: false });
  await restoreBackup(database.connectionString, join(folder, "before.gz"), { isContinued: true });
  const service = await openService(database);
  const response = await send(`${service.url}${lost.open.path}`, lost.open.payment);
  expect(response.status).toBe(402);
});
