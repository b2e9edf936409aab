import { join, resolve } from "node:path";
import { describeLimits } from "@assay/chain";
import { curve } from "../base/curve.js";
import type { Config } from "./config.js";
import type { RunningService } from "./startService.js";

export const SLOWER_CURVE =
  "in WebAssembly, four times slower: the package secp256k1 has no binary for this machine (npm rebuild secp256k1 makes one)";

/** What an operator or a new user needs to know at the start, with one paid call to copy. */
export function startupReport(config: Config, service: RunningService, startedInMs: number): string {
  const { devnet, postgres, context, url, hasConsole } = service;
  const rows: [string, string][] = [
    ["service", `${url}  (ready in ${(startedInMs / 1000).toFixed(1)} s)`],
    [
      "chain",
      devnet ? `embedded, chain id 8453, ${devnet.rpcUrl}` : `${config.rpcUrls?.length} node(s) from RPC_URL`,
    ],
    [
      "database",
      postgres ? `embedded PostgreSQL in ${postgres.dataDirectory}` : "PostgreSQL from DATABASE_URL",
    ],
    [
      "x402",
      config.facilitatorUrl
        ? `facilitator ${context.facilitator.description}`
        : context.facilitator.description,
    ],
    ["payments", `${context.settings.stablecoin.address} to ${context.settings.payTo}`],
    [
      "signs as",
      context.signer.isRemote ? `${context.signer.address}, ${context.signer.place}` : context.signer.address,
    ],
  ];
  const reports = context.chain.listNodes();
  for (const report of reports) {
    const limits = describeLimits(report, reports, context.chain.blockTimeMs());
    if (limits.length === 0) rows.push(["node", `${report.node}: can do everything that is asked of it`]);
    for (const limit of limits) rows.push(["node", `${report.node}: ${limit}`]);
  }
  if (curve.form === "WebAssembly") rows.push(["signatures", SLOWER_CURVE]);
  if (config.rateLimits === "off") rows.push(["rate limits", "OFF: for benchmarks and load tests only"]);
  if (config.webTestHosts)
    rows.push(["test hosts", `${[...config.webTestHosts.keys()].join(", ")}: read on this machine`]);
  if (config.browserPath)
    rows.push(["browser", `${config.browserPath}: runs the scripts of pages that show nothing without them`]);
  if (config.failpoint) rows.push(["failpoint", `${config.failpoint}: this process will kill itself there`]);
  const lines = ["", "Assay", ...rows.map(([name, value]) => `  ${name.padEnd(12)}${value}`), ""];
  // The console works only at the root of an origin.
  if (hasConsole && new URL(url).pathname === "/")
    lines.push(`  Open ${url} in a browser to see, try and verify.`, "");
  if (devnet) {
    const wallet = devnet.accounts[0];
    lines.push(
      postgres
        ? "  The embedded chain lives in memory: this is a new world, and the embedded database starts empty with it."
        : "  The embedded chain lives in memory and ends with this process.",
      `  Test wallet ${wallet?.name}: ${wallet?.address}  (keys and contracts: ${join(config.dataDir, "devnet.json")})`,
      "",
      "  A paid call, from another terminal:",
      `    npx assay call contract.guard --address ${devnet.contracts.upgradeableProxy}${flagsOf(config, url)}`,
      "",
    );
  }
  return `${lines.join("\n")}\n`;
}

/** The options that `assay` needs where this service does not use the defaults. */
function flagsOf({ port, dataDir }: Config, url: string): string {
  const place = port === 8402 ? "" : ` --url ${url}`;
  return resolve(dataDir) === resolve(".data") ? place : `${place} --data-dir ${quoteForShell(dataDir)}`;
}

const quoteForShell = (text: string) =>
  /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
