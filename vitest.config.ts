import { defineConfig } from "vitest/config";
import type { Reporter } from "vitest/node";
import { mutantPlugin, switchedMutantsPlugin } from "./mutants/mutantPlugin.mjs";
import { controlPlugin } from "./reliability/controlPlugin.mjs";
import { chooseTests, joinTests, sortTests, sourceAliases } from "./testProjects.js";

const command = process.argv.slice(2);
// `npm run campaign:adapters` installs the frameworks first.
const withOwnLocks = process.env.ASSAY_ADAPTERS === "1";
const sorted = sortTests({ withOwnLocks });
/** `npm run mutants` changes one source at a time, while it is loaded, and asks pure tests first. */
const mutants = process.env.ASSAY_MUTANTS;
const isMutating = mutants !== undefined;
const isSwitching = isMutating && mutants !== "1";
const { pure, world, browser, isolated } = isMutating
  ? sorted
  : joinTests(chooseTests(sorted, command), command);
/** `npm run campaigns` leaves one protection out, to see that a campaign reports it. */
const control = process.env.ASSAY_CONTROL && JSON.parse(process.env.ASSAY_CONTROL);
const plugins = isSwitching
  ? [switchedMutantsPlugin(mutants)]
  : isMutating
    ? [mutantPlugin()]
    : control
      ? [controlPlugin(control)]
      : [];

/** No project extends this file: each that does loads it, and sorts all tests, once more. */
const resolve = { alias: sourceAliases };
/** Mutants that one test has noticed are not asked of the next, so tests follow each other there. */
const WORKERS = isSwitching ? 1 : 3;
const shared = {
  // What a source becomes is kept by its content, and shared by the projects and by later runs.
  experimental: { fsModuleCache: plugins.length === 0 },
  setupFiles: ["vitest.setup.ts"],
  ...(isSwitching && { runner: "./mutants/switchingRunner.mjs" }),
  // What is built or installed holds no test; walking it took a second.
  exclude: ["**/{node_modules,dist,out,.*}/**"],
  // Files of one worker share what they import, which is half of the suite's time; nothing in a module outlives a test.
  isolate: false,
  // Room for young objects: collecting them took a tenth of the workers' processor time.
  // Machine code at the first call of each function: most run a few times, in which an interpreter and an optimizing compiler took a
  // seventh of the processor time.
  execArgv: ["--max-semi-space-size=64", "--always-sparkplug"],
  // The local chain traces every step of every call, and frees gigabytes. Memory that is free for two seconds may go back to the
  // system, because kept for ever it grew to more than the 24 GB of a machine. It goes back only when the system needs it: what comes
  // from there has to be cleared, which took a quarter of the time of tests that simulate much.
  env: { MIMALLOC_PURGE_DELAY: "2000", MIMALLOC_PURGE_DECOMMITS: "0" },
  // Two cores, and more than a third of the workers' time is waiting, for blocks, windows and processes: a third worker uses it. A
  // fourth gains little, and all together hold 19 GB then.
  maxWorkers: WORKERS,
  sequence: { groupOrder: 2 },
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // What a test waits for may come late on a busy machine.
  expect: { poll: { timeout: 20_000 } },
};
const globalSetup = ["packages/service/test/globalSetup.ts"];
const consoleSetup = "packages/console/src/testing/globalSetup.ts";
const hasConsole = world.some((path) => path.startsWith("packages/console/"));

/** At the end: what passed only at its second try (`--retry`). */
const flaky: string[] = [];
const flakyReporter: Reporter = {
  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky) flaky.push(`${test.module.relativeModuleId} > ${test.fullName}`);
  },
  onTestRunEnd() {
    for (const name of flaky) process.stderr.write(`passed at a second try: ${name}\n`);
  },
};

export default defineConfig({
  test: {
    reporters: ["default", flakyReporter],
    projects: [
      // Where these run alone: they watch no clock, so a third worker may use what the others leave.
      {
        resolve,
        plugins,
        test: { ...shared, name: "pure", include: pure, sequence: { groupOrder: 1 } },
      },
      {
        resolve,
        plugins,
        test: {
          ...shared,
          name: "world",
          include: world,
          // Tests that run together mostly wait, each for a node of its own.
          maxConcurrency: 8,
          globalSetup: [
            ...globalSetup,
            "packages/client/src/testing/globalSetup.ts",
            ...(hasConsole ? [consoleSetup] : []),
          ],
        },
      },
      {
        resolve,
        plugins,
        test: { ...shared, name: "isolated", include: isolated, globalSetup, isolate: true },
      },
      {
        resolve,
        plugins,
        test: {
          ...shared,
          name: "browser",
          include: browser,
          globalSetup: [...globalSetup, consoleSetup],
        },
      },
    ].filter(({ test }) => test.include.length > 0),
  },
});
