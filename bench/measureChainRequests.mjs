import { setTimeout as sleep } from "node:timers/promises";
import { getPayerAccount, stablecoin } from "./benchAccounts.mjs";
import { createPayer } from "./createPayer.mjs";
import { sequentialDepth } from "./sequentialDepth.mjs";
import { median, tally } from "./statistics.mjs";
import { sellsHits, subjectNames } from "./subjects.mjs";
import { withStage } from "./withStage.mjs";

const delayMs = 25;
const pauseMs = 500;

/**
 * The requests that a paid call sends to the chain, and how many of them wait for each other, from the intervals that the
 * chain recorded during the call.
 *
 * A subject also sends requests without a call: Assay follows the head, with the same request that a call may send. A
 * request does not show why it was sent, so none is left out: the depth counts everything during the call, polls
 * included, and can only be too high. The number of polls to expect is measured in the pauses between the same calls, at
 * the same block rate, and reported with it.
 */
export function measureChainRequests({ isQuick, progress }) {
  const calls = isQuick ? 4 : 12;
  const proxies = 2 + 2 * subjectNames.length * (calls + 4);
  return withStage({ names: subjectNames, proxies }, async ({ chain, subjects, takeProxy }) => {
    await chain.setDelay(delayMs);
    const results = {};
    for (const subject of subjects) {
      progress(`${subject.name}, ${calls} calls one by one`);
      results[subject.name] = await observe(chain, subject, calls, takeProxy, "miss");
      if (!sellsHits(subject.name)) continue;
      const address = takeProxy();
      results[`${subject.name}Hit`] = await observe(chain, subject, calls, () => address, "hit");
    }
    return results;
  });
}

async function observe(chain, subject, calls, getAddress, wanted) {
  const payer = createPayer(payerIndex);
  for (let warmUp = 0; warmUp < 3; warmUp += 1) await payer.pay(subject.getUrl(getAddress()));
  const seen = [];
  const idle = [];
  for (let call = 0; call < calls; call += 1) {
    await chain.startRecording(subject.name);
    await sleep(pauseMs);
    idle.push(...(await chain.stopRecording()));
    const address = getAddress();
    await chain.startRecording(subject.name);
    const outcome = await payer.pay(subject.getUrl(address));
    const requests = await chain.stopRecording();
    if (!outcome.isPaid) throw new Error(`${subject.name}: a paid call failed: ${outcome.reason}`);
    if ((outcome.cacheStatus ?? wanted) === wanted) seen.push({ ...outcome, requests });
  }
  const depths = seen.map(({ requests }) => sequentialDepth(requests));
  const kinds = seen.map(({ requests }) => tally(requests.flatMap((request) => request.calls.map(kindOf))));
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const pollsPerSecond = (idle.length * 1000) / (calls * pauseMs);
  return {
    calls,
    counted: seen.length,
    depth: median(depths),
    depthMin: Math.min(...depths),
    depthMax: Math.max(...depths),
    requestsPerCall: mean(seen.map(({ requests }) => requests.length)),
    pollsPerSecond,
    pollsExpectedPerCall: pollsPerSecond * (mean(seen.map(({ ms }) => ms)) / 1000),
    guardReadsPerCall: mean(kinds.map((counts) => counts.guard ?? 0)),
    paymentCallsPerCall: mean(kinds.map((counts) => counts.payment ?? 0)),
    headCallsPerCall: mean(kinds.map((counts) => counts.head ?? 0)),
    methods: tally(
      seen.flatMap(({ requests }) =>
        requests.flatMap((request) => request.calls.map(({ method }) => method)),
      ),
    ),
    example: describe(seen.at(-1)?.requests ?? []),
  };
}

/** One call in full, to explain the figures. */
function describe(requests) {
  const sorted = requests.toSorted((a, b) => a.startedAt - b.startedAt);
  return sorted.map(({ startedAt, endedAt, calls }) => ({
    startMs: startedAt - sorted[0].startedAt,
    endMs: endedAt - sorted[0].startedAt,
    calls: tally(calls.map((call) => `${call.method} (${kindOf(call)})`)),
  }));
}

const settlementMethods = [
  "eth_sendRawTransaction",
  "eth_getTransactionReceipt",
  "eth_getTransactionByHash",
  "eth_getTransactionCount",
  "eth_maxPriorityFeePerGas",
  "eth_estimateGas",
  "eth_gasPrice",
  "eth_feeHistory",
  "eth_chainId",
];

const payerIndex = 1;
const partiesOfPayment = [stablecoin, getPayerAccount(payerIndex).address].map((address) =>
  address.slice(2).toLowerCase(),
);

/** The purpose of a request: the payment, the newest block, or, for all others, the guard. */
function kindOf({ method, params }) {
  const text = params.toLowerCase();
  if (settlementMethods.includes(method)) return "payment";
  if (partiesOfPayment.some((address) => text.includes(address))) return "payment";
  if (method === "eth_blockNumber" || method === "eth_getBlockByNumber") return "head";
  return "guard";
}
