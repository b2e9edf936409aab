import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { TestRunner } from "vitest";

/** A test that waits for what never happens: this many times what it took, and a while. */
const PATIENCE = 10;
const LEAST_MS = 3_000;
/** A mutant that makes a loop endless is asked for in each round of it. */
const MANY_ASKED = 2_000_000;

const { mutants, results, active } = JSON.parse(readFileSync(process.env.ASSAY_MUTANTS, "utf8"));
const note = (line) => appendFileSync(results, `${JSON.stringify(line)}\n`);
/** Of those that are not noticed yet. */
const open = new Set(mutants);
const atLoading = new Set();

let reached = new Set();
let current = null;
let isInTest = false;
let asked = 0;
globalThis.assayMutant = (id) => {
  if (current === null) (isInTest ? reached : atLoading).add(id);
  else if (++asked > MANY_ASKED) throw new Error("a mutant that goes on for ever");
  return current === id;
};

/** Suites from the outermost. */
const suitesOf = (test) => {
  const suites = [];
  for (
    let suite = test.suite ?? test.file;
    suite;
    suite = suite.suite ?? (suite === suite.file ? undefined : suite.file)
  )
    suites.unshift(suite);
  return suites;
};

/**
 * Runs each test once as it is, and then once for each mutant that it reached and nobody has noticed. A test that fails when it is
 * run a second time cannot tell anything here: those that it reached are noted as doubtful.
 */
export default class SwitchingRunner extends TestRunner {
  async runTask(test) {
    const startedAt = performance.now();
    const firstError = await this.#reach(test);
    if (firstError) throw firstError;
    const tookMs = performance.now() - startedAt;
    const chosen = [...reached].filter((id) => open.has(id));
    if (chosen.length === 0) return;
    for (const id of chosen) note({ id, reachedBy: test.file.name });
    if (test.concurrent || (await this.#repeat(test, null, tookMs))) {
      for (const id of chosen) note({ id, isDoubtful: true });
      return;
    }
    for (const id of chosen) {
      writeFileSync(active, JSON.stringify({ id, test: test.file.name }));
      const error = await this.#repeat(test, id, tookMs);
      if (!error) continue;
      // What a mutant leaves behind may fail whatever comes after it.
      if (await this.#repeat(test, null, tookMs)) {
        note({ id, isDoubtful: true });
        for (const other of open) note({ id: other, isDoubtful: true });
        open.clear();
        break;
      }
      open.delete(id);
      note({ id, killedBy: test.file.name });
    }
    writeFileSync(active, "null");
  }

  async #reach(test) {
    reached = new Set();
    isInTest = true;
    try {
      await TestRunner.getTestFn(test)();
      return undefined;
    } catch (error) {
      return error ?? new Error("failed");
    } finally {
      isInTest = false;
    }
  }

  /** What went wrong, or undefined. */
  async #repeat(test, id, tookMs) {
    const suites = suitesOf(test);
    const state = { ...test.result, errors: test.result.errors && [...test.result.errors] };
    current = id;
    asked = 0;
    let timer;
    const isLate = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error("late")), LEAST_MS + PATIENCE * tookMs);
    });
    try {
      await Promise.race([isLate, this.#once(test, suites)]);
      if (test.result.state === "fail" || test.result.errors?.length) throw new Error("a soft expectation");
      return undefined;
    } catch (error) {
      return error ?? new Error("failed");
    } finally {
      clearTimeout(timer);
      current = null;
      test.result = state;
    }
  }

  async #once(test, suites) {
    for (const suite of [...suites].reverse())
      for (const hook of [...TestRunner.getSuiteHooks(suite).afterEach].reverse())
        await hook(test.context, suite);
    this.onBeforeTryTask(test);
    for (const suite of suites)
      for (const hook of TestRunner.getSuiteHooks(suite).beforeEach) await hook(test.context, suite);
    await TestRunner.getTestFn(test)();
    this.onAfterTryTask(test);
  }

  onAfterRunFiles() {
    for (const id of atLoading) note({ id, isAtLoading: true });
    atLoading.clear();
    return super.onAfterRunFiles();
  }
}
