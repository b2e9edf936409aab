import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const { readHelp } = (await import("./answerHelp.mjs" as string)) as { readHelp: (url: URL) => string };

test.each(["bench", "mutants", "fuzz", "reliability"])("the help of %s names every option", (folder) => {
  const script = new URL(`${folder}/run.mjs`, import.meta.url);
  const options = [...readFileSync(script, "utf8").matchAll(/"?(\w+)"?: \{ type: "/g)];
  expect(options.length).toBeGreaterThan(3);
  for (const [, name] of options) expect(readHelp(script)).toContain(`--${name}`);
});

test("--help prints it and runs nothing", () => {
  const script = new URL("reliability/run.mjs", import.meta.url);
  const printed = execFileSync(process.execPath, [script.pathname, "--help"], { encoding: "utf8" });
  expect(printed.trim()).toBe(readHelp(script));
});
