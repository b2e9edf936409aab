import { priceMicroUsd } from "./benchAccounts.mjs";
import { createPayer, sendSigned } from "./createPayer.mjs";
import { readCpuMs, readDescendantsCpuMs, readResidentMb } from "./processUsage.mjs";
import { medianOfRuns, percentile, tally } from "./statistics.mjs";
import { subjectNames } from "./subjects.mjs";
import { withStage } from "./withStage.mjs";

const payerCount = 32;
const delayMs = 25;

/**
 * Thirty-two payers at once; each sends its next call when the last one is answered. The payments are signed beforehand,
 * so that signing does not compete with the subject for the processor. Each call is about a different address.
 */
export function measureParallelPayers({ runs, isQuick, progress, nodeArgs }) {
  const callsEach = isQuick ? 4 : 8;
  const warmUpEach = isQuick ? 2 : 6;
  const proxies = 2 + subjectNames.length * payerCount * (warmUpEach + runs * callsEach);
  return withStage({ names: subjectNames, proxies, nodeArgs }, async (stage) => {
    const { subjects } = stage;
    const payers = Array.from({ length: payerCount }, (_, index) => createPayer(index));
    const rows = Object.fromEntries(subjects.map(({ name }) => [name, []]));
    for (const subject of subjects) {
      progress(`${subject.name}, warming up`);
      await load(stage, subject, payers, warmUpEach);
    }
    for (let run = 1; run <= runs; run += 1) {
      for (const subject of subjects) {
        progress(`${subject.name}, run ${run} of ${runs}`);
        rows[subject.name].push(await load(stage, subject, payers, callsEach));
      }
    }
    return Object.fromEntries(
      subjects.map(({ name, pid }) => [name, { ...summarize(rows[name]), residentMb: readResidentMb(pid) }]),
    );
  });
}

/** Medians, but sums of what must not happen at all: a median would hide the one run in which it did. */
function summarize(runs) {
  const sumOf = (field) => runs.reduce((sum, run) => sum + run[field], 0);
  return {
    ...medianOfRuns(runs),
    sent: sumOf("sent"),
    failed: sumOf("failed"),
    chargedWithoutAnswer: sumOf("chargedWithoutAnswer"),
    answeredWithoutCharge: sumOf("answeredWithoutCharge"),
    runs,
  };
}

async function load({ chain, takeProxy }, subject, payers, callsEach) {
  const queues = [];
  for (const payer of payers) {
    const queue = [];
    for (let call = 0; call < callsEach; call += 1) {
      const url = subject.getUrl(takeProxy());
      queue.push({ url, headers: await payer.sign(url) });
    }
    queues.push(queue);
  }
  await chain.setDelay(delayMs);
  const incomeBefore = await chain.readBalance(subject.payTo);
  const countBefore = await chain.count(subject.name);
  const cpuBefore = readCpuMs(subject.pid);
  const postgresBefore = readDescendantsCpuMs(subject.pid);
  const chainCpuBefore = readCpuMs(chain.pid);
  const driverCpuBefore = readCpuMs(process.pid);
  const startedAt = performance.now();
  const outcomes = await Promise.all(
    queues.map(async (queue) => {
      const answers = [];
      for (const { url, headers } of queue) answers.push(await sendSigned(url, headers));
      return answers;
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuMs = readCpuMs(subject.pid) - cpuBefore;
  const postgresCpuMs = readDescendantsCpuMs(subject.pid) - postgresBefore;
  const chainCpuMs = readCpuMs(chain.pid) - chainCpuBefore;
  const driverCpuMs = readCpuMs(process.pid) - driverCpuBefore;
  const { requests } = await chain.count(subject.name);
  await chain.setDelay(0);
  // The token's balances state what was settled, not the subject.
  const settled = Number((await chain.readBalance(subject.payTo)) - incomeBefore) / priceMicroUsd;
  const all = outcomes.flat();
  const paid = all.filter(({ isPaid }) => isPaid);
  return {
    settledPerSecond: settled / seconds,
    settled,
    sent: all.length,
    failed: all.length - paid.length,
    chargedWithoutAnswer: Math.max(0, settled - paid.length),
    answeredWithoutCharge: Math.max(0, paid.length - settled),
    p50Ms: percentile(
      paid.map(({ ms }) => ms),
      50,
    ),
    p99Ms: percentile(
      paid.map(({ ms }) => ms),
      99,
    ),
    cpuMsPerSettled: cpuMs / settled,
    postgresCpuMsPerSettled: postgresCpuMs / settled,
    // Shares of one core: the process that is near 1 is the limit.
    cpuBusy: cpuMs / (seconds * 1000),
    postgresBusy: postgresCpuMs / (seconds * 1000),
    chainBusy: chainCpuMs / (seconds * 1000),
    driverBusy: driverCpuMs / (seconds * 1000),
    chainCpuMsPerSettled: chainCpuMs / settled,
    chainRequestsPerSettled: (requests - countBefore.requests) / settled,
    cacheStatuses: tally(paid.map(({ cacheStatus }) => cacheStatus ?? "none")),
    failures: tally(all.filter(({ isPaid }) => !isPaid).map(({ reason }) => reason)),
  };
}
