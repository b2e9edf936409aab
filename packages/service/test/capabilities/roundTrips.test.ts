import { readFileSync } from "node:fs";
import { type CapabilityId, type CapabilityInput, getCapability } from "@assay/capabilities";
import { samplePool } from "@assay/capabilities/amm.v4.hook.guard/testing/samplePool";
import { loadServed } from "@assay/capabilities/served";
import { knownSlots } from "@assay/capabilities/shared/proxies/knownSlots";
import { createLauncher } from "@assay/capabilities/testing/createLauncher";
import type { Chain } from "@assay/chain";
import { createChain } from "@assay/chain";
import type { FaultyNode } from "@assay/chain/testing/faultyNode";
import { until } from "@assay/chain/testing/until";
import { capabilityResultSchema, type Hex, inputHashOf } from "@assay/protocol";
import { erc20Abi, zeroAddress } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answerCapability } from "../../src/evidence/answer.js";
import { accountOf, pay } from "../payer.js";
import { type ServiceBehindNode, startServiceBehindNode } from "../startServiceBehindNode.js";
import { sampleQuestions } from "./testing/sampleQuestions.js";
import { sendDollars } from "./testing/sendDollars.js";

interface Cost {
  readonly status: string;
  /** One after another: for the newest block, and for reads at it. What travels at the same time counts once. */
  readonly roundTrips: number;
  /** JSON-RPC calls in the requests for reads. */
  readonly calls: number;
}
/** A row of the table; undefined is what does not occur. */
interface Counted {
  readonly id: string;
  readonly sample: string | null;
  readonly miss?: number;
  readonly partial?: number;
  readonly hit?: number;
}
type Sample = keyof ServiceBehindNode["service"]["chainOf"]["contracts"];

const TARGET = "0x00000000000000000000000000000000000ca11e";
const OTHER_TARGET = "0x00000000000000000000000000000000000ca11f";

let world: ServiceBehindNode;
let node: FaultyNode;
let chain: Chain;
/** When each HTTP request for reads, and each question for the newest block, began and ended, by this process's clock. */
const sent: { readonly fromMs: number; readonly toMs: number }[] = [];
const table: Counted[] = [];

beforeAll(async () => {
  // What is read ahead waits for its program, which a process loads once.
  await loadServed(getCapability("token.launch.guard"));
  world = await startServiceBehindNode();
  // A node and a client of their own: the payments and the polls of the service are not seen here.
  node = await world.openNode();
  const counted = await createChain({
    rpcUrls: [node.url],
    expectedChainId: 8453,
    // On a busy machine a slow answer must not become none.
    requestTimeoutMs: 15_000,
    onRequest({ methods, ms }) {
      const toMs = performance.now();
      if (methods.some((method) => method !== "eth_getBlockByNumber")) sent.push({ fromMs: toMs - ms, toMs });
    },
  });
  chain = {
    ...counted,
    // Polls of the head look the same on the wire, so what is asked for here is counted here.
    async latestBlock() {
      const fromMs = performance.now();
      const block = await counted.latestBlock();
      sent.push({ fromMs, toMs: performance.now() });
      return block;
    },
  };
}, 60_000);
afterAll(async () => {
  if (process.env.SHOW_ROUND_TRIPS) console.table(table);
  await chain?.close();
  await world?.stop();
});

const inputOf = (sample: Sample | null) =>
  (sample === null
    ? {}
    : { address: world.service.chainOf.contracts[sample].toLowerCase() }) as CapabilityInput;
const answer = (id: string, input: CapabilityInput) =>
  answerCapability({ ...world.service.context, chain }, getCapability(id as CapabilityId), input);

/** What `ask` costs at a block that nothing was read at yet. */
async function measure(ask: () => Promise<{ actualStatus: string }[]>): Promise<Cost> {
  await world.service.chainOf.mine();
  await chain.latestBlock();
  // What is read ahead is read at a block before that of the answer.
  await world.service.chainOf.mine();
  node.requests.length = 0;
  sent.length = 0;
  const answers = await ask();
  return {
    status: answers[0]?.actualStatus ?? "none",
    roundTrips: countSuccessive(),
    calls: node.requests.flat().length,
  };
}

/** The most requests of which each began after the one before it had been answered. */
function countSuccessive(): number {
  let endedMs = Number.NEGATIVE_INFINITY;
  let count = 0;
  for (const { fromMs, toMs } of sent.toSorted((a, b) => a.toMs - b.toMs)) {
    if (fromMs < endedMs) continue;
    endedMs = toMs;
    count += 1;
  }
  return count;
}
const measureOne = (id: string, input: CapabilityInput) => measure(async () => [await answer(id, input)]);

/** Buys it, so that the answer and what outlives it become public. */
async function buy(id: string, input: CapabilityInput): Promise<string> {
  // A field that is null is left out of a query.
  const query = new URLSearchParams(Object.entries(input).filter(([, value]) => value !== null));
  const url = `${world.service.url}/api/v1/capabilities/${id}/invoke?${query}`;
  const { response } = await pay(url, accountOf(world.service, "alice"));
  expect(response.status).toBe(200);
  return capabilityResultSchema.parse(await response.json()).evidenceReference.artifactId;
}

/** The process hears of a settled answer through the database. */
async function awaitNews(id: string, input: CapabilityInput): Promise<void> {
  const { freshness } = world.service.context;
  const inputHash = inputHashOf(id, getCapability(id as CapabilityId).version, input);
  await until(async () => {
    const { number } = await chain.latestBlock();
    return freshness.hasAnswer(inputHash, number) || undefined;
  });
}
const endWindow = (artifactId: string) =>
  world.service.db.query({
    text: "UPDATE artifacts SET fresh_until = now() - interval '1 second' WHERE artifact_id = $1",
    values: [artifactId],
  });

/** A miss and what is left when it is over cost as many, and what is shared costs none. */
async function expectCounts(
  id: string,
  sample: Sample | null,
  input: CapabilityInput,
  roundTrips: number,
  second: "partial" | "miss",
): Promise<void> {
  const miss = await measureOne(id, input);
  const artifactId = await buy(id, input);
  await awaitNews(id, input);
  const hit = await measureOne(id, input);
  await endWindow(artifactId);
  const partial = await measureOne(id, input);
  table.push({
    ...{ id, sample, miss: miss.roundTrips, hit: hit.roundTrips },
    ...(second === "partial" && { partial: partial.roundTrips }),
  });

  expect(miss.roundTrips).toBe(roundTrips);
  expect(hit).toEqual({ status: "hit", roundTrips: 0, calls: 0 });
  expect(partial).toMatchObject({ status: second, roundTrips });
}

describe("round trips to the chain", () => {
  test.each<[id: string, sample: Sample | null, roundTrips: number, second: "partial" | "miss"]>([
    ["contract.guard", "plainToken", 2, "partial"],
    ["contract.guard", "taxedToken", 3, "partial"],
    ["contract.guard", "transparentProxy", 3, "partial"],
    ["contract.guard", "beaconProxy", 3, "partial"],
    ["contract.change", "freshToken", 2, "partial"],
    ["contract.change", "eip1822Proxy", 2, "partial"],
    ["contract.change", "beaconProxy", 3, "partial"],
    ["contract.interface", "bytes32Token", 2, "partial"],
    ["contract.interface", "uupsProxy", 3, "partial"],
    ["token.metadata", "honeypotToken", 2, "partial"],
    ["token.launch.guard", "freshToken", 3, "partial"],
    ["token.launch.guard", "upgradeableProxy", 3, "partial"],
    ["rwa.market.guard", "permissionedToken", 3, "partial"],
    ["rwa.market.guard", "upgradeableProxy", 3, "partial"],
    ["rwa.market.guard", "boxV2", 2, "partial"],
    ["chain.snapshot", null, 2, "miss"],
  ])("%s of %s: %i when computed, none when shared", async (id, sample, roundTrips, second) => {
    const input = getCapability(id as CapabilityId).input.parse(inputOf(sample)) as CapabilityInput;
    await expectCounts(id, sample, input, roundTrips, second);
  });

  test("token.launch.guard of a clone with a pool: three, because the code behind it comes with the pools", async () => {
    const { honeypotToken } = world.service.chainOf.contracts;
    const { request } = world.service.chainOf;
    await request("hardhat_setCode", [TARGET, await request<Hex>("eth_getCode", [honeypotToken, "latest"])]);
    const clone = `0x363d3d373d3d3d363d73${TARGET.slice(2)}5af43d82803e903d91602b57fd5bf3`;
    await request("hardhat_setCode", [honeypotToken, clone]);
    // What is shared and what is left when it is over is counted above.
    const { roundTrips } = await measureOne("token.launch.guard", inputOf("honeypotToken"));
    expect(roundTrips).toBe(3);
  });

  test("token.launch.guard of an upgradeable proxy with a pool: three, because its storage names the code in the first call", async () => {
    const { taxedToken, uupsProxy } = world.service.chainOf.contracts;
    const { request } = world.service.chainOf;
    await request("hardhat_setCode", [
      OTHER_TARGET,
      await request<Hex>("eth_getCode", [taxedToken, "latest"]),
    ]);
    await request("hardhat_setCode", [taxedToken, await request<Hex>("eth_getCode", [uupsProxy, "latest"])]);
    const word = `0x${OTHER_TARGET.slice(2).padStart(64, "0")}`;
    await request("hardhat_setStorageAt", [taxedToken, knownSlots.eip1967Implementation, word]);
    const { roundTrips } = await measureOne("token.launch.guard", inputOf("taxedToken"));
    expect(roundTrips).toBe(3);
  });

  test("token.launch.guard of a token whose liquidity a contract keeps: three, because events that name the contract are read beside the newest block", async () => {
    const { contracts } = world.service.chainOf;
    const pair = contracts.uniswapV2PairPlainWeth;
    await createLauncher(world.service.chainOf).call(pair, erc20Abi, "transfer", [
      contracts.boxV2,
      10n ** 21n,
    ]);
    await expectCounts("token.launch.guard", "plainToken", inputOf("plainToken"), 3, "partial");
  });

  test.each<[sample: Sample, roundTrips: number]>([
    ["predictionMarket", 3],
    ["conditionalTokens", 2],
  ])("prediction.evidence of %s: %i when computed, none when shared", async (sample, roundTrips) => {
    const market = world.service.chainOf.contracts[sample].toLowerCase();
    const input = { question: "Will it rain?", market } as CapabilityInput;
    const miss = await measureOne("prediction.evidence", input);
    await buy("prediction.evidence", input);
    await awaitNews("prediction.evidence", input);
    const hit = await measureOne("prediction.evidence", input);
    table.push({ id: "prediction.evidence", sample, miss: miss.roundTrips, hit: hit.roundTrips });
    expect(miss).toMatchObject({ status: "miss", roundTrips });
    expect(hit).toEqual({ status: "hit", roundTrips: 0, calls: 0 });
  });

  test.each<[hook: Sample | null, roundTrips: number]>([
    [null, 2],
    ["v4FeeHook", 2],
    ["v4UpgradeableHook", 3],
  ])("amm.v4.hook.guard of a pool with %s: %i when computed, none when shared", async (hook, roundTrips) => {
    const { contracts } = world.service.chainOf;
    const input = samplePool(contracts, hook === null ? zeroAddress : contracts[hook]);
    const miss = await measureOne("amm.v4.hook.guard", input);
    await buy("amm.v4.hook.guard", input);
    await awaitNews("amm.v4.hook.guard", input);
    const hit = await measureOne("amm.v4.hook.guard", input);
    table.push({ id: "amm.v4.hook.guard", sample: hook, miss: miss.roundTrips, hit: hit.roundTrips });
    expect(miss).toMatchObject({ status: "miss", roundTrips });
    expect(hit).toEqual({ status: "hit", roundTrips: 0, calls: 0 });
  });

  test("trade.execution.notarize: four, each of which needs the one before", async () => {
    const input = { txHash: await sendDollars(world.service) } as CapabilityInput;
    const miss = await measureOne("trade.execution.notarize", input);
    const artifactId = await buy("trade.execution.notarize", input);
    await awaitNews("trade.execution.notarize", input);
    const hit = await measureOne("trade.execution.notarize", input);
    await endWindow(artifactId);
    const id = "trade.execution.notarize";
    table.push({ id, sample: "a transfer", miss: miss.roundTrips, hit: hit.roundTrips });
    expect(miss).toMatchObject({ status: "miss", roundTrips: 4 });
    expect(hit).toEqual({ status: "hit", roundTrips: 0, calls: 0 });
    // Balances at a block are remembered.
    expect(await measureOne(id, input)).toMatchObject({ roundTrips: 3 });
  });

  test("evidence.artifact: one to name the block, the source's own when it is computed again", async () => {
    const source = await buy("contract.guard", inputOf("pausableToken"));
    const input = { artifactId: source } as CapabilityInput;
    const live = await measureOne("evidence.artifact", input);
    await endWindow(source);
    const ended = await measureOne("evidence.artifact", input);
    table.push({ id: "evidence.artifact", sample: "live", hit: live.roundTrips });
    expect(live).toEqual({ status: "hit", roundTrips: 1, calls: 0 });
    expect(ended).toMatchObject({ status: "miss", roundTrips: 3 });
  });
});

describe("round trips of a private guard", () => {
  const ask = (input: Record<string, string>) =>
    measureOne("lending.collateral.guard", input as CapabilityInput);

  test("lending.collateral.guard: the block, the market, and what the market names", async () => {
    const { input } = sampleQuestions(world.service, "0x")("lending.collateral.guard");
    const question = input as Record<string, string>;
    const market = await ask(question);
    // Where there is no such market, there is nothing to follow.
    const none = await ask({ ...question, marketId: `0x${"ab".repeat(32)}` });
    const id = "lending.collateral.guard";
    table.push({ id, sample: "lendingMarket", miss: market.roundTrips });
    table.push({ id, sample: null, miss: none.roundTrips });
    expect([market.roundTrips, none.roundTrips]).toEqual([3, 2]);
  });
});

test("docs/chain-reads.md states what was counted above, and nothing else", () => {
  const page = readFileSync(new URL("../../../../docs/chain-reads.md", import.meta.url), "utf8");
  const [section = ""] = page.split("\n## ");
  const rows = section.split("\n").filter((line) => /^\| [a-z0-9.]+\.[a-z]+ \|/.test(line));
  const stated = rows.map((row) => row.split("|").map((cell) => cell.trim()));
  // The other row of evidence.artifact is in words.
  const numbered = stated.filter(([, id, of]) => id !== "evidence.artifact" || of === "live");
  const count = (roundTrips: number | undefined) => roundTrips ?? "does not occur";
  const counted = table.map(({ id, miss, partial, hit }) => [id, count(miss), count(partial), count(hit)]);
  expect(numbered.map(([, id, , ...counts]) => [id, ...counts.slice(0, 3)].join(" ")).sort()).toEqual(
    [...new Set(counted.map((row) => row.join(" ")))].sort(),
  );
});

describe("twenty callers who miss at once", () => {
  test.each<[string, Sample | null]>([
    ["contract.guard", "legacyProxy"],
    ["contract.change", "legacyProxy"],
    ["contract.interface", "legacyProxy"],
    ["token.metadata", "erc1155"],
    ["chain.snapshot", null],
  ])("%s of %s: read the chain as one does", async (id, sample) => {
    const input = inputOf(sample);
    await endAll(id, input);
    const one = await measureOne(id, input);
    const twenty = await measure(() => Promise.all(Array.from({ length: 20 }, () => answer(id, input))));
    expect(one.calls).toBeGreaterThan(0);
    expect(twenty).toEqual(one);
  });

  test("share a pack of calls if they ask about different addresses", async () => {
    const inputs = [inputOf("erc721"), inputOf("erc1155")];
    const costs = [];
    for (const input of inputs) costs.push((await measureOne("token.metadata", input)).calls);
    const both = await measure(() => Promise.all(inputs.map((input) => answer("token.metadata", input))));
    // Code and proof of each address, and the calls of both.
    expect(both.calls).toBe(2 * 2 + 1);
    expect(both.calls).toBeLessThan(costs.reduce((sum, calls) => sum + calls, 0));
  });
});

/** Ends the window of everything bought before. */
async function endAll(id: string, input: CapabilityInput): Promise<void> {
  await world.service.db.query({
    text: "UPDATE artifacts SET fresh_until = now() - interval '1 second' WHERE input_hash = $1",
    values: [inputHashOf(id, getCapability(id as CapabilityId).version, input)],
  });
}
