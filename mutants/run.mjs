// npm run mutants -- --under <folder> [--count n] [--seed s] [--workers n] [--quick] [--near] [--fresh]
//   --under    a folder or file of sources
//   --count    how many mutants to draw (default 50; "all" for every one)
//   --seed     which ones (default 8453); the same seed draws the same mutants of the same sources
//   --workers  how many are tested at the same time (default 2)
//   --quick    only tests that need neither database nor chain
//   --near     of the tests that need a world, only those of the source's own folder
//   --fresh    test again what an earlier run has tested
// Each result is kept in mutants/results as soon as it is known, by what it depends on: a run that is cut off continues there, and
// a source or test that changed is tested anew. Progress goes to stderr, the summary to stdout.
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { answerHelp } from "../answerHelp.mjs";
import { createTester } from "./createTester.mjs";
import { drawSome } from "./drawSome.mjs";
import { createTestFinder } from "./findTests.mjs";
import { listMutants } from "./listMutants.mjs";
import { runSwitched } from "./runSwitched.mjs";

answerHelp(import.meta.url);

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const results = join(root, "mutants/results/results.jsonl");
/** As many as `createTestFinder` sorts the tests of a source into. */
const ROUNDS = 5;
/** The last round: tests of other folders that need a world. */
const FAR = 4;
const hash = (...texts) => createHash("sha256").update(texts.join("\0")).digest("hex").slice(0, 24);

function readOptions() {
  const { values } = parseArgs({
    options: {
      under: { type: "string" },
      count: { type: "string", default: "50" },
      seed: { type: "string", default: "8453" },
      workers: { type: "string", default: "2" },
      quick: { type: "boolean", default: false },
      near: { type: "boolean", default: false },
      fresh: { type: "boolean", default: false },
    },
  });
  if (!values.under) throw new Error("Name a folder of sources: --under packages/service/src/credits");
  if (!existsSync(join(root, values.under))) throw new Error(`There is no ${values.under}.`);
  const readNumber = (name, text) => {
    if (!/^\d+$/.test(text)) throw new Error(`--${name} takes a whole number, not "${text}".`);
    return Number(text);
  };
  const count = values.count === "all" ? Number.POSITIVE_INFINITY : readNumber("count", values.count);
  return {
    ...values,
    count,
    seed: readNumber("seed", values.seed),
    workers: readNumber("workers", values.workers),
  };
}

/** Sources that judge, move money or prove; not tests, what only tests use, or samples. */
function listSources(path) {
  if (statSync(join(root, path)).isFile()) return [path];
  return readdirSync(join(root, path), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const inner = `${path.replace(/\/$/, "")}/${entry.name}`;
      if (entry.isDirectory())
        return /^(testing|node_modules|dist)$/.test(entry.name) ? [] : listSources(inner);
      return /\.ts$/.test(entry.name) && !/(\.test|\.d|^samples)\.ts$/.test(entry.name) ? [inner] : [];
    });
}

/** Changes that no test can notice, each with its reason; named by the text of their line, so that other lines may move. */
const equivalents = JSON.parse(readFileSync(join(root, "mutants/equivalent.json"), "utf8"));
const isEquivalent = ({ file, code, from, to }) =>
  equivalents.some(
    (known) => known.file === file && known.code === code && known.from === from && known.to === to,
  );

function readKnown(isFresh) {
  if (isFresh || !existsSync(results)) return new Map();
  const lines = readFileSync(results, "utf8").split("\n").filter(Boolean);
  return new Map(lines.map((line) => JSON.parse(line)).map(({ key, killedBy }) => [key, killedBy]));
}

async function main() {
  const options = readOptions();
  const findTests = await createTestFinder(root);
  const all = listSources(options.under).flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const lines = text.split("\n");
    return listMutants(file, text).map((mutant) => ({
      file,
      text,
      mutant,
      code: lines[mutant.line - 1].trim(),
    }));
  });
  const chosen = drawSome(all, options.count, options.seed).filter(
    ({ file, mutant, code }) => !isEquivalent({ file, code, from: mutant.from, to: mutant.to }),
  );
  const known = readKnown(options.fresh);
  const isPure = await createPureTest();
  const open = chosen.map((drawn) => {
    const rounds = findTests(drawn.file)
      .slice(0, options.near ? FAR : undefined)
      .map((tests) => (options.quick ? tests.filter(isPure) : tests));
    const tests = rounds.flat().map((path) => readFileSync(join(root, path), "utf8"));
    return {
      ...drawn,
      rounds,
      key: hash(drawn.text, JSON.stringify(drawn.mutant), ...rounds.flat(), ...tests),
    };
  });
  mkdirSync(join(root, "mutants/results"), { recursive: true });
  const ended = [];
  const note = (drawn, killedBy) => {
    ended.push({ ...drawn, killedBy });
    const left = ended.filter((one) => one.killedBy === null).length;
    process.stderr.write(`\r${ended.length} of ${chosen.length} tested, ${left} not noticed `);
  };
  const queue = open.filter((drawn) => {
    if (!known.has(drawn.key)) return true;
    note(drawn, known.get(drawn.key));
    return false;
  });
  const keepResult = (drawn, killedBy) => {
    const { key, file, mutant } = drawn;
    appendFileSync(results, `${JSON.stringify({ key, file, line: mutant.line, killedBy })}\n`);
    note(drawn, killedBy);
  };
  const asked = queue.map((drawn, id) => ({ ...drawn, id, path: join(root, drawn.file) }));
  const killed = new Set();
  const doubtful = await runSwitched(root, asked, ROUNDS, (drawn, killedBy) => {
    killed.add(drawn.id);
    keepResult(drawn, killedBy);
  });
  process.stderr.write(`\n${doubtful.length} are tested one by one\n`);
  for (const drawn of asked) if (!killed.has(drawn.id) && !doubtful.includes(drawn)) keepResult(drawn, null);
  await Promise.all(
    Array.from({ length: Math.min(options.workers, doubtful.length) }, () => work(doubtful, keepResult)),
  );
  process.stderr.write("\n");
  summarize(options, all.length, ended);
}

async function createPureTest() {
  const { runnerImport } = await import("vite");
  const { module } = await runnerImport(join(root, "testProjects.ts"));
  const pure = new Set(module.sortTests().pure);
  return (path) => pure.has(path);
}

async function work(queue, keepResult) {
  const tester = createTester(root);
  try {
    for (let drawn = queue.shift(); drawn; drawn = queue.shift()) {
      const { path, mutant, rounds } = drawn;
      keepResult(
        drawn,
        await tester.run({ file: path, mutant, rounds: rounds.filter((tests) => tests.length > 0) }),
      );
    }
  } finally {
    await tester.stop();
  }
}

function summarize({ under, seed, quick, near }, total, ended) {
  const share = (part, whole) => (whole === 0 ? "–" : `${((part / whole) * 100).toFixed(1)} %`);
  const survivors = ended.filter(({ killedBy }) => killedBy === null);
  for (const { file, mutant, code } of survivors.sort((a, b) => (a.file < b.file ? -1 : 1)))
    console.log(
      `${file}:${mutant.line}  ${mutant.kind}  ${mutant.from} → ${mutant.to || "nothing"}\n    ${code}`,
    );
  const killed = ended.length - survivors.length;
  console.log(
    `${under}: ${killed} of ${ended.length} noticed (${share(killed, ended.length)}), drawn from ${total} by seed ${seed}` +
      `${quick ? ", by tests without a world alone" : near ? ", by tests without a world and those of its folder" : ""}.`,
  );
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error.message);
    process.exit(1);
  },
);
