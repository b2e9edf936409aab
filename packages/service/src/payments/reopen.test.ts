import type { PaymentPayload } from "@assay/protocol";
import { beforeEach, expect, test } from "vitest";
import { useTestDatabase } from "../../test/useTestDatabase.js";
import { findInvocation, type Invocation } from "./invocations.js";
import type { PaidCall } from "./paidCall.js";
import { reopenIfUsed } from "./reopen.js";

const postgres = useTestDatabase();
const PAYER = `0x${"b1".repeat(20)}`;
const OFFER = "an-offer";
const NAME = "a-name-of-a-purchase";
const QUOTE = "quo_of_this_call";

/** One call of the payer, with the same ticket and name as the other one. */
async function insertCall(id: string, state: "failed" | "settled", quoteId: string | null): Promise<void> {
  await postgres.database.query({
    text: `INSERT INTO invocations (invocation_id, capability_id, capability_version, input_hash, state, lease_until, network, asset,
             payer, authorization_nonce, payment_digest, digest_version, pay_to, amount, valid_before, reserved_at_block,
             quoted_status, list_price_micro_usd, credit_micro_usd, price_micro_usd, result_hash, transaction_hash, settled_at,
             offer_key, payment_identifier, quote_id)
           VALUES ($1, 'contract.guard', '1', 'h', $2, now(), 'eip155:8453', '0xa', $3, $1, 'd', 3, '0xb', 1000, 1, 1,
             'miss', 1000, 0, 1000, 'r', '0xt', now(), $4, $5, $6)`,
    values: [id, state, PAYER, quoteId ? null : OFFER, quoteId ? null : NAME, quoteId],
  });
}

/** A token that counts the nonce as used: somebody has delivered the payment after it failed. */
const call = () =>
  ({
    context: {
      database: postgres.database,
      chain: { readLatest: async () => [{ status: "value", value: "0x1" }] },
    },
    payment: { payload: { authorization: { validAfter: "0" }, signature: "0x" } } as PaymentPayload,
  }) as unknown as PaidCall;

const reopened = async (id: string) => {
  const failed = (await findInvocation(postgres.database, id)) as Invocation;
  const known = await reopenIfUsed(call(), failed);
  const [row] = await postgres.database.query<{
    state: string;
    offer_key: string;
    payment_identifier: string;
  }>({
    text: "SELECT state, offer_key, payment_identifier FROM invocations WHERE invocation_id = $1",
    values: [id],
  });
  return { status: known?.status, ...row };
};

beforeEach(async () => {
  await postgres.database.query({ text: "TRUNCATE invocations, quotes CASCADE" });
});

test("a call that failed and was delivered is owed although another payment has its ticket and its name by now", async () => {
  await insertCall("failed", "failed", null);
  await insertCall("later", "settled", null);
  expect(await reopened("failed")).toEqual({
    status: "unknown",
    state: "unknown",
    offer_key: null,
    payment_identifier: null,
  });
});

test("it keeps ticket and name that nobody else has", async () => {
  await insertCall("failed", "failed", null);
  expect(await reopened("failed")).toMatchObject({
    state: "unknown",
    offer_key: OFFER,
    payment_identifier: NAME,
  });
});

const insertQuote = (holder: string | null) =>
  postgres.database.query({
    text: `INSERT INTO quotes (quote_id, capability_id, wallet, input_hash, cache_status, list_price_micro_usd, credit_micro_usd,
             price_micro_usd, requirements, expires_at, invocation_id)
           VALUES ($1, 'contract.guard', $2, 'h', 'miss', 1000, 0, 1000, '{}', now() - interval '1 hour', $3)`,
    values: [QUOTE, PAYER, holder],
  });

test("it goes without a quote that another call has used by now", async () => {
  await insertCall("later", "settled", QUOTE);
  await insertQuote("later");
  await insertCall("failed", "failed", QUOTE);
  await reopened("failed");
  const calls = await postgres.database.query({
    text: "SELECT invocation_id, quote_id FROM invocations ORDER BY invocation_id",
  });
  expect(calls).toEqual([
    { invocation_id: "failed", quote_id: null },
    { invocation_id: "later", quote_id: QUOTE },
  ]);
});

test("its quote is bound to it again, although it has ended", async () => {
  await insertQuote(null);
  await insertCall("failed", "failed", QUOTE);
  await reopened("failed");
  const quotes = await postgres.database.query({
    text: "SELECT invocation_id FROM quotes WHERE quote_id = $1",
    values: [QUOTE],
  });
  expect(quotes).toEqual([{ invocation_id: "failed" }]);
});
