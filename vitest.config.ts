import { defineConfig } from "vitest/config";
import { mayRun, sortTests, sourceAliases } from "./testProjects.js";

const { pure, world, browser, isolated } = sortTests();
const all = [...pure, ...world, ...browser, ...isolated];

const shared = {
  setupFiles: ["vitest.setup.ts"],
  // Files of one worker share what they import, which is half of the suite's time; nothing in a module outlives a test.
  isolate: false,
  // Room for young objects: collecting them took a tenth of the workers' processor time.
  execArgv: ["--max-semi-space-size=64"],
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // What a test waits for may come late on a busy machine.
  expect: { poll: { timeout: 20_000 } },
};
const globalSetup = ["packages/service/test/globalSetup.ts"];

export default defineConfig({
  resolve: { alias: sourceAliases },
  test: {
    // Two cores: more workers only make each test slower.
    maxWorkers: 2,
    projects: [
      { extends: true, test: { ...shared, name: "pure", include: pure } },
      {
        extends: true,
        test: {
          ...shared,
          name: "world",
          include: world,
          globalSetup: [...globalSetup, "packages/client/src/testing/globalSetup.ts"],
        },
      },
      { extends: true, test: { ...shared, name: "isolated", include: isolated, globalSetup, isolate: true } },
      {
        extends: true,
        test: {
          ...shared,
          name: "browser",
          include: browser,
          // Visitors of one service, side by side: much of a page's time is waiting.
          maxConcurrency: 4,
          globalSetup: [...globalSetup, "packages/console/src/testing/globalSetup.ts"],
        },
      },
    ].filter(({ test }) => mayRun(test.include, all, process.argv.slice(2))),
  },
});
