import { beforeAll, expect, test } from "vitest";
import { useTestService } from "../../test/useTestService.js";
import { readConfig } from "./config.js";
import type { RunningService } from "./startService.js";
import { startupReport } from "./startupReport.js";

const service = useTestService();
let running: RunningService;
beforeAll(() => {
  // As if the chain beside it were its own.
  running = { ...service, devnet: service.chainOf };
});

/** What follows the address in the call to copy. */
function flagsOf(env: Record<string, string>): string | undefined {
  return /npx assay call contract\.guard --address 0x\w{40}(.*)/.exec(
    startupReport(readConfig(env), running, 1000),
  )?.[1];
}

test("the call to copy names only what assay would not find by itself", () => {
  expect(flagsOf({})).toBe("");
  expect(flagsOf({ DATA_DIR: "./.data/" })).toBe("");
  expect(flagsOf({ PORT: "9000" })).toBe(` --url ${service.url}`);
  expect(flagsOf({ DATA_DIR: "/var/lib/assay" })).toBe(" --data-dir /var/lib/assay");
  expect(flagsOf({ PORT: "9000", DATA_DIR: "other" })).toBe(` --url ${service.url} --data-dir other`);
});

test("the call to copy works in a shell for any name of the data directory", () => {
  expect(flagsOf({ DATA_DIR: "/tmp/my data" })).toBe(" --data-dir '/tmp/my data'");
  expect(flagsOf({ DATA_DIR: "it's" })).toBe(" --data-dir 'it'\\''s'");
  expect(flagsOf({ DATA_DIR: "~" })).toBe(" --data-dir '~'");
});

test("the report names the console's address where a console was built, and only there", () => {
  const reportOf = (hasConsole: boolean) => startupReport(readConfig({}), { ...running, hasConsole }, 1000);
  expect(reportOf(true)).toContain(`  Open ${service.url} in a browser`);
  expect(reportOf(false)).not.toContain("Open");
});
