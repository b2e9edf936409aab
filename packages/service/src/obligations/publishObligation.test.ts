import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "@assay/chain/testing/until";
import { type ClaimFeed, claimFeedSchema, claimIdOf, type Hex } from "@assay/protocol";
import { getAddress } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Neighbour, startNeighbour } from "../../test/startNeighbour.js";
import { startTestService, type TestService } from "../../test/startTestService.js";
import { sendChallenge } from "../claims/testing/sendChallenge.js";
import { type ObligationLine, parseObligationList } from "./obligationList.js";
import { publishDueObligations } from "./publishDueObligations.js";
import { publishIfDue } from "./publishObligation.js";
import { publishLine } from "./testing/publishLine.js";

const signingKey = generatePrivateKey();
let service: TestService;
let other: Neighbour;
let directory: string;
let file: string;
const proxyLine = (change: object = {}) => ({
  type: "upgrade_window",
  address: service.chainOf.contracts.upgradeableProxy,
  windowBlocks: 3,
  challengeHours: 1,
  ...change,
});
const listed = async (): Promise<ClaimFeed["claims"]> =>
  claimFeedSchema.parse(await (await fetch(`${service.url}/api/v1/claims?limit=100`)).json()).claims;
const count = async (where: string, ...values: unknown[]) => {
  const text = `SELECT count(*)::int AS n FROM claims WHERE kind = 'obligation' AND ${where}`;
  const [row] = await service.db.query<{ n: number }>({ text, values });
  return row?.n;
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "assay-publish-"));
  file = join(directory, "list.json");
  service = await startTestService({ RATE_LIMITS: "off", SERVICE_SIGNING_KEY: signingKey });
  await service.chainOf.mine(6);
  await writeFile(file, JSON.stringify([proxyLine(), proxyLine({ everyHours: 2 })]));
  other = await startNeighbour(service, { SERVICE_SIGNING_KEY: signingKey, OBLIGATIONS_FILE: file });
}, 60_000);
afterAll(async () => {
  await other.stop();
  await service.stop();
  await rm(directory, { recursive: true, force: true });
});

describe("the list of a service", () => {
  test("is published at start, under the service's own name, in the feed and with a place in the log", async () => {
    const claims = await until(async () => {
      const found = await listed();
      return found.length === 2 ? found : undefined;
    });
    for (const {
      kind,
      claim,
      claimId,
      assertion,
      opener,
      reward,
      logIndex,
      receiptUrl,
      challengeEndpoint,
    } of claims) {
      expect([kind, opener, claim.opener]).toEqual([
        "obligation",
        ...Array(2).fill(service.context.signer.address.toLowerCase()),
      ]);
      expect(claimIdOf(claim)).toBe(claimId);
      expect(assertion).toMatchObject({
        type: "upgrade_window",
        implementation: service.chainOf.contracts.boxV1.toLowerCase(),
      });
      expect([reward.rewardUsd, receiptUrl === null, logIndex === null]).toEqual([0, false, false]);
      expect(challengeEndpoint).toContain(claimId);
    }
  });

  test("is not published again before its time, by any process", async () => {
    const { context } = service;
    const obligations = parseObligationList([proxyLine(), proxyLine({ everyHours: 2 })]);
    await publishDueObligations({ ...context, obligations });
    expect(await count("true")).toBe(2);
    await service.db.query({ text: "UPDATE claims SET opened_at = opened_at - interval '3 hours'" });
    await service.chainOf.mine();
    // Two processes at the same time, several times each, and each sees another block as the newest.
    const processes = [context, other.context, context, other.context].map((one, behind) => ({
      ...one,
      chain: { ...one.chain, latestBlock: () => seeBehind(behind) },
    }));
    await Promise.all(processes.map((one) => publishDueObligations({ ...one, obligations })));
    expect(await count("true")).toBe(3);
    const { index } = await leavesOfClaims();
    expect(index).toBe(3);
  });

  const seeBehind = async (blocks: number) => {
    const head = await service.context.chain.latestBlock();
    return { ...head, number: head.number - blocks };
  };
  const leavesOfClaims = async () => {
    const text = "SELECT count(*)::int AS index FROM log_leaves WHERE kind = 'claim'";
    const [row] = await service.db.query<{ index: number }>({ text });
    return row ?? { index: -1 };
  };

  test("does not stop at a line that cannot be published", async () => {
    const { contracts } = service.chainOf;
    const wrong = proxyLine({ implementation: contracts.boxV2, challengeHours: 2 });
    const right = proxyLine({ address: contracts.beaconProxy });
    const before = (await count("true")) ?? 0;
    await publishDueObligations({ ...service.context, obligations: parseObligationList([wrong, right]) });
    expect(await count("true")).toBe(before + 1);
  });
});

describe("what the chain contradicts is not asserted", () => {
  const refusal = async (change: object): Promise<string> => {
    const [line] = parseObligationList([proxyLine(change)]) as [ObligationLine];
    return publishIfDue(service.context, line).then(
      () => "",
      (error: Error) => error.message,
    );
  };
  const nowhere: Hex = `0x${"de".repeat(20)}`;

  test.each<[string, () => object, RegExp]>([
    [
      "another implementation",
      () => ({ implementation: nowhere }),
      /the chain has 0x\S+ at 0x\S+, not 0xdede/,
    ],
    ["no implementation", () => ({ implementation: null }), /not no implementation\.$/],
    [
      "what was otherwise at the first block",
      () => ({ windowBlocks: undefined, fromBlock: 1, toBlock: 5 }),
      /^At block 1 the chain has no implementation/,
    ],
    [
      "other code",
      () => ({ type: "bytecode", bytecodeHash: `0x${"11".repeat(32)}`, bytecodeBytes: 5 }),
      /not code 0x1111\S+ of 5 bytes\.$/,
    ],
    [
      "blocks to come",
      () => ({ windowBlocks: undefined, fromBlock: 1, toBlock: 1_000_000 }),
      /^toBlock 1000000 is above \d+, the newest block/,
    ],
    [
      "more blocks than there are",
      () => ({ windowBlocks: 100_000 }),
      /^The chain has \d+ blocks, fewer than/,
    ],
  ])("%s", async (_, change, sentence) => {
    const before = await count("true");
    expect(await refusal(change())).toMatch(sentence);
    expect(await count("true")).toBe(before);
  });
});

test("a window in hours is as many blocks as the chain made in that time", async () => {
  const { chain } = service.context;
  const pace = await chain.latestBlock();
  const find = chain.findBlock;
  // A chain whose last blocks were 200 ms apart.
  vi.spyOn(chain, "findBlock").mockImplementationOnce(async (number) => {
    const earlier = await find(number);
    return earlier && { ...earlier, timestamp: pace.timestamp - (pace.number - earlier.number) / 5 };
  });
  const id = await publishLine(service, service.chainOf.contracts.upgradeableProxy, {
    windowBlocks: undefined,
    windowHours: 5.5 / 18_000,
  });
  const [row] = await service.db.query<{ canonical: string }>({
    text: "SELECT canonical FROM claims WHERE claim_id = $1",
    values: [id],
  });
  const { assertion } = JSON.parse(row?.canonical ?? "{}");
  expect(assertion.toBlock - assertion.fromBlock + 1).toBe(5);
});

test("anyone may challenge an obligation, and it is then no longer listed", async () => {
  const { contracts } = service.chainOf;
  const id = await publishLine(service, contracts.upgradeableProxy, { windowBlocks: 3, rewardUsd: 2.5 });
  const { assertion } = (await listed()).find(({ claimId }) => claimId === id) ?? {};
  const wallet = privateKeyToAccount(generatePrivateKey());
  const seen = { block: assertion?.toBlock ?? 0, implementation: getAddress(contracts.boxV1) };
  expect((await sendChallenge(service.url, wallet, id, seen)).body.resolution).toBe("claim_correct");
  // As if it had asserted something else.
  await service.db.query({
    text: "UPDATE claims SET canonical = replace(canonical, $2, $3) WHERE claim_id = $1",
    values: [id, contracts.boxV1.toLowerCase(), contracts.boxV2.toLowerCase()],
  });
  const { status, body } = await sendChallenge(service.url, wallet, id, seen);
  expect([status, body.reward?.rewardUsd]).toEqual([201, 2.5]);
  expect(body.reward?.rewardOwedBy).toBe(service.context.signer.address.toLowerCase());
  expect((await listed()).map(({ claimId }) => claimId)).not.toContain(id);
});
