import { getCapability } from "@assay/capabilities";
import { transactionIntentGuard } from "@assay/capabilities/transaction.intent.guard/capability";
import { createChain } from "@assay/chain";
import { devnetChain } from "@assay/chain/testing/devnetChain";
import { type ProfiledNode, startProfiledNode } from "@assay/chain/testing/profiledNode";
import type { ProviderProfile } from "@assay/chain/testing/providerProfile";
import { getProfile } from "@assay/chain/testing/providerProfiles";
import { until } from "@assay/chain/testing/until";
import { openSharedDevnet } from "@assay/devnet/testing/sharedDevnet";
import { capabilityResultSchema, type Hex } from "@assay/protocol";
import { encodeFunctionData, erc20Abi } from "viem";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { publishLine } from "../../src/obligations/testing/publishLine.js";
import { accountOf, asPost, balanceOf, buyAnswer, pay, send } from "../payer.js";
import { startTestService, type TestService } from "../startTestService.js";
import { type Asked, sampleQuestions } from "./testing/sampleQuestions.js";
import { sendDollars } from "./testing/sendDollars.js";

const EVERYTHING = process.env.ASSAY_EVERY_PROFILE !== undefined;
/** `npm run campaign:nodes` watches an idle service for a minute; the suite for two seconds. */
const IDLE_MS = EVERYTHING ? 60_000 : 2_000;
/** As on Base. */
const BLOCK_TIME_MS = 200;

let node: ProfiledNode;
let service: TestService;
beforeAll(async () => {
  const devnet = await openSharedDevnet({ blockTimeMs: BLOCK_TIME_MS });
  node = await startProfiledNode(devnetChain(devnet), getProfile("full node"));
  service = await startTestService({ RPC_URL: node.url, RATE_LIMITS: "off" }, undefined, devnet);
}, 120_000);
afterAll(async () => {
  await service?.stop();
  await node?.close();
});

const countCalls = () => [...node.calls.values()].reduce((sum, calls) => sum + calls, 0);
const sleep = (ms: number) => new Promise((resume) => setTimeout(resume, ms));
const urlOf = (sample: "plainToken" | "upgradeableProxy") =>
  `${service.url}/api/v1/capabilities/contract.guard/invoke?address=${service.chainOf.contracts[sample]}`;

describe("what a service asks of its node", { timeout: 200_000 }, () => {
  test("idle at 200 ms blocks: at most 80 requests a minute", async () => {
    // Nobody has asked for a while, and the head is polled accordingly from its next poll on.
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + 6_000);
    // What was under way may take a while on a busy machine, so the first quiet stretch counts.
    const perMinute = await until(async () => {
      const [before, beganMs] = [countCalls(), now()];
      await sleep(IDLE_MS);
      const asked = ((countCalls() - before) * 60_000) / (now() - beganMs);
      // In two seconds, one more or less is thirty in a minute.
      return asked <= 80 + (EVERYTHING ? 0 : 30) ? asked : undefined;
    }, 5 * IDLE_MS);
    clock.mockRestore();
    if (EVERYTHING) console.log(`idle: ${perMinute} requests a minute`);
  });

  test("a miss of contract.guard: at most 15 requests for the answer itself", async () => {
    // After the first one it is known that the node gives proofs, which contain the slots.
    await pay(urlOf("upgradeableProxy"), accountOf(service, "alice"));
    const before = new Map(node.calls);
    const { response } = await pay(urlOf("plainToken"), accountOf(service, "alice"));
    expect(response.status).toBe(200);
    const asked = [...node.calls].map(
      ([method, calls]) => [method, calls - (before.get(method) ?? 0)] as const,
    );
    if (EVERYTHING) console.log("contract.guard, a miss:", JSON.stringify(Object.fromEntries(asked)));
    const answering = ["eth_getCode", "eth_getProof", "eth_getStorageAt", "eth_getBlockByHash", "eth_call"];
    const spent = asked
      .filter(([method]) => answering.includes(method))
      .reduce((sum, [, calls]) => sum + calls, 0);
    expect(spent).toBeLessThanOrEqual(15);
  });
});

interface Requests {
  /** What a call asked its node for once, at 200 ms blocks, polls of the head included. */
  readonly former: number;
  /** What it may ask for now, without polls of head and receipt: how many those are depends on the machine. */
  readonly most: number;
}
const REQUESTS = {
  "contract.guard": { former: 25, most: 11 },
  "transaction.intent.guard": { former: 25, most: 16 },
  "amm.swap.guard": { former: 22, most: 16 },
  "lending.collateral.guard": { former: 32, most: 27 },
  "rwa.market.guard": { former: 52, most: 20 },
  "chain.snapshot": { former: 9, most: 4 },
  "token.launch.guard": { former: 25, most: 25 },
  "obligation.verdict": { former: 13, most: 8 },
} satisfies Partial<Record<Asked | "obligation.verdict", Requests>>;
type Counted = keyof typeof REQUESTS;

/** Blocks that are read by their number for the answer itself. */
const OWN_HEADERS: Partial<Record<Counted, number>> = { "obligation.verdict": 2 };

describe.runIf(EVERYTHING)("what each call asks of its node", { timeout: 200_000 }, () => {
  test("is printed, and no more than stated: requests of a miss and of the same call again", async () => {
    const question = sampleQuestions(service, await sendDollars(service));
    /** For the head and the payment's receipt, and for the usual tip, which is remembered for a while: how many depends on time. */
    const isPoll = (method: string) =>
      /^eth_(getBlockByNumber|getTransactionReceipt|maxPriorityFeePerGas)$/.test(method);
    const proxy = service.chainOf.contracts.upgradeableProxy.toLowerCase() as Hex;
    const toBlock = Number(await service.chainOf.request<Hex>("eth_blockNumber"));
    const window = { fromBlock: toBlock - 20, toBlock };
    let obligationId = await publishLine(service, proxy, window);
    const inputOf = (id: Counted): unknown => {
      if (id === "obligation.verdict") return { obligationId };
      // What was sold before this would be a hit.
      return id === "contract.guard"
        ? { address: service.chainOf.contracts.pausableToken }
        : question(id).input;
    };
    const countBuying = async (id: Counted) => {
      const input = inputOf(id) as Record<string, string>;
      const { method } = getCapability(id);
      const query = new URLSearchParams(input);
      const url = `${service.url}/api/v1/capabilities/${id}/invoke${method === "GET" ? `?${query}` : ""}`;
      const before = new Map(node.calls);
      await buyAnswer(url, accountOf(service, "alice"), method === "GET" ? {} : asPost(input));
      const asked = [...node.calls].map(([name, calls]) => [name, calls - (before.get(name) ?? 0)] as const);
      const sum = (isCounted: (name: string) => boolean) =>
        asked.filter(([name]) => isCounted(name)).reduce((total, [, calls]) => total + calls, 0);
      if (process.env.SHOW_REQUESTS) console.log(id, JSON.stringify(Object.fromEntries(asked)));
      return { all: sum(() => true), polls: sum(isPoll) - (OWN_HEADERS[id] ?? 0) };
    };
    // Afterwards it is known that the node gives proofs, and which number the settler has.
    await buyAnswer(urlOf("upgradeableProxy"), accountOf(service, "alice"));
    for (const id of Object.keys(REQUESTS) as Counted[]) {
      const [miss, again] = [await countBuying(id), await countBuying(id)];
      console.log(
        `${id}: ${REQUESTS[id].former} requests before, ${miss.all} now (${miss.polls} of them polls), ${again.all} (${again.polls}) for the same again`,
      );
      const asked = miss.all - miss.polls;
      expect([id, asked, asked <= REQUESTS[id].most]).toEqual([id, asked, true]);
    }
    // What its publisher read is not in the memory of another process.
    const elsewhere = await createChain({ rpcUrls: [service.chainOf.rpcUrl], expectedChainId: 8453 });
    const context = { ...service.context, chain: elsewhere };
    const unread = { fromBlock: toBlock - 40, toBlock: toBlock - 30 };
    obligationId = await publishLine({ context }, proxy, unread).finally(() => elsewhere.close());
    const { all, polls } = await countBuying("obligation.verdict");
    console.log(`obligation.verdict, its blocks not in memory: ${all} (${polls} of them polls)`);
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    console.log(metrics.match(/^assay_(margin_usd|settlement_cost_usd_total)\{.*$/gm)?.join("\n"));
  });
});

const intentUrl = () => `${service.url}/api/v1/capabilities/transaction.intent.guard/invoke`;
/** Carol, who pays for nothing else, sends so much to judy. */
const intentCall = (amount: bigint): RequestInit =>
  asPost({
    from: accountOf(service, "carol").address,
    to: service.chainOf.contracts.stablecoin,
    data: encodeFunctionData({
      abi: erc20Abi,
      functionName: "transfer",
      args: [accountOf(service, "judy").address, amount],
    }),
    value: "0",
  });
const readReasons = (body: string) => capabilityResultSchema.parse(JSON.parse(body)).result.reasonCodes;
const getLimit = (name: string) => getProfile(name).limit as NonNullable<ProviderProfile["limit"]>;

describe("eight callers at once behind a provider that is asked too often", { timeout: 200_000 }, () => {
  /** Requests a second over all methods together: too few for any answer, or enough for some. */
  const throttles: [string, ProviderProfile["limit"]][] = [
    ["credits, for calls of a batch", { ...getLimit("throttled: credits"), perSecond: 12 }],
    ["HTTP 429", { ...getLimit("throttled: 429 with Retry-After"), perSecond: 60 }],
    ["an error for the whole request", { ...getLimit("throttled: compute units"), perSecond: 20 }],
    ["words alone", { ...getLimit("throttled: in words"), perSecond: 90 }],
  ];
  const inSuite = !EVERYTHING ? throttles.slice(0, 2) : throttles;

  test.each(inSuite)("%s: each gets a whole answer, or is not charged", async (name, limit) => {
    const payer = accountOf(service, "bob");
    const calls = Array.from({ length: 8 }, (_, i) => intentCall(1_000_000n + BigInt(i)));
    const full = await until(async () => {
      const { response } = await pay(intentUrl(), accountOf(service, "alice"), calls[0]);
      return response.status === 200 ? readReasons(await response.text()) : undefined;
    });
    const before = await balanceOf(service, payer.address);
    node.profile = { name, ...(limit && { limit }) };
    const answers = await Promise.all(calls.map((call) => pay(intentUrl(), payer, call)));
    node.profile = getProfile("full node");
    const bodies = await Promise.all(
      answers.map(async ({ payment, response }, i) => {
        const body = await response.text();
        if (response.status === 200) return body;
        expect([response.status, Number(response.headers.get("retry-after")) > 0]).toEqual([503, true]);
        if (!body.includes("payment_outcome_unknown")) return undefined;
        // Found on the chain once the node answers again.
        return until(async () => {
          const reply = await send(intentUrl(), payment, calls[i]);
          return reply.status === 200 ? reply.text() : undefined;
        });
      }),
    );
    const sold = bodies.filter((body) => body !== undefined);
    for (const body of sold) expect(readReasons(body)).toEqual(full);
    const { missMicroUsd } = transactionIntentGuard.prices;
    expect(before - (await balanceOf(service, payer.address))).toBe(BigInt(sold.length) * missMicroUsd);
    if (EVERYTHING)
      console.log(`eight guards at once, ${name}: ${sold.length} sold whole, ${8 - sold.length} free`);
  });
});
