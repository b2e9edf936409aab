import { type Decision, decisionSchema, type Hex, type Problem } from "@assay/protocol";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { beforeAll, expect, test } from "vitest";
import { accountOf } from "../../test/payer.js";
import { newNonce, post, signAction } from "../../test/signAction.js";
import { type Query, useTestService } from "../../test/useTestService.js";
import { publishLine } from "./testing/publishLine.js";

const service = useTestService({ RATE_LIMITS: "off" });
let obligationId: Hex;
let alice: PrivateKeyAccount;
beforeAll(async () => {
  await service.chainOf.mine(4);
  obligationId = await publishLine(service, service.chainOf.contracts.upgradeableProxy, { windowBlocks: 3 });
  alice = accountOf(service, "alice");
});

const PATH = "/api/v1/obligations/decisions";

const buy = async (capability: string, query: Query) =>
  (await service.buy(service.invokeUrl(capability, query))).invocationId;
const buyVerdict = () => buy("obligation.verdict", { obligationId });

interface How {
  readonly account?: PrivateKeyAccount;
  readonly decision?: string;
  readonly nonce?: string;
  readonly resource?: string;
  readonly body?: object;
}
async function decide(invocationId: string, how: How = {}) {
  const {
    account = alice,
    decision = "accepted",
    nonce = newNonce(),
    resource = invocationId,
    body = {},
  } = how;
  const headers = await signAction(service.url, account, { action: "obligation_decision", resource, nonce });
  const response = await post(service.url, PATH, headers, {
    invocationId,
    wallet: account.address,
    decision,
    ...body,
  });
  return { status: response.status, body: (await response.json()) as Partial<Decision & Problem> };
}
const countOf = async (text: string, ...values: unknown[]) => {
  const [row] = await service.db.query<{ n: number }>({
    text: `SELECT count(*)::int AS n FROM ${text}`,
    values,
  });
  return row?.n;
};
const countLeaves = () => countOf("log_leaves WHERE kind = 'decision'");

test("201: what the wallet did is recorded, with a place in the log", async () => {
  const invocationId = await buyVerdict();
  const { status, body } = await decide(invocationId, { decision: "escalated" });
  expect(status).toBe(201);
  const decision = decisionSchema.parse(body);
  expect(decision).toMatchObject({
    invocationId,
    obligationId,
    wallet: alice.address.toLowerCase(),
    decision: "escalated",
    selfAttested: true,
  });
  const [leaf] = await service.db.query<{ leaf: Buffer }>({
    text: "SELECT leaf FROM log_leaves WHERE leaf_index = $1",
    values: [decision.logIndex],
  });
  const content = JSON.parse(leaf?.leaf.toString() ?? "");
  expect(content).toEqual({
    kind: "decision",
    network: "eip155:8453",
    invocationId,
    wallet: decision.wallet,
    decision: "escalated",
    decidedAt: decision.decidedAt,
  });
});

test("200: a second one changes nothing", async () => {
  const invocationId = await buyVerdict();
  const first = await decide(invocationId, { decision: "rejected" });
  const leaves = await countLeaves();
  for (const decision of ["rejected", "accepted", "escalated"]) {
    const again = await decide(invocationId, { decision });
    expect([again.status, again.body]).toEqual([200, first.body]);
  }
  expect(await countLeaves()).toBe(leaves);
});

test("of many at once one is recorded, and all get the same answer", async () => {
  const invocationId = await buyVerdict();
  const leaves = (await countLeaves()) ?? 0;
  const decisions = Array.from({ length: 12 }, (_, at) => (at % 2 ? "accepted" : "rejected"));
  const answers = await Promise.all(decisions.map((decision) => decide(invocationId, { decision })));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(11);
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(await countLeaves()).toBe(leaves + 1);
});

test("400: a body that breaks a rule, before the signature is checked", async () => {
  const invocationId = await buyVerdict();
  for (const [body, field] of [
    [{ decision: "ignored" }, "decision"],
    [{ decision: undefined }, "decision"],
    [{ wallet: "0x12" }, "wallet"],
    [{ invocationId: "" }, "invocationId"],
    [{ note: "no" }, "note"],
  ] as const) {
    const { status, body: problem } = await decide(invocationId, { body, resource: "nothing" });
    expect([status, problem.errors?.[0]?.field]).toEqual([400, field]);
  }
});

test("400: a call that gave no verdict on an obligation", async () => {
  const snapshot = await buy("chain.snapshot", {});
  expect(await decide(snapshot)).toMatchObject({ status: 400, body: { code: "invocation_without_verdict" } });
  const invocationId = await buyVerdict();
  await service.db.query({
    text: "UPDATE invocations SET state = 'unknown' WHERE invocation_id = $1",
    values: [invocationId],
  });
  const refused = await decide(invocationId);
  expect(refused).toMatchObject({ status: 400, body: { code: "invocation_without_verdict" } });
  expect(await countOf("obligation_decisions WHERE invocation_id = $1", invocationId)).toBe(0);
});

test("403: another wallet's call, also once it is decided on", async () => {
  const invocationId = await buyVerdict();
  const account = privateKeyToAccount(generatePrivateKey());
  const foreign = { status: 403, body: { code: "foreign_invocation" } };
  expect(await decide(invocationId, { account })).toMatchObject(foreign);
  expect((await decide(invocationId)).status).toBe(201);
  expect(await decide(invocationId, { account })).toMatchObject(foreign);
});

test("404: no such call", async () => {
  for (const id of [`inv_${"0".repeat(32)}`, "inv_1", "\0", "'"])
    expect(await decide(id)).toMatchObject({ status: 404, body: { code: "not_found" } });
});

test("401: not signed by the wallet, or for another call; nothing is recorded and the nonce is free", async () => {
  const [invocationId, another] = [await buyVerdict(), await buyVerdict()];
  const unsigned = await post(
    service.url,
    PATH,
    {},
    { invocationId, wallet: alice.address, decision: "accepted" },
  );
  expect(unsigned.status).toBe(401);
  const nonce = newNonce();
  expect(await decide(invocationId, { resource: another, nonce })).toMatchObject({
    status: 401,
    body: { code: "action_signature_invalid" },
  });
  expect((await decide(invocationId, { nonce })).status).toBe(201);
  expect(await decide(another, { nonce })).toMatchObject({
    status: 401,
    body: { code: "action_nonce_used" },
  });
  expect(await countOf("obligation_decisions WHERE invocation_id = $1", another)).toBe(0);
});
