import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { readDescendantsMb, readResidentMb } from "./processUsage.mjs";
import { startChain } from "./startChain.mjs";
import { medianOfRuns } from "./statistics.mjs";
import { createDataDir, firstSubject, sellsHits, startSubject } from "./subjects.mjs";

const names = [firstSubject, "assay"];
const settleMs = 1_000;

/** The time from the start of the process to its first 402, and its memory a second later. */
export async function measureStartup({ runs, progress }) {
  const chain = await startChain({ subjects: names, proxies: 1 });
  const rows = Object.fromEntries(names.map((name) => [name, []]));
  try {
    for (let run = 1; run <= runs; run += 1) {
      for (const name of names) {
        progress(`${name}, start ${run} of ${runs}`);
        rows[name].push(await (sellsHits(name) ? startTwice(name, chain) : startOnce(name, chain)));
      }
    }
  } finally {
    await chain.stop();
  }
  return Object.fromEntries(names.map((name) => [name, medianOfRuns(rows[name])]));
}

async function startOnce(name, chain, options) {
  const subject = await startSubject(name, chain, options);
  await sleep(settleMs);
  const row = { startMs: subject.startMs, residentMb: readResidentMb(subject.pid) };
  const postgresMb = readDescendantsMb(subject.pid);
  await subject.stop();
  return { ...row, postgresMb };
}

/** Assay's first start creates its database; every later one finds it. */
async function startTwice(name, chain) {
  const dataDir = createDataDir();
  try {
    const first = await startOnce(name, chain, { dataDir });
    const second = await startOnce(name, chain, { dataDir });
    return { ...second, firstStartMs: first.startMs };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
