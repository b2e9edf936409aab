import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.test.ts", "contracts/**/*.test.ts", "*.test.ts"],
    setupFiles: ["vitest.setup.ts"],
    globalSetup: ["packages/service/src/testing/globalSetup.ts"],
    // Two cores: more workers only make each test slower.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
