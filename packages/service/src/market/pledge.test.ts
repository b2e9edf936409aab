import { type Pledge, type Problem, pledgeSchema } from "@assay/protocol";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { accountOf } from "../../test/payer.js";
import { post, signAction } from "../../test/signAction.js";
import { useTestService } from "../../test/useTestService.js";

const service = useTestService({ RATE_LIMITS: "on" });

async function pledge(account: PrivateKeyAccount, capability: unknown, resource = String(capability)) {
  const headers = await signAction(service.url, account, { action: "demand_pledge", resource });
  const body = { wallet: account.address, capability };
  const response = await post(service.url, "/api/v1/demand-pledges", headers, body);
  return { response, status: response.status, body: (await response.json()) as Partial<Pledge & Problem> };
}

const countPledges = async (capability: string) => {
  const [row] = await service.db.query<{ pledges: bigint }>({
    text: "SELECT pledges FROM asked_capabilities WHERE capability = $1",
    values: [capability],
  });
  return Number(row?.pledges ?? 0);
};

test("a pledge is recorded once per wallet and capability; the same again gets the recorded one", async () => {
  const alice = accountOf(service, "alice");
  const first = await pledge(alice, "amm.pool.state");
  expect(first.status).toBe(201);
  expect(pledgeSchema.parse(first.body)).toEqual({
    wallet: alice.address.toLowerCase(),
    capability: "amm.pool.state",
    built: false,
    pledgedAt: expect.any(String),
    credit: { pctOfPricePaid: 10, maxUsd: 0.02, rewardKind: "non_transferable_credits", creditedUsd: null },
  });
  const again = await pledge(alice, "amm.pool.state");
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect(await countPledges("amm.pool.state")).toBe(1);
  expect((await pledge(accountOf(service, "bob"), "amm.pool.state")).status).toBe(201);
  expect(await countPledges("amm.pool.state")).toBe(2);
});

test("a pledge for the old name of a capability is one for the new name, under which its calls settle", async () => {
  const { status, body } = await pledge(accountOf(service, "frank"), "tx.preflight");
  expect([status, body]).toMatchObject([201, { capability: "transaction.intent.guard", built: true }]);
});

test("the same pledge many times at once is recorded once", async () => {
  const carol = accountOf(service, "carol");
  const answers = await Promise.all(Array.from({ length: 10 }, () => pledge(carol, "raced.capability")));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
  expect(await countPledges("raced.capability")).toBe(1);
});

test("the name is normalized, and it is the normalized one that is signed", async () => {
  const dave = accountOf(service, "dave");
  expect((await pledge(dave, "  Contract.GUARD ", "  Contract.GUARD ")).status).toBe(401);
  const { status, body } = await pledge(dave, "  Contract.GUARD ", "contract.guard");
  expect([status, body.capability, body.built]).toEqual([201, "contract.guard", true]);
});

test.each([
  "x",
  "",
  "a".repeat(65),
  "a".repeat(300),
  "double..dot",
  ".leading",
  "trailing-",
  "white space",
  "nul\0nul",
  "\ud800\ud800",
  "émission",
  `0x${"a1".repeat(20)}`,
  7,
  null,
])("%j is no capability's name", async (capability) => {
  const { status, body } = await pledge(accountOf(service, "erin"), capability);
  expect([status, body.code, body.errors?.[0]?.field]).toEqual([400, "invalid_input", "capability"]);
});

test.each(["ab", "a".repeat(64), "x0.1-2_3"])("%s is one", async (capability) => {
  expect((await pledge(accountOf(service, "erin"), capability)).status).toBe(201);
});

test("a malformed wallet is 400, and an unsigned pledge 401", async () => {
  const send = (body: object) => post(service.url, "/api/v1/demand-pledges", {}, body);
  expect((await send({ wallet: "alice", capability: "some.capability" })).status).toBe(400);
  const wallet = accountOf(service, "alice").address;
  const unsigned = await send({ wallet, capability: "some.capability" });
  expect([unsigned.status, ((await unsigned.json()) as Problem).code]).toEqual([401, "action_unsigned"]);
});

test("a wallet that pledges without end must wait, and others need not", async () => {
  const wallet = privateKeyToAccount(generatePrivateKey());
  // Sixty in a minute, of which 58 are spent as by pledges.
  for (let spent = 0; spent < 58; spent += 1)
    await service.context.limits.consume("pledge", wallet.address.toLowerCase());
  const answers = [];
  for (let sent = 0; sent < 3; sent += 1) answers.push(await pledge(wallet, `endless.${sent}`));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 429]);
  expect(answers[2]?.body.code).toBe("rate_limited");
  expect(Number(answers[2]?.response.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await pledge(accountOf(service, "frank"), "some.capability")).status).toBe(201);
});
