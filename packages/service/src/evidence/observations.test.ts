import type { ObservedFields } from "@assay/capabilities";
import { evaluateContractChange } from "@assay/capabilities/contract.change/evaluate";
import { contractChangeReadingsSchema } from "@assay/capabilities/contract.change/readings";
import { until } from "@assay/chain/testing/until";
import { absent, type Hex, unanswered, valueReading } from "@assay/protocol";
import { encodeFunctionData, parseAbi } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { settleAnsweredCalls, storeAnsweredCall } from "../../test/answeredCalls.js";
import { createTestDatabase, type TestDatabase } from "../../test/createTestDatabase.js";
import { accountOf, fetchChallenge, pay, send, signPayment } from "../../test/payer.js";
import { type Neighbour, startNeighbour } from "../../test/startNeighbour.js";
import { useTestService } from "../../test/useTestService.js";
import { findEarlierObservations } from "./observations.js";
import type { PublishedAnswer } from "./publishAnswers.js";

const addressOf = (digit: string): Hex => `0x${digit.repeat(40)}`;
const hashAt = (blockNumber: number): Hex => `0x${blockNumber.toString(16).padStart(64, "0")}`;

const FIELDS: ObservedFields = {
  codeHash: valueReading(hashAt(1)),
  implementation: absent,
  admin: unanswered("timeout"),
  beacon: absent,
  paused: valueReading(false),
};

function answerAt(address: Hex, blockNumber: number): PublishedAnswer {
  const id = `${address.slice(2, 10)}${blockNumber}`.padStart(64, "0");
  return {
    artifact: {
      artifactId: `sha256:${id}`,
      capabilityId: "contract.change",
      capabilityVersion: "1.0.0",
      inputHash: id,
      input: { address },
      verdict: "review",
      block: { number: blockNumber, hash: hashAt(blockNumber), timestamp: blockNumber },
      validUntilBlock: blockNumber,
      freshUntilMs: Date.now(),
    },
    fingerprint: null,
    observation: { address, fields: FIELDS },
  };
}

describe("what settled calls leave", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());

  const store = (address: Hex, ...blocks: number[]) =>
    Promise.all(blocks.map((block) => storeAnsweredCall(database, answerAt(address, block))));
  const count = async (table: "observations" | "contract_baselines", address: Hex) =>
    (await database.query({ text: `SELECT FROM ${table} WHERE address = $1`, values: [address] })).length;

  test("an address nobody paid for has no past", async () => {
    const address = addressOf("a");
    await store(address, 5);
    expect(await findEarlierObservations(database, address, 9)).toEqual({ previous: null, baseline: null });
  });

  test("the previous one is the newest at or below the block, the baseline the first that settled", async () => {
    const address = addressOf("b");
    for (const call of await store(address, 10, 20, 30)) await settleAnsweredCalls(database, [call]);
    const blocksAt = async (block: number) => {
      const { previous, baseline } = await findEarlierObservations(database, address, block);
      return [previous?.blockNumber, baseline?.blockNumber];
    };
    // Asked together, as concurrent calls are.
    expect(await Promise.all([9, 10, 19, 20, 99].map(blocksAt))).toEqual([
      [undefined, undefined],
      [10, 10],
      [10, 10],
      [20, 10],
      [30, 10],
    ]);
    const { previous } = await findEarlierObservations(database, address, 20);
    expect(previous).toEqual({
      blockNumber: 20,
      blockHash: hashAt(20),
      artifactId: answerAt(address, 20).artifact.artifactId,
      fields: FIELDS,
    });
  });

  test("a call that read an older block and settled later moves no baseline", async () => {
    const address = addressOf("c");
    for (const call of await store(address, 20, 10)) await settleAnsweredCalls(database, [call]);
    const { previous, baseline } = await findEarlierObservations(database, address, 15);
    expect([previous?.blockNumber, baseline]).toEqual([10, null]);
    expect((await findEarlierObservations(database, address, 20)).baseline?.blockNumber).toBe(20);
  });

  test("of first calls that settle at once, in ten transactions, one makes the baseline", async () => {
    const address = addressOf("d");
    const calls = await store(address, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20);
    await Promise.all(calls.map((call) => settleAnsweredCalls(database, [call])));
    expect(await count("contract_baselines", address)).toBe(1);
    expect(await count("observations", address)).toBe(10);
  });

  test("of first calls that settle in one transaction the oldest makes the baseline", async () => {
    const address = addressOf("e");
    await settleAnsweredCalls(database, await store(address, 13, 11, 12, 11));
    expect(await count("contract_baselines", address)).toBe(1);
    expect(await count("observations", address)).toBe(3);
    expect((await findEarlierObservations(database, address, 99)).baseline?.blockNumber).toBe(11);
  });
});

describe("paid calls", () => {
  const key = { SERVICE_SIGNING_KEY: `0x${"5".repeat(64)}` };
  const service = useTestService(key);
  let neighbour: Neighbour;
  beforeAll(async () => {
    // Settles with a key of its own.
    const SETTLER_PRIVATE_KEY = service.chainOf.deployer.privateKey;
    neighbour = await startNeighbour(service, { ...key, SETTLER_PRIVATE_KEY });
  }, 60_000);
  afterAll(() => neighbour?.stop());

  const urlOf = (address: string) => service.invokeUrl("contract.change", { address });
  const offerOf = (address: string) => service.priceNow(urlOf(address));
  const rowsOf = (table: "observations" | "contract_baselines", address: string) =>
    service.db.query<{ block_number: bigint; artifact_id?: string }>({
      text: `SELECT * FROM ${table} WHERE address = $1 ORDER BY block_number`,
      values: [address.toLowerCase()],
    });
  const buy = (address: string, name: string) => service.buy(urlOf(address), name);
  /** Lets the window of an answer pass. */
  async function outlive({ result }: Awaited<ReturnType<typeof buy>>, address: string): Promise<void> {
    await service.chainOf.mine(result.validUntilBlock - result.computedAtBlock + 1);
    await until(async () => ((await offerOf(address)) === 20_000n ? true : undefined));
  }

  test("first a baseline, a hit inside its window, then a comparison, at the listed prices", async () => {
    const { uupsProxy, uupsBoxV1, uupsBoxV2 } = service.chainOf.contracts;
    const first = await buy(uupsProxy, "alice");
    expect(first).toMatchObject({
      verdict: "review",
      result: { reasonCodes: ["BASELINE_CREATED"], evidence: { findings: { isBaseline: true } } },
      pricing: { quotedCacheStatus: "miss", actualCacheStatus: "miss", pricePaidUsd: 0.02 },
      nextCall: { watch: null },
    });
    const hit = await buy(uupsProxy, "bob");
    expect(hit.pricing).toMatchObject({ actualCacheStatus: "hit", pricePaidUsd: 0.01 });
    expect(hit.evidenceReference.artifactId).toBe(first.evidenceReference.artifactId);
    expect(await rowsOf("observations", uupsProxy)).toHaveLength(1);

    await outlive(first, uupsProxy);
    // Another wallet's observation counts.
    const unchanged = await buy(uupsProxy, "carol");
    expect(unchanged).toMatchObject({
      verdict: "allow",
      result: {
        reasonCodes: ["UNCHANGED"],
        evidence: {
          findings: {
            changed: false,
            beforeBlock: first.result.computedAtBlock,
            beforeArtifactId: first.evidenceReference.artifactId,
          },
        },
      },
      pricing: { quotedCacheStatus: "partial", actualCacheStatus: "partial", pricePaidUsd: 0.02 },
    });

    await upgrade(uupsProxy, uupsBoxV2);
    await outlive(unchanged, uupsProxy);
    const changed = await buy(uupsProxy, "alice");
    expect(changed).toMatchObject({
      verdict: "review",
      result: {
        reasonCodes: ["IMPLEMENTATION_CHANGED"],
        evidence: {
          findings: {
            changed: true,
            beforeBlock: unchanged.result.computedAtBlock,
            afterBlock: changed.result.computedAtBlock,
            fields: { implementation: { before: uupsBoxV1.toLowerCase(), after: uupsBoxV2.toLowerCase() } },
            sinceBaseline: {
              block: first.result.computedAtBlock,
              changedFields: ["implementation", "delegates"],
            },
          },
        },
      },
    });
    const kept = await rowsOf("observations", uupsProxy);
    const answers = [first, unchanged, changed];
    expect(kept.map((row) => row.artifact_id)).toEqual(
      answers.map(({ evidenceReference }) => evidenceReference.artifactId),
    );
    expect(await rowsOf("contract_baselines", uupsProxy)).toMatchObject([
      { block_number: BigInt(first.result.computedAtBlock) },
    ]);
    // The rule alone reaches the same findings from what is recorded.
    const { readings, findings } = changed.result.evidence;
    const again = evaluateContractChange(
      { address: uupsProxy.toLowerCase() as Hex },
      contractChangeReadingsSchema.parse(readings),
    );
    expect(again.findings).toEqual(findings);
  }, 60_000);

  test("ten wallets that ask two processes first at once make one baseline", async () => {
    const { erc721 } = service.chainOf.contracts;
    const urls = [service, neighbour].map(({ url }) => urlOf(erc721).replace(service.url, url));
    const payments = await Promise.all(
      service.chainOf.accounts.map(async ({ name }, index) => {
        const url = urls[index % 2] as string;
        return { url, payment: await signPayment(accountOf(service, name), await fetchChallenge(url)) };
      }),
    );
    expect(payments).toHaveLength(10);
    const responses = await Promise.all(payments.map(({ url, payment }) => send(url, payment)));
    expect(responses.map(({ status }) => status)).toEqual(payments.map(() => 200));
    expect(await rowsOf("contract_baselines", erc721)).toHaveLength(1);
    expect((await rowsOf("observations", erc721)).length).toBeGreaterThan(0);
  }, 60_000);

  test("a payment that cannot settle leaves no observation", async () => {
    const { erc1155 } = service.chainOf.contracts;
    const { response } = await pay(urlOf(erc1155), privateKeyToAccount(generatePrivateKey()));
    expect(response.status).toBe(402);
    expect(await rowsOf("observations", erc1155)).toEqual([]);
    expect((await buy(erc1155, "dave")).result.reasonCodes).toContain("BASELINE_CREATED");
    expect(await rowsOf("observations", erc1155)).toHaveLength(1);
  });

  async function upgrade(proxy: string, implementation: Hex): Promise<void> {
    const { chainOf } = service;
    const from = chainOf.deployer.address;
    const data = encodeFunctionData({
      abi: parseAbi(["function upgradeToAndCall(address implementation, bytes data)"]),
      args: [implementation, "0x"],
    });
    await chainOf.request("hardhat_impersonateAccount", [from]);
    await chainOf.request("eth_sendTransaction", [{ from, to: proxy, data }]);
  }
});
