import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
/** A campaign that takes this many times its estimate is ended. */
const PATIENCE = 3;
const LEAST_LIMIT_MS = 15 * 60_000;

/** Runs one campaign, or its control where `isControl`. Returns its summary; `violations` is there always. */
export async function runCampaign({ run, control }, { isQuick, isControl, seed, limitMs, onLine }) {
  const limit = Math.min(limitMs, Math.max(LEAST_LIMIT_MS, PATIENCE * run.minutes * 60_000));
  const start = (command, environment) => runCommand(command, environment, limit, onLine);
  if (isControl && control.files) return runTests(control.files, {}, control, start);
  if (run.kind === "tested")
    return isQuick
      ? runTests(run.quickFiles, run.quickEnvironment, {}, start)
      : runTests(run.files, run.environment, {}, start);
  if (run.kind === "mutants") return runMutants(run, isQuick ? run.quick : run.full, seed, start);
  if (run.kind === "fuzz") {
    const seconds = String(isQuick || isControl ? run.quick : run.full);
    const flags = isControl
      ? ["--target", control.target, "--seconds", seconds, "--without", JSON.stringify(control.without)]
      : ["--target", "all", "--seconds", seconds];
    return readSummary(await start(["node", "fuzz/run.mjs", ...flags, "--seed", String(seed)], {}));
  }
  const flags = isControl ? control.flags : isQuick ? run.quick : run.full;
  const program = `packages/service/dist/campaigns/${run.name}.js`;
  return readSummary(await start(["node", program, ...flags, "--seed", String(seed)], {}));
}

function readSummary({ code, output, errors }) {
  try {
    return JSON.parse(output.slice(output.indexOf("{")));
  } catch {
    const said =
      errors.split("\n").findLast((line) => /error:/i.test(line)) ?? errors.trim().split("\n").at(-1);
    throw new Error(`it ended with ${code} and no summary: ${said?.trim().slice(0, 300)}`);
  }
}

async function runTests(files, environment, { without, isOwnTest }, start) {
  const folder = mkdtempSync(join(tmpdir(), "assay-reliability-"));
  const report = join(folder, "report.json");
  // What a test counts beside passing.
  const figures = join(folder, "figures.json");
  try {
    const command = [
      "npx",
      "vitest",
      "run",
      ...files,
      "--reporter=json",
      `--outputFile=${report}`,
      "--testTimeout=1800000",
    ];
    if (isOwnTest) command.push("-t", isOwnTest);
    const { code, errors } = await start(command, {
      ...environment,
      ASSAY_FIGURES: figures,
      ...(without && { ASSAY_CONTROL: JSON.stringify(without) }),
    });
    const { numPassedTests, numFailedTests, testResults } = readReport(report, code, errors);
    const failed = testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === "failed")
      .map(({ fullName, failureMessages }) => `${fullName}: ${(failureMessages[0] ?? "").split("\n")[0]}`);
    // A test that removes something itself passes where that is noticed.
    const noticed =
      isOwnTest && numPassedTests > 0 && failed.length === 0 ? [`the test "${isOwnTest}" finds it`] : [];
    return {
      tests: numPassedTests + numFailedTests,
      passed: numPassedTests,
      ...(existsSync(figures) && JSON.parse(readFileSync(figures, "utf8"))),
      violations: isOwnTest ? noticed : failed,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readReport(path, code, errors) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    throw new Error(`the tests ended with ${code} and no report: ${errors.trim().slice(-600)}`);
  }
}

async function runMutants({ folders }, count, seed, start) {
  const shares = {};
  for (const folder of folders) {
    const { output, errors } = await start(
      ["node", "mutants/run.mjs", "--under", folder, "--count", String(count), "--seed", String(seed)],
      {},
    );
    const [, share] = /: (\d+ of \d+ noticed \([^)]*\))/.exec(output) ?? [];
    if (!share) throw new Error(`no share of ${folder}: ${errors.trim().slice(-300)}`);
    shares[folder] = share;
  }
  const low = Object.entries(shares).filter(
    ([, share]) => Number.parseFloat(/\(([\d.]+)/.exec(share)?.[1] ?? "100") < 90,
  );
  return { folders: shares, violations: low.map(([folder, share]) => `${folder}: ${share}`) };
}

/** A process group of its own, so that what it started ends with it. */
function runCommand([program, ...flags], environment, limitMs, onLine) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, flags, {
      cwd: root,
      env: { ...process.env, ...environment },
      detached: true,
    });
    let [output, errors] = ["", ""];
    const end = (signal) => {
      try {
        process.kill(-child.pid, signal);
      } catch {
        // It has ended.
      }
    };
    const giveUp = () => end("SIGTERM");
    process.once("SIGINT", giveUp);
    const timer = setTimeout(() => {
      errors += `\nit took more than ${Math.round(limitMs / 60_000)} minutes`;
      giveUp();
      setTimeout(() => end("SIGKILL"), 10_000).unref();
    }, limitMs);
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      errors = (errors + chunk).slice(-20_000);
      onLine(String(chunk).trim().split("\n").at(-1)?.split("\r").at(-1) ?? "");
    });
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      process.off("SIGINT", giveUp);
      end("SIGKILL");
      resolve({ code, output, errors });
    });
  });
}
