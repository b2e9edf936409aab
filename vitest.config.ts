import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.test.ts", "contracts/**/*.test.ts", "examples/*.test.ts", "*.test.ts"],
    setupFiles: ["vitest.setup.ts"],
    globalSetup: [
      "packages/service/src/testing/globalSetup.ts",
      "packages/console/src/testing/requireBrowser.ts",
    ],
    // Two cores: more workers only make each test slower.
    maxWorkers: 2,
    // Files of one worker share what they import, which is half of the suite's time; nothing in a module outlives a test.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
