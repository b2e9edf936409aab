import { lowercase } from "@assay/chain/testing/lowercase";
import {
  type Hex,
  inputHashOf,
  type Problem,
  type Published,
  publicationSchema,
  publishedSchema,
  publisherSchema,
  type Quote,
  unanswered,
} from "@assay/protocol";
import { keccak256 } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { accountOf, fetchChallenge, pay, priceOf } from "../../test/payer.js";
import { newNonce, post, signAction } from "../../test/signAction.js";
import { useTestService } from "../../test/useTestService.js";

const service = useTestService({ RATE_LIMITS: "off" });
let publisher: PrivateKeyAccount;
beforeEach(() => {
  publisher = newWallet();
});

const newWallet = () => privateKeyToAccount(generatePrivateKey());
const PATH = "/api/v1/artifacts/publish";

/** The service pins to the head it has seen. */
const mineSeen = async (blocks = 1) => {
  await service.chainOf.mine(blocks);
  return service.context.chain.latestBlock();
};

let count = 0;
/** Some code that no other test has, at an address of its own. */
async function deploy(code: Hex = `0x6001600155${(++count).toString(16).padStart(8, "0")}`): Promise<Hex> {
  const address = newWallet().address;
  await setCode(address, code);
  return address;
}
async function setCode(address: Hex, code: Hex) {
  await service.chainOf.request("hardhat_setCode", [address, code]);
  await mineSeen();
}

/** The true statement about an address, with what a test wants otherwise. */
async function stateOf(address: Hex, change: object = {}, wallet: Hex = publisher.address) {
  const block = await service.context.chain.latestBlock();
  const code = await service.chainOf.request<Hex>("eth_getCode", [address, "latest"]);
  return {
    capabilityId: "contract.guard",
    wallet,
    address,
    bytecodeHash: code === "0x" ? null : keccak256(code),
    bytecodeBytes: (code.length - 2) / 2,
    computedAtBlock: block.number,
    ...change,
  };
}

async function send(body: { address: unknown }, account = publisher, nonce?: string) {
  const headers = await signAction(service.url, account, {
    action: "artifact_publish",
    resource: String(body.address),
    ...(nonce !== undefined && { nonce }),
  });
  const response = await post(service.url, PATH, headers, body);
  const answer = (await response.json()) as Partial<Published & Problem>;
  return { status: response.status, body: answer };
}

const readRecord = async (wallet: string) =>
  publisherSchema.parse(await (await fetch(`${service.url}/api/v1/publishers/${wallet}`)).json());

const guardUrl = (address: string) => service.invokeUrl("contract.guard", { address });
const guardHash = (address: string) =>
  inputHashOf("contract.guard", "1.0.0", { address: lowercase(address) });

describe("a true statement", () => {
  test("makes its wallet the seeder for a day, and once it is used for thirty, on the record and in the log", async () => {
    const address = await deploy();
    const statement = await stateOf(address);
    const answer = await send(statement);
    expect(answer.status).toBe(201);
    const published = publishedSchema.parse(answer.body);
    expect(published).toMatchObject({
      audit: "passed",
      wallet: lowercase(publisher.address),
      address: lowercase(address),
      bytecodeHash: statement.bytecodeHash,
      observed: { bytecodeHash: statement.bytecodeHash, bytecodeBytes: statement.bytecodeBytes },
      seeder: {
        wallet: lowercase(publisher.address),
        economics: {
          dividendPerSettledReusePct: 20,
          dividendPerSettledReuseUsd: 0.004,
          lifetimeCapUsd: 5,
          rewardKind: "non_transferable_credits",
        },
      },
    });
    const daysFrom = (freshUntil: string | Date) =>
      (Date.parse(String(freshUntil)) - Date.now()) / 86_400_000;
    expect(daysFrom(published.seeder.freshUntil)).toBeCloseTo(1, 1);
    expect(published.logIndex).toBeNull();

    const record = await readRecord(publisher.address);
    expect(record).toMatchObject({
      attested: true,
      attestation: { blockedUntil: null, headStartSeconds: 60, lifetimeCapMultiple: 100 },
      publications: { passed: 1, failed: 0, unaudited: 0 },
      seededInputs: 1,
    });
    const { seeder: _, ...publication } = published;
    expect(record.audits).toEqual([publication]);

    expect((await pay(guardUrl(address), accountOf(service, "bob"))).response.status).toBe(200);
    const [used] = (await readRecord(publisher.address)).audits;
    const [row] = await service.db.query<{ leaf: Buffer }>({
      text: "SELECT leaf FROM log_leaves WHERE leaf_index = $1",
      values: [used?.logIndex],
    });
    const [seed] = await service.db.query<{ fresh_until: Date }>({
      text: "SELECT fresh_until FROM seeds WHERE input_hash = $1",
      values: [guardHash(address)],
    });
    expect(daysFrom(seed?.fresh_until ?? "")).toBeCloseTo(30, 1);
    const { logIndex: _index, ...logged } = publication;
    expect(JSON.parse(String(row?.leaf))).toEqual({ kind: "publication", network: "eip155:8453", ...logged });
  });

  test("lowers no price by itself: the next call is a miss that pays its publisher, and the one after it partial", async () => {
    const address = await deploy();
    const payer = accountOf(service, "bob");
    const query = new URLSearchParams({ capability: "contract.guard", address, wallet: payer.address });
    const quoteNow = async () =>
      (await (await fetch(`${service.url}/api/v1/quotes?${query}`)).json()) as Quote;
    const challengeNow = async () => priceOf((await fetchChallenge(guardUrl(address))).accepts[0]);
    expect(await challengeNow()).toBe(100_000n);
    expect((await send(await stateOf(address))).status).toBe(201);
    expect(await challengeNow()).toBe(100_000n);
    expect(await quoteNow()).toMatchObject({ cacheStatus: "miss", listPriceUsd: 0.1 });
    const earned = (await readRecord(publisher.address)).dividends.totalUsd;
    const { response } = await pay(guardUrl(address), payer);
    expect(await response.json()).toMatchObject({
      pricing: { actualCacheStatus: "miss", pricePaidUsd: 0.1 },
    });
    expect((await readRecord(publisher.address)).dividends.totalUsd).toBeCloseTo(earned + 0.02, 6);
    await service.db.query({ text: "UPDATE artifacts SET fresh_until = now()" });
    expect(await quoteNow()).toMatchObject({ cacheStatus: "partial", listPriceUsd: 0.05 });
    const [seed] = await service.db.query({
      text: "SELECT wallet, source, code_hash FROM seeds WHERE input_hash = $1",
      values: [guardHash(address)],
    });
    expect(seed).toMatchObject({ wallet: lowercase(publisher.address), source: "publication" });
  });

  test("ends the demand for it", async () => {
    const address = await deploy();
    await service.db.query({
      text: "INSERT INTO demand (input_hash, capability_id, input, misses) VALUES ($1, 'contract.guard', '{}', 3)",
      values: [guardHash(address)],
    });
    await send(await stateOf(address));
    expect(
      await service.db.query({
        text: "SELECT FROM demand WHERE input_hash = $1",
        values: [guardHash(address)],
      }),
    ).toEqual([]);
  });

  test("may be about an account without code", async () => {
    const { status, body } = await send(await stateOf(newWallet().address));
    expect([status, body.bytecodeHash, body.bytecodeBytes]).toEqual([201, null, 0]);
  });

  test("is signed with the address as it is written, not as it is stored", async () => {
    const address = await deploy();
    const statement = await stateOf(address);
    const headers = await signAction(service.url, publisher, {
      action: "artifact_publish",
      resource: lowercase(address),
    });
    expect((await post(service.url, PATH, headers, statement)).status).toBe(401);
    expect((await send({ ...statement, address: lowercase(address) })).status).toBe(201);
  });

  test("may be about any block of the past that can be read, as long as the code is the same", async () => {
    const address = await deploy();
    const statement = await stateOf(address);
    await mineSeen(200);
    expect((await send(statement)).status).toBe(201);
  });

  test("earns an attested wallet twice the cap, and a wallet that failed since the plain one", async () => {
    const capOf = async () =>
      (await send(await stateOf(await deploy()))).body.seeder?.economics.lifetimeCapUsd;
    expect(await capOf()).toBe(5);
    expect(await capOf()).toBe(10);
    expect((await send(await stateOf(await deploy(), { bytecodeBytes: 7 }))).status).toBe(422);
    expect(await capOf()).toBe(5);
    await service.db.query({
      text: "UPDATE publishers SET last_failed_at = now() - interval '30 days 1 second' WHERE wallet = $1",
      values: [lowercase(publisher.address)],
    });
    expect(await capOf()).toBe(10);
  });
});

describe("a fresh fingerprint", () => {
  test("by another publisher is not replaced", async () => {
    const address = await deploy();
    expect((await send(await stateOf(address))).status).toBe(201);
    const other = newWallet();
    for (const change of [{}, { bytecodeBytes: 1 }]) {
      const { status, body } = await send(await stateOf(address, change, other.address), other);
      expect([status, body.code]).toEqual([409, "fingerprint_fresh"]);
    }
    expect(await readRecord(other.address)).toMatchObject({
      publications: { passed: 0, failed: 0 },
      audits: [],
    });
  });

  test("by a settled call is not replaced", async () => {
    const address = await deploy();
    expect((await pay(guardUrl(address), accountOf(service, "carol"))).response.status).toBe(200);
    expect((await send(await stateOf(address))).status).toBe(409);
  });

  test("that a call of another capability left, and nobody seeded, is still open", async () => {
    const address = await deploy();
    const url = `${service.url}/api/v1/capabilities/contract.change/invoke?address=${address}`;
    expect((await pay(url, accountOf(service, "carol"))).response.status).toBe(200);
    expect((await send(await stateOf(address))).status).toBe(201);
    expect((await send(await stateOf(address))).status).toBe(409);
  });

  test("is over after 30 days, and when the code changes", async () => {
    const address = await deploy();
    await send(await stateOf(address));
    await service.db.query({
      text: "UPDATE fingerprints SET observed_at = now() - interval '30 days 1 second' WHERE address = $1",
      values: [lowercase(address)],
    });
    await service.db.query({
      text: "UPDATE seeds SET fresh_until = now() WHERE input_hash = $1",
      values: [guardHash(address)],
    });
    const second = newWallet();
    expect((await send(await stateOf(address, {}, second.address), second)).status).toBe(201);
    await setCode(address, `0x6002600255${(++count).toString(16).padStart(8, "0")}`);
    const third = newWallet();
    expect((await send(await stateOf(address, {}, third.address), third)).status).toBe(201);
    const [seed] = await service.db.query({
      text: "SELECT wallet, earned_micro_usd FROM seeds WHERE input_hash = $1",
      values: [guardHash(address)],
    });
    expect(seed).toEqual({ wallet: lowercase(third.address), earned_micro_usd: 0n });
  });

  test("is also one that has a seeder still", async () => {
    const address = await deploy();
    await send(await stateOf(address));
    await service.db.query({
      text: "UPDATE fingerprints SET observed_at = now() - interval '30 days 1 second' WHERE address = $1",
      values: [lowercase(address)],
    });
    const other = newWallet();
    expect((await send(await stateOf(address, {}, other.address), other)).status).toBe(409);
    const [row] = await service.db.query<{ wallet: string; old: boolean }>({
      text: `SELECT wallet, observed_at < now() - interval '30 days' AS old
             FROM seeds, fingerprints WHERE input_hash = $1 AND address = $2`,
      values: [guardHash(address), lowercase(address)],
    });
    expect(row).toEqual({ wallet: lowercase(publisher.address), old: true });
  });

  test("of many publishers at once, one gets the slot", async () => {
    const address = await deploy();
    const wallets = Array.from({ length: 20 }, newWallet);
    const statements = await Promise.all(wallets.map((wallet) => stateOf(address, {}, wallet.address)));
    const answers = await Promise.all(
      wallets.map((wallet, i) => send(statements[i] as { address: Hex }, wallet)),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array(19).fill(409)]);
    const rows = await service.db.query({
      text: "SELECT FROM publications WHERE address = $1",
      values: [lowercase(address)],
    });
    expect(rows.length).toBe(1);
  });
});

describe("a false statement", () => {
  const wrongHash = `0x${"ab".repeat(32)}`;

  test.each([
    ["another hash", { bytecodeHash: wrongHash }],
    ["another length", { bytecodeBytes: 12_345 }],
    ["no code where there is some", { bytecodeHash: null, bytecodeBytes: 0 }],
  ])("(%s) is burned, on the record, saying what was claimed and observed", async (_name, change) => {
    const address = await deploy();
    const truth = await stateOf(address);
    const claim = { ...truth, ...change };
    const { status, body } = await send(claim);
    expect([status, body.code]).toEqual([422, "publication_burned"]);
    for (const said of [claim.bytecodeHash, claim.bytecodeBytes, truth.bytecodeHash, truth.bytecodeBytes])
      expect(body.detail).toContain(String(said));
    const record = await readRecord(publisher.address);
    expect(record).toMatchObject({
      attested: false,
      attestation: { headStartSeconds: 0, lifetimeCapMultiple: 50, blockedUntil: expect.any(String) },
      publications: { passed: 0, failed: 1 },
      seededInputs: 0,
    });
    expect(publicationSchema.parse(record.audits[0])).toMatchObject({
      ...claim,
      wallet: lowercase(publisher.address),
      address: lowercase(address),
      audit: "failed",
      observed: { bytecodeHash: truth.bytecodeHash, bytecodeBytes: truth.bytecodeBytes },
    });
    expect((await send(await stateOf(address))).status).toBe(201);
  });

  test("about an account without code is burned", async () => {
    const { status, body } = await send(
      await stateOf(newWallet().address, { bytecodeHash: wrongHash, bytecodeBytes: 5 }),
    );
    expect([status, body.code]).toEqual([422, "publication_burned"]);
  });

  test("is burned once and for good, also when the chain would agree later", async () => {
    const address = await deploy();
    const claim = await stateOf(address, { bytecodeHash: wrongHash });
    expect((await send(claim)).status).toBe(422);
    // What an audit begins with; the code that stands there now is read all the same.
    const audit = vi.spyOn(service.context.chain, "findBlock");
    const again = await send(claim);
    expect([again.status, again.body.code]).toEqual([422, "publication_burned"]);
    expect(audit).not.toHaveBeenCalled();
    audit.mockRestore();
    // As if the chain had always had what was claimed.
    await service.db.query({
      text: `UPDATE publications SET bytecode_hash = observed_hash WHERE wallet = $1`,
      values: [lowercase(publisher.address)],
    });
    const true_ = await stateOf(address, { computedAtBlock: claim.computedAtBlock });
    expect((await send(true_)).status).toBe(422);
    expect((await readRecord(publisher.address)).publications).toEqual({
      passed: 0,
      failed: 1,
      unaudited: 0,
    });
    // Another wallet is not bound by it.
    const other = newWallet();
    expect((await send(await stateOf(address, {}, other.address), other)).status).toBe(201);
    // From now on a fresh fingerprint is there, whatever is said.
    expect((await send(claim)).status).toBe(409);
  });

  test("sent many times at once counts once", async () => {
    const address = await deploy();
    const claim = await stateOf(address, { bytecodeBytes: 99 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(claim)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(422));
    const record = await readRecord(publisher.address);
    expect(record.publications.failed).toBe(1);
    expect(record.audits.length).toBe(1);
  });

  test("spends its nonce like a true one, the second time too", async () => {
    const claim = await stateOf(await deploy(), { bytecodeBytes: 99 });
    for (const nonce of [newNonce(), newNonce()]) {
      expect((await send(claim, publisher, nonce)).status).toBe(422);
      expect((await send(claim, publisher, nonce)).body.code).toBe("action_nonce_used");
    }
  });
});

describe("a statement that cannot be judged", () => {
  const unread = (reason: string) =>
    vi
      .spyOn(service.context.chain, "readAt")
      .mockImplementation((async (_block: unknown, reads: unknown[]) =>
        reads.map(() => unanswered(reason))) as never);

  test.each([
    ["of the future", { computedAtBlock: 999_999_999 }, "computedAtBlock"],
    ["of a negative block", { computedAtBlock: -1 }, "computedAtBlock"],
    ["of half a block", { computedAtBlock: 1.5 }, "computedAtBlock"],
    ["with an upper case hash", { bytecodeHash: `0x${"AB".repeat(32)}` }, "bytecodeHash"],
    ["without a hash", { bytecodeHash: undefined }, "bytecodeHash"],
    ["with a negative length", { bytecodeBytes: -1 }, "bytecodeBytes"],
    ["about no address", { address: "0x1234" }, "address"],
    ["of another capability", { capabilityId: "token.metadata" }, "capabilityId"],
    ["with a field of its own", { verdict: "allow" }, "verdict"],
  ])("%s names the field", async (_name, change, field) => {
    const { status, body } = await send(await stateOf(service.chainOf.contracts.boxV1, change));
    expect([status, body.code, body.errors?.[0]?.field]).toEqual([400, "invalid_input", field]);
  });

  test("of a block that our own view of the head has not reached yet is judged all the same", async () => {
    const address = await deploy();
    await service.chainOf.mine(3);
    const block = await service.chainOf.request<Hex>("eth_blockNumber");
    expect((await send(await stateOf(address, { computedAtBlock: Number(block) }))).status).toBe(201);
  });

  test("of code that has changed since asks for a newer block", async () => {
    const address = await deploy();
    const old = await stateOf(address);
    // The local chain changes code in its newest block.
    await mineSeen();
    await setCode(address, "0x600360035500");
    const { status, body } = await send(old);
    expect([status, body.errors?.[0]]).toEqual([
      400,
      {
        field: "computedAtBlock",
        rule: "is before a change of the code; compute the fingerprint at a newer block",
      },
    ]);
    expect((await readRecord(publisher.address)).publications.failed).toBe(0);
  });

  test.each(["timeout", "unknown_block", "nodes_disagree"])(
    "because of %s is not held against its publisher",
    async (reason) => {
      const claim = await stateOf(await deploy());
      const read = unread(reason);
      const { status, body } = await send(claim);
      read.mockRestore();
      expect([status, body.code]).toEqual([503, "chain_unavailable"]);
      expect((await readRecord(publisher.address)).publications.failed).toBe(0);
      expect((await send(claim)).status).toBe(201);
    },
  );

  test.each([
    [100, 503, "chain_unavailable"],
    [128, 400, "invalid_input"],
  ])("whose state the node lacks, %i blocks back, is %i %s", async (blocks, status, code) => {
    const address = await deploy();
    const head = (await mineSeen(130)).number;
    const claim = await stateOf(address, { computedAtBlock: head - blocks });
    const { readAt } = service.context.chain;
    const read = vi
      .spyOn(service.context.chain, "readAt")
      .mockImplementation((async (block: { number: number }, reads: never) =>
        block.number <= claim.computedAtBlock
          ? [unanswered("unknown_block")]
          : readAt(block as never, reads)) as never);
    const answer = await send(claim);
    read.mockRestore();
    // The chain goes on while this runs; the edge itself may have moved by a block.
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect((await readRecord(publisher.address)).publications.failed).toBe(0);
  });
});

describe("the publisher's record", () => {
  test("of a wallet that has done nothing is zeros", async () => {
    const wallet = newWallet().address;
    expect(await readRecord(wallet)).toEqual({
      wallet: lowercase(wallet),
      attested: false,
      attestation: { blockedUntil: null, headStartSeconds: 0, lifetimeCapMultiple: 50 },
      publications: { passed: 0, failed: 0, unaudited: 0 },
      audits: [],
      seededInputs: 0,
      dividends: { settledReuses: 0, totalUsd: 0, rewardKind: "non_transferable_credits" },
      reviewCredits: { outcomes: 0, totalUsd: 0, rewardKind: "non_transferable_credits" },
    });
  });

  test.each(["0x12", "alice", "%00", `0x${"g".repeat(40)}`])("of %s is asked for in vain", async (wallet) => {
    const response = await fetch(`${service.url}/api/v1/publishers/${wallet}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "invalid_input", errors: [{ field: "wallet" }] });
  });

  test("lists the newest 20 audits", async () => {
    await service.db.query({
      text: `INSERT INTO publications (publication_id, wallet, capability_id, address, bytecode_hash, bytecode_bytes,
               computed_at_block, audit, observed_hash, observed_bytes, block_hash, published_at, log_index)
             SELECT 'pub_test_' || n, $1, 'contract.guard', $1, NULL, 0, n, 'passed', NULL, 0, '0x' || repeat('0', 64),
               now() - n * interval '1 minute', n FROM generate_series(1, 30) AS n`,
      values: [lowercase(publisher.address)],
    });
    const { audits } = await readRecord(publisher.address);
    expect(audits.map(({ computedAtBlock }) => computedAtBlock)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
  });
});

test("the signed routes take POST alone", async () => {
  for (const path of [PATH, "/api/v1/demand-pledges", "/api/v1/outcomes"]) {
    const response = await fetch(`${service.url}${path}`);
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  }
});
