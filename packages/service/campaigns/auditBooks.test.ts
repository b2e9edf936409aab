import { beforeAll, expect, test } from "vitest";
import { issueMove, moveCredits } from "../src/credits/ledger.js";
import { fetchChallenge, signPayment } from "../test/payer.js";
import { useTestService } from "../test/useTestService.js";
import { auditBooks } from "./auditBooks.js";
import { attempt, createPayer, fetchQuote, guardPath, signCall } from "./paidCalls.js";

const service = useTestService();
beforeAll(async () => {
  const [alice, bob] = service.chainOf.accounts.map(({ privateKey }) => createPayer(privateKey));
  if (!alice || !bob) throw new Error("the local chain has no accounts");
  const wallet = alice.address.toLowerCase();
  await service.db.transaction((tx) => moveCredits(tx, [issueMove(wallet, "review", "audit", 30_000n)]));
  const { path } = await fetchQuote(
    service.url,
    { capability: "contract.guard", address: service.chainOf.contracts.plainToken },
    wallet,
  );
  const paths = [path, guardPath(service.chainOf.contracts.uupsProxy)];
  for (const [i, payer] of [alice, bob].entries()) {
    const url = paths[i] as string;
    const call = await signCall(payer, url, await fetchChallenge(service.url + url));
    expect(await attempt(service.url, call)).toMatchObject({ status: 200 });
  }
});

test("books that agree with the chain are found in order", async () => {
  const audit = await auditBooks(service.db, service.chainOf);
  expect(audit).toMatchObject({ violations: [], settled: 2, charges: 2, unfinished: 0 });
});

const QUOTED = "quote_id IS NOT NULL";
test.each([
  [`UPDATE invocations SET state = 'void' WHERE ${QUOTED}`, /^charged, but not settled/],
  [`UPDATE invocations SET state = 'void' WHERE ${QUOTED}`, /quotes held by a call that charged nothing/],
  [`UPDATE invocations SET state = 'void' WHERE ${QUOTED}`, /artifacts that no settled call made/],
  [`UPDATE invocations SET state = 'void' WHERE ${QUOTED}`, /have a payment response/],
  [`UPDATE invocations SET state = 'void' WHERE ${QUOTED}`, /bytes belong to a call that did not settle/],
  [`UPDATE invocations SET state = 'unknown' WHERE ${QUOTED}`, /^1 calls are neither settled nor given up/],
  [`UPDATE invocations SET amount = 1 WHERE ${QUOTED}`, /^settled with another amount/],
  ["UPDATE invocations SET transaction_hash = 'other'", /^settled with another amount or transaction/],
  ["UPDATE invocations SET authorization_nonce = 'other'", /^settled without a charge on chain/],
  [
    "WITH gone AS (DELETE FROM artifacts) DELETE FROM responses",
    /^2 settled calls without the stored bytes owed/,
  ],
  ["UPDATE responses SET packed_payment_response = NULL", /^2 settled calls without the stored bytes owed/],
  ["UPDATE quotes SET invocation_id = NULL", /^1 settled calls on a quote that is not theirs/],
  ["UPDATE invocations SET quote_id = (SELECT quote_id FROM quotes)", /^1 quotes that bought more than one/],
  ["DELETE FROM artifacts", /^2 settled calls without their artifact/],
  ["UPDATE invocations SET log_index = NULL", /^2 settled calls without their leaf in the log/],
  [
    "UPDATE invocations SET log_index = (SELECT min(log_index) FROM invocations)",
    /^1 settled calls without their leaf in the log/,
  ],
  [
    `UPDATE invocations SET capability_id = 'claims.open' WHERE ${QUOTED}`,
    /^1 settled openings without their claim/,
  ],
  [
    `INSERT INTO log_leaves (leaf_index, kind, leaf) VALUES (99, 'claim', '{"claimId": "0x1", "invocationId": "inv_1"}')`,
    /^1 settled openings without their claim/,
  ],
  [
    "INSERT INTO log_leaves (leaf_index, kind, leaf) VALUES (99, 'receipt', '{}')",
    /^1 leaves in the log beyond the settled calls/,
  ],
  ["UPDATE credit_balances SET balance_micro_usd = 1 WHERE account = 'redeemed'", /ledgers out of balance/],
  [
    "UPDATE credit_balances SET balance_micro_usd = 1 WHERE account = 'redeemed'",
    /differ from their entries/,
  ],
  ["UPDATE invocations SET credit_micro_usd = 0", /^30000 micro-USD redeemed beyond/],
  [
    "UPDATE credit_balances SET balance_micro_usd = 5 WHERE account LIKE 'held:%'",
    /^1 held credit that belongs/,
  ],
  ["UPDATE credit_balances SET balance_micro_usd = 5 WHERE account LIKE 'held:%'", /^1 finished calls that/],
])("control: after %s the audit reports %s", async (text, sentence) => {
  const rolledBack = new Error("rolled back");
  const found = service.db.transaction(async (tx) => {
    await tx.query({ text });
    const { violations } = await auditBooks(tx, service.chainOf);
    expect(violations).toContainEqual(expect.stringMatching(sentence));
    throw rolledBack;
  });
  await expect(found).rejects.toBe(rolledBack);
});

test("control: a payment handed in past the service is reported as charged and not settled", async () => {
  const payer = createPayer(service.chainOf.accounts[2]?.privateKey as `0x${string}`);
  const path = guardPath(service.chainOf.contracts.erc721);
  const payment = await signPayment(payer, await fetchChallenge(service.url + path));
  await service.context.facilitator.settle(payment, payment.accepted);
  const { violations, charges } = await auditBooks(service.db, service.chainOf);
  expect(charges).toBe(3);
  expect(violations).toEqual([expect.stringMatching(/^charged, but not settled/)]);
});
