import {
  type Assertion,
  claimDetailSchema,
  claimFeedSchema,
  type Hex,
  type Problem,
  problemSchema,
} from "@assay/protocol";
import { getAddress } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { beforeAll, describe, expect, test } from "vitest";
import { asPost } from "../../test/payer.js";
import { startTestService } from "../../test/startTestService.js";
import { useTestService } from "../../test/useTestService.js";
import { insertClaim } from "./testing/insertClaim.js";
import { describeTrueClaim } from "./testing/paidClaims.js";
import { sendChallenge } from "./testing/sendChallenge.js";

const service = useTestService({ TRUSTED_PROXIES: "127.0.0.1" });
beforeAll(async () => {
  await service.chainOf.mine(3);
});

const assertion = (change: object = {}): Assertion =>
  ({
    type: "upgrade_window",
    address: service.chainOf.contracts.upgradeableProxy,
    implementation: `0x${"0b".repeat(20)}`,
    fromBlock: 1,
    toBlock: 2,
    ...change,
  }) as Assertion;
const codeAssertion = () =>
  assertion({ type: "bytecode", implementation: undefined, bytecodeHash: null, bytecodeBytes: 0 });
const get = (path: string, address = "203.0.113.1", url = service.url) =>
  fetch(`${url}/api/v1/claims${path}`, { headers: { "x-forwarded-for": address } });
const readFeed = async (query = "", url?: string) =>
  claimFeedSchema.parse(await (await get(query, undefined, url)).json());
const readDetail = async (claimId: Hex, url?: string) =>
  claimDetailSchema.parse(await (await get(`/${claimId}`, undefined, url)).json());

describe("the feed", () => {
  test("lists what may be challenged now, obligations too, the newest first", async () => {
    const { db } = service;
    const [first, second, code] = [
      await insertClaim(db, assertion()),
      await insertClaim(db, assertion()),
      await insertClaim(db, codeAssertion()),
    ];
    const overdue = await insertClaim(db, assertion(), { hoursLeft: -1 });
    const falsified = await insertClaim(db, assertion());
    await db.query({
      text: "UPDATE claims SET status = 'falsified', resolved_at = now(), challenge_id = 'c' WHERE claim_id = $1",
      values: [falsified],
    });
    await db.query({ text: "UPDATE claims SET kind = 'obligation' WHERE claim_id = $1", values: [second] });
    const { listFeed, claims } = await readFeed();
    expect(listFeed).toBe("enabled");
    const ids = claims.map(({ claimId }) => claimId);
    expect(ids.slice(0, 3)).toEqual([code, second, first]);
    expect(ids).not.toContain(overdue);
    expect(ids).not.toContain(falsified);
    for (const { claimId, challengeEndpoint } of claims)
      expect(challengeEndpoint).toBe(`${service.url}/api/v1/claims/${claimId}/challenges`);
    expect((await readFeed("?limit=2")).claims.map(({ claimId }) => claimId)).toEqual(ids.slice(0, 2));
  });

  test.each(["0", "101", "-1", "1.5", "x", ""])("a limit of '%s' is 400", async (limit) => {
    const response = await get(`?limit=${limit}`);
    expect([response.status, ((await response.json()) as Problem).errors?.[0]?.field]).toEqual([
      400,
      "limit",
    ]);
  });

  test("switched off, it is empty and says why; every claim is public all the same", async () => {
    const gated = await startTestService({ CLAIMS_FEED: "feature_gated", RATE_LIMITS: "off" });
    try {
      const claimId = await insertClaim(gated.db, assertion());
      expect(await readFeed("", gated.url)).toMatchObject({
        listFeed: "feature_gated",
        note: expect.stringContaining("switched off"),
        claims: [],
      });
      expect((await readDetail(claimId, gated.url)).claimId).toBe(claimId);
    } finally {
      await gated.stop();
    }
  });
});

describe("limits", () => {
  const spend = (budget: string, address: string, points: number) =>
    service.db.query({
      text: `INSERT INTO rate_limits (key, points, expire)
             VALUES ($1, $2, (extract(epoch FROM now()) * 1000)::bigint + 30000)`,
      values: [`${budget}:${address}`, points - 1],
    });
  const expectLimited = async (response: Response) => {
    expect(response.status).toBe(429);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(problemSchema.parse(await response.json()).code).toBe("rate_limited");
  };

  test("the feed is limited by address", async () => {
    await spend("claimFeed", "203.0.113.7", 120);
    expect((await get("", "203.0.113.7")).status).toBe(200);
    await expectLimited(await get("", "203.0.113.7"));
    expect((await get("", "203.0.113.8")).status).toBe(200);
  });

  test("so are a claim and its receipt", async () => {
    const claimId = await insertClaim(service.db, assertion());
    await spend("read", "203.0.113.9", 600);
    expect((await get(`/${claimId}`, "203.0.113.9")).status).toBe(200);
    await expectLimited(await get(`/${claimId}/receipt`, "203.0.113.9"));
  });

  test("so is what an unpaid opening makes us read; the price alone is free", async () => {
    const body = await describeTrueClaim(service, privateKeyToAccount(generatePrivateKey()));
    const ask = (sent: unknown) => {
      const init = asPost(sent);
      const headers = { ...init.headers, "x-forwarded-for": "203.0.113.10" };
      return fetch(`${service.url}/api/v1/claims`, { ...init, headers });
    };
    await spend("claimCheck", "203.0.113.10", 60);
    expect((await ask(body)).status).toBe(402);
    await expectLimited(await ask(body));
    expect((await ask({})).status).toBe(402);
  });
});

describe("a claim", () => {
  test("of an unknown id is 404, of a malformed one 400, and so are their receipts", async () => {
    for (const end of ["", "/receipt"]) {
      expect((await get(`/0x${"ab".repeat(32)}${end}`)).status).toBe(404);
      for (const id of ["0x12", `0x${"AB".repeat(32)}`, "%00"])
        expect((await get(`/${id}${end}`)).status).toBe(400);
    }
  });

  test("whose survival would mean nothing has no receipt", async () => {
    const claimId = await insertClaim(service.db, codeAssertion());
    expect(await readDetail(claimId)).toMatchObject({ survivalHash: null, receiptUrl: null });
    const response = await get(`/${claimId}/receipt`);
    expect([response.status, problemSchema.parse(await response.json()).code]).toEqual([404, "not_found"]);
  });

  test("shows who falsified it, and the challenge", async () => {
    const { number: block } = await service.context.chain.latestBlock();
    const claimId = await insertClaim(service.db, assertion({ fromBlock: block, toBlock: block }));
    const account = privateKeyToAccount(generatePrivateKey());
    const implementation = getAddress(service.chainOf.contracts.boxV1);
    const { status, body } = await sendChallenge(service.url, account, claimId, { block, implementation });
    expect([status, body.resolution]).toEqual([201, "counterexample_valid"]);
    expect(await readDetail(claimId)).toMatchObject({
      status: "falsified",
      survived: false,
      resolvedAt: expect.any(String),
      winner: account.address.toLowerCase(),
      challenges: [body.challenge],
      challengesTotal: 1,
    });
  });

  test("shows the newest hundred challenges, and counts them all", async () => {
    const claimId = await insertClaim(service.db, assertion());
    await service.db.query({
      text: `INSERT INTO challenges (challenge_id, claim_id, wallet, evidence, resolution, observed, submitted_at)
             SELECT 'chl_' || n, $1, $2, '{"block":1,"implementation":null}', 'invalid_evidence',
               '{"block":1,"blockHash":null}', now() - n * interval '1 second' FROM generate_series(1, 120) n`,
      values: [claimId, `0x${"0c".repeat(20)}`],
    });
    const { challenges, challengesTotal } = await readDetail(claimId);
    expect([challenges.length, challengesTotal]).toEqual([100, 120]);
    expect([challenges[0]?.challengeId, challenges[99]?.challengeId]).toEqual(["chl_1", "chl_100"]);
  });

  test("whose deadline has passed has survived for every reader, with one leaf", async () => {
    const claimId = await insertClaim(service.db, assertion(), { hoursLeft: -1 });
    const seen = await Promise.all(Array.from({ length: 8 }, () => readDetail(claimId)));
    for (const { status, survived, resolvedAt } of seen)
      expect([status, survived, resolvedAt]).toEqual(["survived", true, seen[0]?.resolvedAt]);
    const [row] = await service.db.query<{ n: bigint }>({
      text: `SELECT count(*) AS n FROM log_leaves
             WHERE kind = 'verdict' AND convert_from(leaf, 'UTF8')::json->>'claimId' = $1`,
      values: [claimId],
    });
    expect(row?.n).toBe(1n);
  });
});
