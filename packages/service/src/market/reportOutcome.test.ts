import { type Outcome, type Problem, publisherSchema } from "@assay/protocol";
import type { PrivateKeyAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { accountOf, buyAnswer } from "../../test/payer.js";
import { post, signAction } from "../../test/signAction.js";
import { useTestService } from "../../test/useTestService.js";
import { getBalance } from "../credits/ledger.js";

const service = useTestService({ RATE_LIMITS: "off" });

let count = 0;
/** A settled call of its own; each address is a new one, so each is a miss for 0.10. */
async function buy(account: PrivateKeyAccount): Promise<string> {
  const address = `0x${(++count).toString(16).padStart(40, "e")}`;
  return (await buyAnswer(service.invokeUrl("contract.guard", { address }), account)).invocationId;
}

/** A settled call as payments leaves it, without the minute that many real ones would take. */
async function settleCopies(invocationId: string, copies: number, change: Record<string, unknown> = {}) {
  const rows = await service.db.query<{ invocation_id: string }>({
    text: `INSERT INTO invocations SELECT (json_populate_record(i, (json_build_object(
               'invocation_id', 'inv_' || md5($1 || n || random()), 'authorization_nonce', md5($1 || n || random()),
               'log_index', NULL, 'offer_key', NULL)::jsonb || $3::jsonb)::json)).*
           FROM invocations i, generate_series(1, $2) AS n WHERE i.invocation_id = $1 RETURNING invocation_id`,
    values: [invocationId, copies, JSON.stringify(change)],
  });
  return rows.map(({ invocation_id }) => invocation_id);
}

async function report(
  account: PrivateKeyAccount,
  invocationId: string,
  fields: object = { outcome: "success" },
) {
  const headers = await signAction(service.url, account, {
    action: "capability_outcome",
    resource: invocationId,
  });
  const body = { invocationId, wallet: account.address, ...fields };
  const response = await post(service.url, "/api/v1/outcomes", headers, body);
  return { status: response.status, body: (await response.json()) as Partial<Outcome & Problem> };
}

const creditOf = (account: PrivateKeyAccount) =>
  getBalance(service.db, `wallet:${account.address.toLowerCase()}`);

describe("the first outcome of a settled call", () => {
  test("gives 5 % of the price paid, and shows on the wallet's record", async () => {
    const alice = accountOf(service, "alice");
    const invocationId = await buy(alice);
    const { status, body } = await report(alice, invocationId, { outcome: "avoided", note: "not signed 🙂" });
    expect([status, body]).toEqual([
      201,
      {
        invocationId,
        capabilityId: "contract.guard",
        outcome: "avoided",
        reviewCreditUsd: 0.005,
        reportedAt: expect.any(String),
      },
    ]);
    expect(await creditOf(alice)).toBe(5_000n);
    const record = await (await fetch(`${service.url}/api/v1/publishers/${alice.address}`)).json();
    expect(publisherSchema.parse(record).reviewCredits).toMatchObject({ outcomes: 1, totalUsd: 0.005 });
    const [entry] = await service.db.query<{ cause: string; entry_id: bigint }>({
      text: "SELECT cause, entry_id FROM credit_entries WHERE cause = $1",
      values: [`review:${invocationId}`],
    });
    const leaves = await service.db.query<{ leaf: Buffer }>({
      text: "SELECT leaf FROM log_leaves WHERE kind = 'credit'",
    });
    expect(leaves.map(({ leaf }) => JSON.parse(String(leaf)).entryId)).toContain(String(entry?.entry_id));
  });

  test("is what stands: the same again is 200, another is 409, and nothing is credited twice", async () => {
    const bob = accountOf(service, "bob");
    const invocationId = await buy(bob);
    const first = await report(bob, invocationId, { outcome: "failure", note: "reverted" });
    expect(first.status).toBe(201);
    const again = await report(bob, invocationId, { outcome: "failure", note: "reverted" });
    expect([again.status, again.body]).toEqual([200, first.body]);
    const unexplained = await report(bob, invocationId, { outcome: "failure" });
    expect([unexplained.status, unexplained.body]).toEqual([200, first.body]);
    const other = await report(bob, invocationId, { outcome: "success", note: "reverted" });
    expect([other.status, other.body.code]).toEqual([409, "outcome_differs"]);
    expect(await creditOf(bob)).toBe(5_000n);
  });

  test("is one, however many are reported at once", async () => {
    const carol = accountOf(service, "carol");
    const invocationId = await buy(carol);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        report(carol, invocationId, { outcome: i % 2 ? "success" : "failure" }),
      ),
    );
    const created = answers.filter(({ status }) => status === 201);
    expect(created.length).toBe(1);
    for (const { status, body } of answers)
      expect(status).toBe(status === 201 ? 201 : body.outcome === created[0]?.body.outcome ? 200 : 409);
    expect(answers.filter(({ status }) => status === 409).length).toBe(6);
    expect(await creditOf(carol)).toBe(5_000n);
  });
});

describe("the bounds", () => {
  test("5 % is rounded down, and at most 0.005 is given for a call", async () => {
    const dave = accountOf(service, "dave");
    const bought = await buy(dave);
    const creditFor = async (price: number) => {
      const [copy] = await settleCopies(bought, 1, { price_micro_usd: price });
      return (await report(dave, copy as string)).body.reviewCreditUsd;
    };
    expect(await creditFor(1_019)).toBe(0.00005);
    expect(await creditFor(100_000)).toBe(0.005);
    expect(await creditFor(750_000)).toBe(0.005);
  });

  test("at most 0.05 a day and wallet, also at once; what is over is recorded without credit", async () => {
    const erin = accountOf(service, "erin");
    const calls = await settleCopies(await buy(erin), 14);
    const short = await settleCopies(calls[0] as string, 1, { price_micro_usd: 40_000 });
    expect((await report(erin, short[0] as string)).body.reviewCreditUsd).toBe(0.002);
    const answers = await Promise.all(calls.map((id) => report(erin, id)));
    expect(answers.map(({ status }) => status)).toEqual(Array(14).fill(201));
    const credits = answers.map(({ body }) => body.reviewCreditUsd).sort();
    expect(credits).toEqual([0, 0, 0, 0, 0.003, ...Array(9).fill(0.005)]);
    expect(await creditOf(erin)).toBe(50_000n);
    await service.db.query({
      text: "UPDATE review_days SET day = day - 1 WHERE wallet = $1",
      values: [erin.address.toLowerCase()],
    });
    const [next] = await settleCopies(calls[0] as string, 1);
    expect((await report(erin, next as string)).body.reviewCreditUsd).toBe(0.005);
  });
});

describe("refusals", () => {
  test("a call that nobody made, another's call, and one that is not settled", async () => {
    const frank = accountOf(service, "frank");
    const invocationId = await buy(frank);
    const judge = async (account: PrivateKeyAccount, id: string) => {
      const { status, body } = await report(account, id);
      return [status, body.code];
    };
    expect(await judge(frank, `inv_${"0".repeat(32)}`)).toEqual([404, "not_found"]);
    expect(await judge(accountOf(service, "grace"), invocationId)).toEqual([403, "foreign_invocation"]);
    for (const state of ["reserved", "settling", "unknown", "failed", "void"]) {
      const [copy] = await settleCopies(invocationId, 1, { state });
      expect(await judge(frank, copy as string)).toEqual([409, "invocation_not_settled"]);
    }
  });

  test.each([
    ["NUL", "inv_\0"],
    ["a lone surrogate", "inv_\ud800"],
    ["quotes", "inv_'; DROP TABLE outcomes; --"],
    ["length", "i".repeat(128)],
  ])("an id with %s is nobody's", async (_name, id) => {
    const { status, body } = await report(accountOf(service, "heidi"), id);
    expect([status, body.code]).toEqual([404, "not_found"]);
  });

  test.each([
    ["a note with NUL", { outcome: "success", note: "a\0b" }, "note"],
    ["a note with half a character", { outcome: "success", note: "\ud83d" }, "note"],
    ["a note of 501 characters", { outcome: "success", note: "n".repeat(501) }, "note"],
    ["a note that is no text", { outcome: "success", note: 5 }, "note"],
    ["an outcome of its own", { outcome: "great" }, "outcome"],
    ["no outcome", {}, "outcome"],
    ["a field of its own", { outcome: "success", stars: 5 }, "stars"],
    ["an empty id", { outcome: "success", invocationId: "" }, "invocationId"],
    ["no wallet", { outcome: "success", wallet: undefined }, "wallet"],
  ])("%s names the field", async (_name, fields, field) => {
    const { status, body } = await report(accountOf(service, "heidi"), "inv_any", fields);
    expect([status, body.code, body.errors?.[0]?.field]).toEqual([400, "invalid_input", field]);
  });

  test("a body that is no object", async () => {
    for (const body of ["", "[]", "null", "{", '"text"']) {
      const response = await post(service.url, "/api/v1/outcomes", {}, body);
      expect(response.status).toBe(400);
    }
  });
});
