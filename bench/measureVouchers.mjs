import { setTimeout as sleep } from "node:timers/promises";
import { createPayer, sendSigned } from "./createPayer.mjs";
import { createVoucherPayer } from "./createVoucherPayer.mjs";
import { openDatabase } from "./databaseUsage.mjs";
import { sequentialDepth } from "./sequentialDepth.mjs";
import { median, percentile, tally } from "./statistics.mjs";
import { withStage } from "./withStage.mjs";

const names = ["tuned", "assay"];
const delayMs = 25;
const pauseMs = 150;
/** Payers whose hits are counted in bytes. */
const payerCount = 8;
const maxRounds = 3;

/**
 * One payer who pays by vouchers, whole exchanges with the official client, on a chain with a block every two seconds. The tuned
 * peer is asked in turn, and settles by transaction: a voucher is what saves waiting for its block.
 */
export function measureVouchers({ isQuick, progress, nodeArgs }) {
  const calls = isQuick ? 8 : 30;
  const peerCalls = isQuick ? 3 : 9;
  const warmUps = isQuick ? 8 : 40;
  const proxies = 20 + 2 * (warmUps + calls) + peerCalls;
  return withStage({ names, proxies, nodeArgs }, async (stage) => {
    const { chain, subjects, takeProxy } = stage;
    const [tuned, assay] = subjects;
    const peerPayer = createPayer(0);
    const payer = createVoucherPayer(1, chain.getRpcUrl("driver"));
    progress("warming up");
    for (let call = 0; call < warmUps; call += 1) {
      await payer.pay(assay.getUrl(takeProxy()));
      if (call < peerCalls) await peerPayer.pay(tuned.getUrl(takeProxy()));
    }
    await chain.setDelay(delayMs);
    await chain.setMiningOnArrival(false);
    const results = { tuned: [], assayMiss: [], assayHit: [] };
    const hitAddress = { current: undefined, untilMs: 0 };
    for (let call = 0; call < calls; call += 1) {
      progress(`call ${call + 1} of ${calls}`);
      if (call < peerCalls) results.tuned.push(await peerPayer.pay(tuned.getUrl(takeProxy())));
      results.assayMiss.push(await record(chain, () => payer.pay(assay.getUrl(takeProxy()))));
      // An answer is valid for ten seconds.
      if (Date.now() > hitAddress.untilMs) {
        hitAddress.current = takeProxy();
        hitAddress.untilMs = Date.now() + 6_000;
        await payer.pay(assay.getUrl(hitAddress.current));
      }
      results.assayHit.push(await record(chain, () => payer.pay(assay.getUrl(hitAddress.current))));
      await sleep(pauseMs);
    }
    await chain.setDelay(0);
    progress("bytes of hits");
    const bytes = await measureBytes(stage, assay, isQuick ? 40 : 80);
    const wanted = { assayMiss: "miss", assayHit: "hit" };
    return {
      ...Object.fromEntries(
        Object.entries(results).map(([key, list]) => [key, summarize(list, wanted[key])]),
      ),
      bytes,
    };
  });
}

async function record(chain, pay) {
  await chain.startRecording("assay");
  const outcome = await pay();
  return { ...outcome, requests: await chain.stopRecording() };
}

function summarize(list, wanted) {
  const counted = list.filter(({ isPaid, cacheStatus }) => isPaid && cacheStatus === wanted);
  const percentileOf = (field, percent) =>
    percentile(
      counted.map((outcome) => outcome[field]),
      percent,
    );
  const depths = counted.flatMap(({ requests }) => (requests ? [sequentialDepth(requests)] : []));
  return {
    p50Ms: percentileOf("ms", 50),
    p99Ms: percentileOf("ms", 99),
    paidLegP50Ms: percentileOf("paidMs", 50),
    challengeLegP50Ms: percentileOf("challengeMs", 50),
    depth: median(depths),
    calls: list.length,
    counted: counted.length,
    failed: list.filter(({ isPaid }) => !isPaid).length,
    failures: tally(list.filter(({ isPaid }) => !isPaid).map(({ reason }) => reason)),
    cacheStatuses: tally(list.map(({ cacheStatus }) => cacheStatus ?? "none")),
    example: counted.at(-1)?.requests?.map(({ calls }) => tally(calls.map(({ method }) => method))),
  };
}

/** What a hit by voucher leaves in PostgreSQL: at once, and once it is packed, which the service does an hour later. */
async function measureBytes({ chain, takeProxy }, assay, callsEach) {
  const payers = Array.from({ length: payerCount }, (_, index) =>
    createVoucherPayer(2 + index, chain.getRpcUrl("driver")),
  );
  await chain.setMiningOnArrival(true);
  const opened = takeProxy();
  for (const payer of payers) await payer.pay(assay.getUrl(opened));
  const database = await openDatabase(assay.dataDir);
  try {
    // An answer that ends meanwhile is computed again, and stored: on a busy machine the figure is too high.
    let figures;
    for (let round = 0; round < maxRounds && figures?.notHits !== 0; round += 1)
      figures = await measureRound(database, assay, payers, takeProxy(), callsEach);
    return figures;
  } finally {
    await database.close();
  }
}

async function measureRound(database, assay, payers, address, callsEach) {
  const url = assay.getUrl(address);
  await database.packNow();
  await payers[0].pay(url);
  const [walBefore, before] = [await database.readWalBytes(), await database.readStoredBytes()];
  const outcomes = await Promise.all(
    payers.map(async (payer) => {
      const own = [];
      for (let call = 0; call < callsEach; call += 1) own.push(await sendSigned(url, await payer.sign(url)));
      return own;
    }),
  );
  const [walAfter, after] = [await database.readWalBytes(), await database.readStoredBytes()];
  const hits = outcomes.flat().filter(({ isPaid, cacheStatus }) => isPaid && cacheStatus === "hit").length;
  const compare = (bytesNow) => {
    const all = Object.entries(bytesNow).map(([name, bytes]) => [name, (bytes - (before[name] ?? 0)) / hits]);
    const sum = all.reduce((total, [, bytes]) => total + bytes, 0);
    return { sum, parts: Object.fromEntries(all.filter(([, bytes]) => Math.abs(bytes) >= 1)) };
  };
  // Who asks for the head gets a signed one, and the log is packed up to it.
  await fetch(`${assay.origin}/api/v1/log/checkpoint`).then((response) => response.text());
  await database.packNow();
  return {
    hits,
    notHits: outcomes.flat().length - hits,
    walBytesPerHit: (walAfter - walBefore) / hits,
    atOnce: compare(after),
    packed: compare(await database.readStoredBytes()),
  };
}
