import { priceMicroUsd } from "./benchAccounts.mjs";
import { createPayer, sendSigned } from "./createPayer.mjs";
import { createVoucherPayer } from "./createVoucherPayer.mjs";
import { readCpuMs, readDescendantsCpuMs, readResidentMb } from "./processUsage.mjs";
import { medianOfRuns, percentile, tally } from "./statistics.mjs";
import { subjectNames } from "./subjects.mjs";
import { withStage } from "./withStage.mjs";

const payerCount = 32;
const delayMs = 25;

/**
 * Thirty-two payers at once; each sends its next call when the last one is answered. The payments are signed beforehand,
 * so that signing does not compete with the subject for the processor. Each call is about a different address, but for the hits,
 * which are all about one. Assay is paid by transactions, as the others are, and by vouchers.
 */
export function measureParallelPayers({ runs, isQuick, progress, nodeArgs }) {
  const callsEach = isQuick ? 4 : 8;
  const warmUpEach = isQuick ? 2 : 6;
  const loads = subjectNames.length + 1;
  const proxies = 2 + loads * payerCount * (warmUpEach + runs * callsEach) + runs + 1;
  return withStage({ names: subjectNames, proxies, nodeArgs }, async (stage) => {
    const { subjects, takeProxy } = stage;
    const assay = subjects.find(({ name }) => name === "assay");
    const exact = Array.from({ length: payerCount }, (_, index) => createPayer(index));
    const byVoucher = exact.map((_, index) => createVoucherPayer(index, stage.chain.getRpcUrl("driver")));
    const kinds = [
      ...subjects.map((subject) => ({ key: subject.name, subject, payers: exact, isTransfer: true })),
      ...(subjectNames.includes("before") ? [] : voucherKinds(assay, byVoucher, isQuick)),
    ];
    const rows = Object.fromEntries(kinds.map(({ key }) => [key, []]));
    if (kinds.some(({ payers }) => payers === byVoucher)) {
      progress("deposits of the payers by voucher");
      const opened = takeProxy();
      for (const payer of byVoucher) await payer.pay(assay.getUrl(opened));
    }
    for (const kind of kinds) {
      progress(`${kind.key}, warming up`);
      await load(stage, kind, warmUpEach);
    }
    for (let run = 1; run <= runs; run += 1) {
      for (const kind of kinds) {
        progress(`${kind.key}, run ${run} of ${runs}`);
        rows[kind.key].push(await load(stage, kind, callsEach));
      }
    }
    return Object.fromEntries(
      kinds.map(({ key, subject }) => [
        key,
        { ...summarize(rows[key]), residentMb: readResidentMb(subject.pid) },
      ]),
    );
  });
}

/** Assay is compared with a checkout that may be older than vouchers without them. */
const voucherKinds = (assay, payers, isQuick) => [
  { key: "assayVoucherMiss", subject: assay, payers },
  { key: "assayVoucherHit", subject: assay, payers, isHit: true, times: isQuick ? 2 : 4 },
];

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

async function load(stage, { subject, payers, isTransfer, isHit, times = 1 }, callsEach) {
  const { chain, takeProxy } = stage;
  const shared = isHit ? takeProxy() : undefined;
  // The answer that the others hit. It is valid for ten seconds, in which they are signed and sent.
  if (isHit) await sendSigned(subject.getUrl(shared), await payers[0].sign(subject.getUrl(shared)));
  const queues = await Promise.all(
    payers.map(async (payer) => {
      const queue = [];
      for (let call = 0; call < callsEach * times; call += 1) {
        const url = subject.getUrl(shared ?? takeProxy());
        queue.push({ url, headers: await payer.sign(url) });
      }
      return queue;
    }),
  );
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
  const all = outcomes.flat();
  const paid = all.filter(({ isPaid }) => isPaid);
  // The token's balances state what was settled, not the subject. A voucher is settled with its answer and moves money later.
  const income = isTransfer ? (await chain.readBalance(subject.payTo)) - incomeBefore : undefined;
  const settled = isTransfer ? Number(income) / priceMicroUsd : paid.length;
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
