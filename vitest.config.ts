import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL(".", import.meta.url));

/** Packages resolve to each other's sources, so that no test judges an earlier build. */
const alias = [
  {
    find: /^@assay\/(protocol|chain|pages|capabilities|client|devnet)$/,
    replacement: `${root}packages/$1/src/index.ts`,
  },
  {
    find: /^@assay\/(protocol|chain|pages|capabilities|client|devnet)\/(.+)$/,
    replacement: `${root}packages/$1/src/$2.ts`,
  },
];

export default defineConfig({
  resolve: { alias },
  test: {
    include: [
      "packages/*/src/**/*.test.ts",
      "packages/service/{test,campaigns}/**/*.test.ts",
      "contracts/**/*.test.ts",
      "examples/*.test.ts",
      "*.test.ts",
    ],
    setupFiles: ["vitest.setup.ts"],
    globalSetup: ["packages/service/test/globalSetup.ts", "packages/console/src/testing/requireBrowser.ts"],
    maxWorkers: 2,
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
