import { createRequire } from "node:module";
import {
  type Assertion,
  type ChallengeEvidence,
  challengeAnswerSchema,
  evidenceText,
  type Hex,
  type Problem,
} from "@assay/protocol";
import { encodeDeployData, getAddress, keccak256, stringToHex } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newNonce, post } from "../../test/signAction.js";
import { useTestService } from "../../test/useTestService.js";
import { createRateLimits } from "../store/rateLimits.js";
import { type InsertedClaim, insertClaim } from "./testing/insertClaim.js";
import { challengePath, sendChallenge } from "./testing/sendChallenge.js";

const service = useTestService({ RATE_LIMITS: "off" });
let head: number;
let proxy: Hex;
let implementation: Hex;
let wallet: PrivateKeyAccount;
const other = getAddress(`0x${"0b".repeat(20)}`);
const NOWHERE: Hex = `0x${"de".repeat(20)}`;

beforeAll(async () => {
  proxy = service.chainOf.contracts.upgradeableProxy;
  implementation = getAddress(service.chainOf.contracts.boxV1);
  await service.chainOf.mine(4);
  head = (await service.context.chain.latestBlock()).number;
});
beforeEach(() => {
  wallet = newWallet();
});

const newWallet = () => privateKeyToAccount(generatePrivateKey());
/** Over the last blocks before the head; false by default. */
const upgradeClaim = (change: object = {}, how?: InsertedClaim) => {
  const assertion = {
    type: "upgrade_window",
    address: proxy,
    implementation: other,
    fromBlock: head - 2,
    toBlock: head,
  };
  return insertClaim(service.db, { ...assertion, ...change } as Assertion, how);
};
const seen = (change: object = {}) => ({ block: head - 1, implementation, ...change });
const challenge = (claimId: Hex, evidence: ChallengeEvidence, how?: Parameters<typeof sendChallenge>[4]) =>
  sendChallenge(service.url, wallet, claimId, evidence, how);

const count = async (text: string, ...values: unknown[]) => {
  const [row] = await service.db.query<{ n: bigint }>({ text: `SELECT count(*) AS n FROM ${text}`, values });
  return Number(row?.n);
};
const countNonces = () => count("action_nonces WHERE wallet = $1", wallet.address.toLowerCase());
const countChallenges = (claimId: Hex) => count("challenges WHERE claim_id = $1", claimId);
const statusOf = async (claimId: Hex) => {
  const text = "SELECT status, challenge_id, resolved_at FROM claims WHERE claim_id = $1";
  const [row] = await service.db.query<{ status: string; challenge_id: string | null }>({
    text,
    values: [claimId],
  });
  return row;
};
const listLeaves = async (kind: string, about: string) => {
  const rows = await service.db.query<{ leaf_index: bigint; leaf: Buffer }>({
    text: "SELECT leaf_index, leaf FROM log_leaves WHERE kind = $1 ORDER BY leaf_index",
    values: [kind],
  });
  return rows
    .map(({ leaf_index, leaf }) => ({ index: Number(leaf_index), ...JSON.parse(leaf.toString()) }))
    .filter(({ claimId }) => claimId === about);
};

describe("a counterexample", () => {
  test("that the chain confirms falsifies the claim, and states who owes what to whom", async () => {
    const opener = newWallet().address.toLowerCase() as Hex;
    const claimId = await upgradeClaim({}, { opener, rewardMicroUsd: 12_340_000n });
    const { status, body } = await challenge(claimId, seen());
    expect(status).toBe(201);
    const answer = challengeAnswerSchema.parse(body);
    const address = wallet.address.toLowerCase();
    expect(answer).toMatchObject({
      claimId,
      resolution: "counterexample_valid",
      claimStatus: "falsified",
      reward: { rewardOwedBy: opener, rewardOwedTo: address, rewardUsd: 12.34 },
      challenge: {
        wallet: address,
        evidence: seen(),
        resolution: "counterexample_valid",
        observed: { block: head - 1, implementation: implementation.toLowerCase() },
      },
    });
    expect(await statusOf(claimId)).toMatchObject({
      status: "falsified",
      challenge_id: answer.challenge?.challengeId,
    });
    const { number, hash } = await service.chainOf.request<{ number: Hex; hash: Hex }>(
      "eth_getBlockByNumber",
      [`0x${(head - 1).toString(16)}`, false],
    );
    expect([Number(number), hash]).toEqual([head - 1, answer.challenge?.observed?.blockHash]);
  });

  test("and its verdict are leaves of the log, in this order, and the challenge knows its place", async () => {
    const claimId = await upgradeClaim();
    const { body } = await challenge(claimId, seen());
    const [leaf, ...rest] = await listLeaves("challenge", claimId);
    const { challenge: recorded } = challengeAnswerSchema.parse(body);
    if (!recorded) throw new Error("the challenge was not recorded");
    const { logIndex, ...record } = recorded;
    expect(rest).toEqual([]);
    expect(leaf).toEqual({ kind: "challenge", index: logIndex, claimId, network: "eip155:8453", ...record });
    const [verdict, ...more] = await listLeaves("verdict", claimId);
    expect(more).toEqual([]);
    expect(verdict).toMatchObject({ index: (logIndex as number) + 1, status: "falsified" });
    expect(verdict.challengeId).toBe(record.challengeId);
  });

  test("whose reading is what was claimed leaves the claim open, and is recorded", async () => {
    const claimId = await upgradeClaim({ implementation });
    const { status, body } = await challenge(claimId, seen());
    expect([status, body.resolution, body.claimStatus, body.reward]).toEqual([
      200,
      "claim_correct",
      "open",
      null,
    ]);
    expect(await listLeaves("challenge", claimId)).toHaveLength(1);
    expect(await listLeaves("verdict", claimId)).toEqual([]);
  });

  test.each([
    ["is contradicted by the chain", { implementation: other }],
    ["says that there is no implementation, where there is one", { implementation: null }],
    ["is of a block before the window", { block: -3 }],
    ["is of a block after the window", { block: 1 }],
  ])(
    "that %s is no evidence",
    async (_, { block = 0, ...change }: { block?: number; implementation?: string | null }) => {
      const claimId = await upgradeClaim();
      const { status, body } = await challenge(claimId, seen({ ...change, block: head + block }));
      expect([status, body.resolution, body.claimStatus]).toEqual([200, "invalid_evidence", "open"]);
      expect(await countChallenges(claimId)).toBe(1);
    },
  );

  test("of a block outside the window asks the chain nothing", async () => {
    const { chain } = service.context;
    const claimId = await upgradeClaim();
    const unread = chain.readAgreed;
    chain.readAgreed = () => Promise.reject(new Error("the chain was asked"));
    const { body } = await challenge(claimId, seen({ block: head + 1_000_000 }));
    chain.readAgreed = unread;
    expect(body).toMatchObject({
      resolution: "invalid_evidence",
      challenge: { observed: { blockHash: null } },
    });
  });
});

describe("claims about code", () => {
  const codeClaim = async (change: object = {}) => {
    const code = await service.chainOf.request<Hex>("eth_getCode", [proxy, "latest"]);
    const facts = { bytecodeHash: keccak256(code), bytecodeBytes: (code.length - 2) / 2 };
    const assertion = { type: "bytecode", address: proxy, fromBlock: head, toBlock: head, ...facts };
    return { facts, claimId: await insertClaim(service.db, { ...assertion, ...change } as Assertion) };
  };

  test("are judged at the last block of the window", async () => {
    const right = await codeClaim();
    expect((await challenge(right.claimId, right.facts)).body.resolution).toBe("claim_correct");
    const wrong = await codeClaim({ bytecodeHash: keccak256("0x01") });
    const { status, body } = await challenge(wrong.claimId, wrong.facts);
    expect([status, body.resolution]).toEqual([201, "counterexample_valid"]);
    expect(body.challenge?.observed).toMatchObject({ block: head, ...wrong.facts });
  });

  test("are not contradicted by a wrong hash, or a wrong length beside the right hash", async () => {
    const { claimId, facts } = await codeClaim({ bytecodeBytes: 1 });
    for (const evidence of [
      { ...facts, bytecodeHash: keccak256("0x02") },
      { ...facts, bytecodeBytes: 2 },
      { bytecodeHash: null, bytecodeBytes: 0 },
    ])
      expect((await challenge(claimId, evidence)).body.resolution).toBe("invalid_evidence");
  });

  test("hold null and no bytes for an address without code", async () => {
    const none = { bytecodeHash: null, bytecodeBytes: 0 };
    const { claimId } = await codeClaim({ address: NOWHERE, ...none });
    expect((await challenge(claimId, none)).body.resolution).toBe("claim_correct");
  });
});

describe("what is refused before the signature is checked", () => {
  const send = async (claimId: string, body: unknown) => {
    const response = await post(service.url, challengePath(claimId), {}, body);
    return { status: response.status, body: (await response.json()) as Problem };
  };

  test("an unknown claim is 404, a malformed id 400", async () => {
    expect(await send(`0x${"ab".repeat(32)}`, {})).toMatchObject({
      status: 404,
      body: { code: "not_found" },
    });
    for (const id of ["0x12", `0x${"AB".repeat(32)}`, "%00"])
      expect(await send(id, {})).toMatchObject({ status: 400, body: { errors: [{ field: "claimId" }] } });
  });

  test.each<[string, object, string[]]>([
    ["nothing", {}, ["wallet", "block", "implementation"]],
    ["the other kind of evidence", { bytecodeHash: null, bytecodeBytes: 0 }, ["block", "bytecodeHash"]],
    ["both kinds", { block: 1, implementation: null, bytecodeBytes: 0 }, ["bytecodeBytes"]],
    ["a block that is no whole number", { block: 1.5, implementation: null }, ["block"]],
    ["a negative block", { block: -1, implementation: null }, ["block"]],
    ["a block in quotes", { block: "1", implementation: null }, ["block"]],
    ["an implementation that is no address", { block: 1, implementation: "0x12" }, ["implementation"]],
    ["no implementation at all", { block: 1 }, ["implementation"]],
  ])("%s is 400 and names the fields", async (_, evidence, fields) => {
    const { status, body } = await send(await upgradeClaim(), evidence);
    expect([status, body.code]).toEqual([400, "invalid_input"]);
    const named = body.errors?.map(({ field }) => field);
    expect(named).toEqual(expect.arrayContaining(fields));
  });

  test("a claim about code takes no blocks", async () => {
    const claimId = await insertClaim(service.db, {
      type: "bytecode",
      address: proxy,
      bytecodeHash: null,
      bytecodeBytes: 0,
      fromBlock: head,
      toBlock: head,
    });
    const { status, body } = await send(claimId, { wallet: wallet.address, ...seen() });
    expect(status).toBe(400);
    expect(body.detail).toMatch(/bytecodeHash is required.*block is not a known field/);
  });
});

describe("whose challenge it is", () => {
  const hashOf = (text: string) => keccak256(stringToHex(text));
  const cases: [string, string, (claimId: Hex) => Promise<Parameters<typeof sendChallenge>[4]>][] = [
    [
      "evidence hashed with its keys in another order",
      "action_signature_invalid",
      async (claimId) => {
        const { block, implementation } = seen();
        return { signed: { resource: `${claimId}:${hashOf(JSON.stringify({ implementation, block }))}` } };
      },
    ],
    [
      "evidence hashed with spaces",
      "action_signature_invalid",
      async (claimId) => ({
        signed: { resource: `${claimId}:${hashOf(JSON.stringify(seen(), null, 1))}` },
      }),
    ],
    [
      "an address sent in another casing than was signed",
      "action_signature_invalid",
      async () => ({ sent: { implementation: implementation.toLowerCase() } }),
    ],
    [
      "another block than was signed",
      "action_signature_invalid",
      async () => ({ sent: { block: head - 2 } }),
    ],
    [
      "a signature for another claim",
      "action_signature_invalid",
      async () => ({ signed: { resource: `${await upgradeClaim()}:${hashOf(evidenceText(seen()))}` } }),
    ],
    [
      "a signature for another action",
      "action_signature_invalid",
      async () => ({ signed: { action: "artifact_publish" } }),
    ],
    ["a stale time", "action_out_of_time", async () => ({ signed: { timestamp: Date.now() - 301_000 } })],
    ["a time to come", "action_out_of_time", async () => ({ signed: { timestamp: Date.now() + 301_000 } })],
    [
      "another wallet in the body",
      "action_wallet_mismatch",
      async () => ({ sent: { wallet: newWallet().address } }),
    ],
  ];

  test.each(cases)("%s is 401 %s, and leaves no trace", async (_, code, how) => {
    const claimId = await upgradeClaim();
    const { status, body } = await challenge(claimId, seen(), await how(claimId));
    expect([status, body.code]).toEqual([401, code]);
    expect(body.detail).toMatch(/server time|must be one wallet/);
    expect([await countChallenges(claimId), await countNonces(), (await statusOf(claimId))?.status]).toEqual([
      0,
      0,
      "open",
    ]);
  });

  test("a reused nonce is 401, on this claim and on another, also where nothing was recorded", async () => {
    const nonce = newNonce();
    const [first, second] = [await upgradeClaim({ implementation }), await upgradeClaim()];
    expect((await challenge(first, seen(), { signed: { nonce } })).status).toBe(200);
    for (const claimId of [first, second]) {
      const { status, body } = await challenge(claimId, seen(), { signed: { nonce } });
      expect([status, body.code]).toEqual([401, "action_nonce_used"]);
    }
    expect(await countChallenges(first)).toBe(1);
    expect((await statusOf(second))?.status).toBe("open");
  });

  test("any casing is good if it is what was signed", async () => {
    const claimId = await upgradeClaim({ implementation });
    const evidence = seen({ implementation: implementation.toLowerCase() });
    const { body } = await challenge(claimId, evidence, { sent: { wallet: wallet.address.toLowerCase() } });
    expect(body).toMatchObject({ resolution: "claim_correct", challenge: { evidence } });
  });
});

describe("a claim that is resolved", () => {
  test("stays as it is: 200 already_resolved, nothing recorded, the nonce spent", async () => {
    const claimId = await upgradeClaim();
    expect((await challenge(claimId, seen())).status).toBe(201);
    wallet = newWallet();
    const { status, body } = await challenge(claimId, seen());
    expect(status).toBe(200);
    expect(challengeAnswerSchema.parse(body)).toMatchObject({
      resolution: "already_resolved",
      claimStatus: "falsified",
      challenge: null,
      reward: null,
    });
    expect([await countChallenges(claimId), await countNonces()]).toEqual([1, 1]);
  });

  test("has survived once its deadline has passed, though that was not recorded yet", async () => {
    const claimId = await upgradeClaim({}, { hoursLeft: -0.001 });
    const answers = await Promise.all([1, 2, 3].map(() => challenge(claimId, seen())));
    for (const { status, body } of answers)
      expect([status, body.resolution, body.claimStatus]).toEqual([200, "already_resolved", "survived"]);
    expect(await countChallenges(claimId)).toBe(0);
    expect(await listLeaves("verdict", claimId)).toMatchObject([{ status: "survived", challengeId: null }]);
  });
});

test("a wallet that challenges too often learns when to retry, and its challenge is not judged", async () => {
  const { context } = service;
  const unlimited = context.limits;
  const claimId = await upgradeClaim({ implementation });
  Object.assign(context, { limits: createRateLimits(service.db) });
  const spend = async (budget: "challenge" | "challengeFrom", who: string, times: number) => {
    for (let spent = 0; spent < times; spent += 1) await context.limits.consume(budget, who);
  };
  // Thirty in a minute, of which 28 are spent as by challenges.
  await spend("challenge", wallet.address.toLowerCase(), 28);
  const statuses: number[] = [];
  for (let sent = 0; sent < 3; sent += 1) statuses.push((await challenge(claimId, seen())).status);
  const stranger = await sendChallenge(service.url, newWallet(), claimId, seen());
  // Wallets cost nothing to make, and what they write into the log stays: one address has a budget for all of its own.
  await spend("challengeFrom", "127.0.0.1", 57);
  const next = await sendChallenge(service.url, newWallet(), claimId, seen());
  Object.assign(context, { limits: unlimited });
  expect(next.status).toBe(429);
  expect(statuses).toEqual([200, 200, 429]);
  expect(stranger.status).toBe(200);
  expect([await countChallenges(claimId), await countNonces()]).toEqual([3, 2]);
});

test("a beacon that names no address leaves the implementation open: 400, and nothing is recorded", async () => {
  const { contracts, request } = service.chainOf;
  const broken = newWallet().address;
  const slot = "0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50";
  await request("hardhat_setCode", [broken, "0x00"]);
  await request("hardhat_setStorageAt", [broken, slot, `0x${contracts.weth.slice(2).padStart(64, "0")}`]);
  await service.chainOf.mine();
  const { number } = await service.context.chain.latestBlock();
  const claimId = await upgradeClaim({ address: broken, fromBlock: number, toBlock: number });
  const { status, body } = await challenge(claimId, { block: number, implementation: null });
  expect([status, body.errors?.[0]?.field]).toEqual([400, "block"]);
  expect([await countChallenges(claimId), await countNonces()]).toEqual([0, 0]);
});

test("a beacon that answers by its caller is judged by its answer to its proxy", async () => {
  const { contracts, deployer, request, mine } = service.chainOf;
  const { boxV1, boxV2 } = contracts;
  await request("hardhat_impersonateAccount", [deployer.address]);
  const create = async (name: string, args: readonly unknown[]) => {
    const { abi, bytecode } = createRequire(import.meta.url)(`@assay/contracts/out/${name}.json`);
    const data = encodeDeployData({ abi, bytecode, args });
    const hash = await request<Hex>("eth_sendTransaction", [{ from: deployer.address, data }]);
    const receipt = await request<{ contractAddress: Hex }>("eth_getTransactionReceipt", [hash]);
    return receipt.contractAddress;
  };
  const beacon = await create("CallerBeacon", [boxV2, boxV1]);
  const address = await create("BeaconProxy", [beacon, "0x"]);
  await mine(2);
  const { number } = await service.context.chain.latestBlock();
  // The proxy runs V2; V1 is the answer to every other caller.
  const claimId = await upgradeClaim({
    address,
    implementation: getAddress(boxV1),
    fromBlock: number - 1,
    toBlock: number,
  });
  const answered = await challenge(claimId, { block: number, implementation: getAddress(boxV1) });
  expect([answered.status, answered.body.resolution]).toEqual([200, "invalid_evidence"]);
  const run = await challenge(claimId, { block: number, implementation: getAddress(boxV2) });
  expect([run.status, run.body.resolution]).toEqual([201, "counterexample_valid"]);
});
