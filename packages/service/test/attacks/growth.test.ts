import type { PaymentPayload } from "@assay/protocol";
import { type Hex, keccak256 } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { beforeAll, describe, expect, test } from "vitest";
import { findCallRecord } from "../../src/evidence/callRecords.js";
import { deleteUnpaid } from "../../src/jobs/retention.js";
import { getSignedHead } from "../../src/log/signedHeads.js";
import { packFinalCalls } from "../../src/payments/packFinalCalls.js";
import { fetchChallenge, pay, send, signPayment } from "../payer.js";
import { post, signAction } from "../signAction.js";
import { useTestService } from "../useTestService.js";

// Somebody fills the disk: with what is free, and with the cheapest thing that is sold.
const service = useTestService({ RATE_LIMITS: "off" });

const newAccount = () => privateKeyToAccount(generatePrivateKey());
const query = <Row>(text: string, values: unknown[] = []) =>
  service.db.query<Row & Record<string, unknown>>({ text, values });
const countOf = async (table: string, where = "true") =>
  Number((await query<{ n: bigint }>(`SELECT count(*) AS n FROM ${table} WHERE ${where}`))[0]?.n);

/** As if everything that is in the tables had happened that much earlier. */
async function letPass(hours: number): Promise<void> {
  const past = `- ${hours} * interval '1 hour'`;
  for (const text of [
    `UPDATE invocations SET valid_before = valid_before - ${hours * 3600}, created_at = created_at ${past}`,
    `UPDATE quotes SET expires_at = expires_at ${past}`,
    `UPDATE publications SET published_at = published_at ${past}`,
    `UPDATE seeds SET seeded_at = seeded_at ${past}, fresh_until = fresh_until ${past} WHERE seeded_at > '-infinity'`,
    `UPDATE fingerprints SET observed_at = observed_at ${past}`,
    `UPDATE pledges SET pledged_at = pledged_at ${past}`,
  ])
    await query(text);
}

async function publish(account: PrivateKeyAccount, address: string, code: Hex | null): Promise<void> {
  const headers = await signAction(service.url, account, { action: "artifact_publish", resource: address });
  const response = await post(service.url, "/api/v1/artifacts/publish", headers, {
    capabilityId: "contract.guard",
    wallet: account.address,
    address,
    bytecodeHash: code && keccak256(code),
    bytecodeBytes: code ? (code.length - 2) / 2 : 0,
    computedAtBlock: service.context.chain.getFreshHead().header.number,
  });
  expect(response.status).toBe(code ? 422 : 201);
}

async function pledge(account: PrivateKeyAccount, capability: string): Promise<void> {
  const headers = await signAction(service.url, account, { action: "demand_pledge", resource: capability });
  const body = { wallet: account.address, capability };
  expect((await post(service.url, "/api/v1/demand-pledges", headers, body)).status).toBe(201);
}

describe("what is free leaves nothing behind after a day", () => {
  const tables = [
    "invocations",
    "responses",
    "quotes",
    "publications",
    "publishers",
    "seeds",
    "fingerprints",
  ];
  const countAll = async () => {
    const counts: Record<string, number> = {};
    for (const table of [...tables, "pledges", "asked_capabilities", "log_leaves"])
      counts[table] = await countOf(table);
    return counts;
  };
  let before: Record<string, number>;

  beforeAll(async () => {
    before = await countAll();
    const url = service.invokeUrl("contract.guard", { address: service.chainOf.contracts.plainToken });
    for (let index = 0; index < 3; index += 1) {
      const poor = newAccount();
      expect((await send(url, await signPayment(poor, await fetchChallenge(url)))).status).toBe(402);
      await fetch(service.quoteUrl("chain.snapshot", poor.address));
      await publish(poor, newAccount().address.toLowerCase(), null);
      await publish(newAccount(), newAccount().address.toLowerCase(), "0x1234");
      await pledge(poor, `made.up.${index}`);
    }
  });

  test("while it may still matter, it is kept", async () => {
    await letPass(20);
    await deleteUnpaid(service.context);
    expect(await countAll()).toMatchObject({
      invocations: (before.invocations ?? 0) + 3,
      quotes: (before.quotes ?? 0) + 3,
      publications: (before.publications ?? 0) + 6,
      pledges: (before.pledges ?? 0) + 3,
      // Not even for a day: the log is for ever.
      log_leaves: before.log_leaves,
    });
  });

  test("and then it is gone", async () => {
    await letPass(6);
    await deleteUnpaid(service.context);
    expect(await countAll()).toEqual(before);
  });

  test("control: what was paid for, and who paid, stays", async () => {
    const alice = service.account("alice");
    const address = newAccount().address.toLowerCase();
    await publish(alice, address, null);
    await pledge(alice, "amm.pool.state");
    const quote = await (
      await fetch(service.quoteUrl("contract.guard", service.account("bob").address, { address }))
    ).json();
    const { payment, response } = await pay(
      (quote as { invokeUrl: string }).invokeUrl,
      service.account("bob"),
    );
    expect(response.status).toBe(200);
    const text = await response.text();
    await service.buy(service.invokeUrl("chain.snapshot"), "alice");
    await letPass(48);
    await deleteUnpaid(service.context);
    expect(await countOf("publications", `address = '${address}' AND log_index IS NOT NULL`)).toBe(1);
    expect(await countOf("seeds", `wallet = '${alice.address.toLowerCase()}' AND fresh_until > now()`)).toBe(
      1,
    );
    expect(await countOf("pledges", "capability = 'amm.pool.state'")).toBe(1);
    // The used quote is gone; its payment still gets its answer.
    expect(await countOf("quotes")).toBe(0);
    const again = await send((quote as { invokeUrl: string }).invokeUrl, payment);
    expect([again.status, await again.text()]).toEqual([200, text]);
  });
});

describe("an answer is kept once, however often it is sold", () => {
  const HITS = 18;
  /** Rows alone, without their index entries, the log and the credits; `campaign:growth` weighs all of it. */
  const ownBytes = async (): Promise<number> => {
    const [row] = await query<{ bytes: bigint }>(
      `SELECT (SELECT sum(pg_column_size(i.*) + 28) FROM invocations i)
         + (SELECT sum(pg_column_size(r.*) + coalesce(length(body), 0) + 28) FROM responses r) AS bytes`,
    );
    return Number(row?.bytes);
  };
  const url = () =>
    service.invokeUrl("contract.interface", { address: service.chainOf.contracts.plainToken });
  interface Sale {
    readonly payment: PaymentPayload;
    readonly text: string;
    readonly paid: string | null;
  }
  const sales: Sale[] = [];
  let before = 0;
  let first: Sale;
  const sell = async (name: string): Promise<Sale> => {
    const { payment, response } = await pay(url(), service.account(name));
    expect(response.status).toBe(200);
    return { payment, text: await response.text(), paid: response.headers.get("payment-response") };
  };
  const expectSameAnswers = async () => {
    for (const { payment, text, paid } of [first, ...sales.slice(0, 10)]) {
      const again = await send(url(), payment);
      expect([again.status, await again.text()]).toEqual([200, text]);
      expect(again.headers.get("payment-response")).toBe(paid);
    }
  };
  const readReceipts = () =>
    Promise.all(
      sales.slice(0, 10).map(async ({ text }) => {
        const { receiptUrl } = JSON.parse(text) as { receiptUrl: string };
        return (await fetch(receiptUrl)).text();
      }),
    );

  test("a hit adds rows of less than 1,300 bytes, and its payment gets the same bytes for ever", async () => {
    first = await sell("carol");
    expect(first.text.length).toBeGreaterThan(8_000);
    before = await ownBytes();
    for (let sold = 0; sold < HITS; sold += 6)
      sales.push(...(await Promise.all(["alice", "bob", "carol", "alice", "bob", "carol"].map(sell))));
    expect((await ownBytes()) - before).toBeLessThan(HITS * 1_300);
    expect(new Set(sales.map(({ text }) => text)).size).toBe(HITS);
    await expectSameAnswers();
  });

  test("long after it is final it takes 700 bytes, and payment and receipt are answered as before", async () => {
    await getSignedHead(service.context);
    const receipts = await readReceipts();
    expect(await packFinalCalls(service.context.database)).toBe(0);
    await query("DELETE FROM unfinal_settlements");
    expect(await packFinalCalls(service.context.database, 0)).toBe(HITS);
    expect(await countOf("invocations", "packed IS NOT NULL")).toBe(HITS);
    expect((await ownBytes()) - before).toBeLessThan(HITS * 700);
    await expectSameAnswers();
    expect(await readReceipts()).toEqual(receipts);
    expect(await packFinalCalls(service.context.database, 0)).toBe(0);
  });

  test("a packed call has used its authorization up: with another offer it buys nothing", async () => {
    const { payment } = sales[0] as Sale;
    const { accepts } = await fetchChallenge(url());
    const response = await send(url(), { ...payment, accepted: accepts[0] as PaymentPayload["accepted"] });
    expect([response.status, await response.json()]).toMatchObject([402, { error: "payment_already_used" }]);
    const invocationId = (JSON.parse((sales[0] as Sale).text) as { invocationId: string }).invocationId;
    expect(await findCallRecord(service.context.database, invocationId)).toMatchObject({
      state: "settled",
      inputHash: expect.stringMatching(/^sha256:/),
      resultHash: expect.stringMatching(/^sha256:/),
      capabilityVersion: expect.stringMatching(/^\d+\./),
    });
  });

  test("what is not final, private or new is not packed", async () => {
    await sell("alice");
    await query(
      `INSERT INTO unfinal_settlements (invocation_id, valid_after, signature)
       SELECT invocation_id, '0', '0x' FROM invocations WHERE packed IS NULL AND state = 'settled' ON CONFLICT DO NOTHING`,
    );
    expect(await packFinalCalls(service.context.database, 0)).toBe(0);
    expect(await countOf("invocations", "packed IS NOT NULL AND actual_status <> 'hit'")).toBe(0);
  });
});
