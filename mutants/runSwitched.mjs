import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Nothing was noted for so long: the mutant of that moment goes on for ever. */
const LIMIT_MS = 240_000;
const WATCH_MS = 1_000;

/**
 * Asks tests about many mutants at once: each test runs once as it is, and again for each mutant that it reaches. `onKilled` is
 * asked with each that was noticed. Returns those that this could not tell about, because they are reached while sources are loaded,
 * or because a test cannot be repeated.
 *
 * @param {{ id: number, path: string, file: string, mutant: object, rounds: string[][] }[]} drawn
 */
export async function runSwitched(root, drawn, rounds, onKilled) {
  const open = new Map(drawn.map((one) => [one.id, one]));
  const doubtful = new Set();
  for (let round = 0; round < rounds; round++) {
    let tests = new Set();
    for (const one of open.values()) for (const test of one.rounds[round] ?? []) tests.add(test);
    // Again after a mutant that went on for ever, without it.
    while (tests.size > 0 && open.size > 0) {
      const { notes, lost } = await ask(root, [...open.values()], [...tests]);
      for (const { id, killedBy, isDoubtful, isAtLoading } of notes) {
        if (isDoubtful || isAtLoading) doubtful.add(id);
        if (killedBy !== undefined && open.has(id)) {
          onKilled(open.get(id), killedBy);
          open.delete(id);
        }
      }
      if (lost === undefined) tests = new Set();
      else if (open.has(lost)) {
        onKilled(open.get(lost), "the time limit");
        open.delete(lost);
      }
    }
  }
  return [...open.values()].filter(({ id }) => doubtful.has(id));
}

async function ask(root, drawn, tests) {
  const folder = mkdtempSync(join(tmpdir(), "assay-mutants-"));
  const list = join(folder, "list.json");
  const results = join(folder, "results.jsonl");
  const active = join(folder, "active.json");
  const sources = {};
  for (const { id, path, mutant } of drawn) {
    sources[path] ??= [];
    sources[path].push({ ...mutant, id });
  }
  writeFileSync(list, JSON.stringify({ mutants: drawn.map(({ id }) => id), sources, results, active }));
  writeFileSync(results, "");
  writeFileSync(active, "null");
  const child = fork(new URL("switchingTester.mjs", import.meta.url), tests, {
    cwd: root,
    detached: true,
    silent: true,
    env: { ...process.env, ASSAY_MUTANTS: list },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output = (output + chunk).slice(-4_000);
    });
  let lost;
  let isCut = false;
  let movedAt = Date.now();
  let moved = 0;
  const watch = setInterval(() => {
    const now = Math.max(statSync(results).mtimeMs, statSync(active).mtimeMs);
    if (now !== moved) [moved, movedAt] = [now, Date.now()];
    const current = JSON.parse(readFileSync(active, "utf8") || "null");
    if (current === null || Date.now() - movedAt < LIMIT_MS) return;
    lost = current.id;
    isCut = true;
    process.kill(-child.pid, "SIGKILL");
  }, WATCH_MS);
  try {
    const [code] = await once(child, "exit");
    const current = JSON.parse(readFileSync(active, "utf8") || "null");
    if (!isCut && code !== 0 && current === null) throw new Error(`The tests did not end: ${output}`);
    // A worker that a mutant ended, too, has noticed it.
    if (current !== null) lost = current.id;
    const notes = readFileSync(results, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    return { notes, lost };
  } finally {
    clearInterval(watch);
    rmSync(folder, { recursive: true, force: true });
  }
}
