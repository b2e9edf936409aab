// npm run fuzz -- --target <name> [--seconds n] [--seed s] [--keep]
//   --target   a file of fuzz/targets, or "all"
//   --seconds  of each target (default 60)
//   --seed     which inputs are made (default 8453); a run of the same length is not the same run, an input found is
//   --without  the control: {"file","from","to"} in JSON, a place in a source that is left out
//   --keep     adds to the corpus what takes new branches, the most telling inputs up to its bound
// Progress goes to stderr, a JSON summary to stdout. Inputs that did what they should not go to fuzz/found, and the exit code is 1.

import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { answerHelp } from "../answerHelp.mjs";
import { corpusPath, foundPath, readInputs, writeInputs } from "./corpus.mjs";
import { listTargets } from "./load.mjs";

answerHelp(import.meta.url);

/** An input that keeps the thread for longer than this is endless, on a busy machine too. */
const ENDLESS_MS = 120_000;
/** Vite and the sources are loaded first. */
const START_MS = 600_000;
/** Of JavaScript objects, for target and fuzzer together. */
const HEAP_MB = 1_024;
const MAX_INPUT_BYTES = 1 << 20;
/** Of a corpus in the repository: characters of its file, and inputs, because the suite runs each. */
const MAX_KEPT_CHARACTERS = 48_000;
const MAX_KEPT = 60;
const MAX_KEPT_PAGES = 16;
const isPage = (name) => /^(html|css|pdf)$/.test(name);

function readOptions() {
  const { values } = parseArgs({
    options: {
      target: { type: "string" },
      seconds: { type: "string", default: "60" },
      seed: { type: "string", default: "8453" },
      without: { type: "string" },
      keep: { type: "boolean", default: false },
    },
  });
  const all = listTargets();
  const names = values.target === "all" ? all : [values.target];
  if (!names.every((name) => all.includes(name)))
    throw new Error(`--target is one of ${all.join(", ")}, or all.`);
  const readNumber = (name) => {
    if (!/^\d+$/.test(values[name]))
      throw new Error(`--${name} takes a whole number, not "${values[name]}".`);
    return Number(values[name]);
  };
  return {
    names,
    seconds: readNumber("seconds"),
    seed: readNumber("seed"),
    keep: values.keep,
    without: values.without,
  };
}

/** Runs one target; a thread that hangs or runs out of memory is ended and its input kept, and another one goes on. */
async function fuzz(name, { seconds, seed, keep, without }) {
  const faults = [];
  const endMs = Date.now() + seconds * 1000;
  let total = { runs: 0 };
  for (let round = 0; round === 0 || endMs - Date.now() > 5_000; round += 1) {
    const left = round === 0 ? seconds : Math.round((endMs - Date.now()) / 1000);
    const ended = await runThread({ name, seed: seed + round, seconds: left, without }, (fault) => {
      faults.push(fault);
      process.stderr.write(`${name}: ${fault.note}\n`);
    });
    total = { ...total, ...ended, runs: total.runs + (ended.runs ?? 0) };
    if (ended.kept && keep) keepTelling(name, ended.kept);
    if (ended.kept) break;
  }
  if (faults.length > 0 && without === undefined)
    writeInputs(foundPath(name), [...readInputs(foundPath(name)), ...faults]);
  const { kept: _, ...figures } = total;
  return { target: name, seconds, seed, ...figures, faults: faults.map(({ note }) => note) };
}

function runThread(task, onFault) {
  const { name, seconds } = task;
  const shared = new SharedArrayBuffer(16 + MAX_INPUT_BYTES);
  const state = new Int32Array(shared, 0, 4);
  const current = () => Buffer.from(new Uint8Array(shared, 16, Math.min(state[1], MAX_INPUT_BYTES)));
  const worker = new Worker(new URL("fuzzThread.mjs", import.meta.url), {
    workerData: { ...task, shared },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  return new Promise((resolve, reject) => {
    let [last, sinceMs, reportedMs] = [-1, Date.now(), Date.now()];
    const startedMs = Date.now();
    const end = (figures) => {
      clearInterval(watch);
      void worker.terminate().then(() => resolve(figures));
    };
    const watch = setInterval(() => {
      if (state[0] !== last) [last, sinceMs] = [state[0], Date.now()];
      if (Date.now() - reportedMs > 10_000) {
        reportedMs = Date.now();
        process.stderr.write(
          `${name}: ${state[0]} inputs, ${Math.round((reportedMs - startedMs) / 1000)} of ${seconds} s\n`,
        );
      }
      if (Date.now() - sinceMs < (state[0] === 0 ? START_MS : ENDLESS_MS)) return;
      if (state[0] === 0) return reject(new Error(`${name} did not start`));
      onFault({ bytes: current(), note: `does not end within ${ENDLESS_MS / 1000} s` });
      end({ runs: state[0] });
    }, 1_000);
    worker.on("message", ({ fault, bytes, done }) => {
      if (done) return end(done);
      onFault({ bytes, note: fault.split("\n").slice(0, 2).join(" ").replaceAll(/\s+/g, " ").slice(0, 300) });
    });
    worker.on("error", (error) => {
      if (error.code !== "ERR_WORKER_OUT_OF_MEMORY") {
        clearInterval(watch);
        return reject(error);
      }
      onFault({ bytes: current(), note: `takes more than ${HEAP_MB} MB` });
      end({ runs: state[0] });
    });
  });
}

/** What was found by hand stays; of the rest, what takes most branches that no shorter input takes. */
function keepTelling(name, kept) {
  const noted = readInputs(corpusPath(name)).filter(({ note }) => note !== "");
  const chosen = [...noted];
  let characters = 0;
  for (const { bytes } of kept.toSorted((a, b) => b.fresh - a.fresh || a.bytes.length - b.bytes.length)) {
    if (
      chosen.length >= (isPage(name) ? MAX_KEPT_PAGES : MAX_KEPT) ||
      characters + bytes.length * 1.4 > MAX_KEPT_CHARACTERS
    )
      continue;
    characters += bytes.length * 1.4;
    chosen.push({ bytes, note: "" });
  }
  writeInputs(corpusPath(name), chosen);
}

async function main() {
  const options = readOptions();
  const summaries = [];
  for (const name of options.names) summaries.push(await fuzz(name, options));
  const violations = summaries.flatMap(({ target, faults }) => faults.map((fault) => `${target}: ${fault}`));
  process.stdout.write(
    `${JSON.stringify({ campaign: "fuzz", seed: options.seed, targets: summaries, violations }, null, 2)}\n`,
  );
  return violations.length > 0 ? 1 : 0;
}

main().then(
  (code) => process.exit(code),
  (error) => {
    console.error(error.message);
    process.exit(2);
  },
);
