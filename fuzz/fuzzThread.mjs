// A thread that makes inputs, runs the target with them and keeps those that take a new branch. Its parent reads the shared
// memory: the input under way, and how many were run, so that an endless one is known by its bytes.
import { parentPort, workerData } from "node:worker_threads";
import { corpusPath, readInputs } from "./corpus.mjs";
import { createCoverage } from "./coverage.mjs";
import { loadTarget } from "./load.mjs";
import { createChoices, createMutator } from "./mutate.mjs";

/** Longer inputs are no examples. */
const MAX_KEPT_BYTES = 4_096;
const { name, seed, seconds, without, shared } = workerData;
const state = new Int32Array(shared, 0, 4);
const underWay = new Uint8Array(shared, 16);
const coverage = createCoverage();
const { target, words } = await loadTarget(name, coverage, without);
const choices = createChoices(seed);
const mutate = createMutator(choices, {
  words: [...words, ...(target.words ?? [])],
  maxBytes: target.maxBytes,
  form: target.form,
});
const corpus = [];
const seen = new Set();

const cpuMs = () => process.cpuUsage().user / 1000;

/** Runs one input. Keeps it if it takes a new branch, and reports what it should not have done. */
async function run(bytes) {
  underWay.set(bytes.subarray(0, underWay.length));
  state[1] = bytes.length;
  Atomics.add(state, 0, 1);
  coverage.begin();
  const before = cpuMs();
  const fault = await attempt(bytes);
  const tookMs = cpuMs() - before;
  const isNew = coverage.countNew() > 0;
  if (isNew) corpus.push({ bytes: Buffer.from(bytes), taken: coverage.listTaken() });
  if (fault) report(bytes, fault);
  else if (tookMs > target.cpuMs && (await isSlow(bytes)))
    report(bytes, `takes more than ${target.cpuMs} ms`);
}

async function attempt(bytes) {
  try {
    await target.run(Uint8Array.from(bytes));
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

/** A collection of garbage, or a function that is being compiled, is not the input's fault. */
async function isSlow(bytes) {
  for (let again = 0; again < 2; again += 1) {
    const before = cpuMs();
    await attempt(bytes);
    if (cpuMs() - before <= target.cpuMs) return false;
  }
  return true;
}

function report(bytes, fault) {
  const kind = fault.split("\n").slice(0, 3).join(" ").replace(/\d+/g, "0").slice(0, 200);
  if (seen.has(kind)) return;
  seen.add(kind);
  parentPort.postMessage({ fault, bytes: Uint8Array.from(bytes) });
}

process.on("unhandledRejection", (error) => {
  if (!target.mayReject) report(underWay.slice(0, state[1]), `unhandled: ${error?.stack ?? error}`);
});

for (const { bytes } of readInputs(corpusPath(name))) await run(bytes);
for (const bytes of target.seeds()) await run(Buffer.from(bytes));
const fromSeeds = { places: coverage.places(), inputs: corpus.length };
const endMs = Date.now() + seconds * 1000;
let runs = 0;
while (Date.now() < endMs) {
  // Newer inputs lead further; each has a chance.
  const at = choices.chance(2)
    ? choices.below(corpus.length)
    : corpus.length - 1 - choices.below(Math.min(corpus.length, 16));
  await run(mutate(corpus[at].bytes, choices.pick(corpus).bytes));
  runs += 1;
  // Messages, and timers of what a target has left behind, get their turn.
  if (runs % 256 === 0) await new Promise((resume) => setImmediate(resume));
}
parentPort.postMessage({ done: { runs, fromSeeds, places: coverage.places(), kept: choose() } });

/** Few inputs that together take every branch that all of them take, the shortest first. */
function choose() {
  const all = new Set();
  const chosen = [];
  for (const { bytes, taken } of corpus.toSorted((a, b) => a.bytes.length - b.bytes.length)) {
    const fresh = taken.filter((place) => !all.has(place));
    if (fresh.length === 0 || bytes.length > MAX_KEPT_BYTES) continue;
    for (const place of fresh) all.add(place);
    chosen.push({ bytes: Uint8Array.from(bytes), fresh: fresh.length });
  }
  return chosen;
}
