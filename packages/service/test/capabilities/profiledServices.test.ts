import { describeLimits } from "@assay/chain";
import { getProfile, providerProfiles } from "@assay/chain/testing/providerProfiles";
import { checkDeployment } from "@assay/client";
import { borrowDevnet, type LentDevnet } from "@assay/devnet/testing/sharedDevnet";
import { healthSchema } from "@assay/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../src/start/config.js";
import { startupReport } from "../../src/start/startupReport.js";
import { readDocsTable, writeDocsTable } from "./testing/docsTable.js";
import { type MoneyOutcome, moneyRows } from "./testing/moneyRows.js";
import { type ProfiledService, startBehindProfile } from "./testing/profiledService.js";

/** `npm run campaign:nodes` starts a service behind every profile, and writes two tables of docs/node-faults.md. */
const EVERYTHING = process.env.ASSAY_EVERY_PROFILE !== undefined;
/** What the suite starts behind: its node refuses much, and for ever. */
const IN_SUITE = "free tier: events of 10 blocks, no traces";
const profiles = EVERYTHING ? providerProfiles : [getProfile(IN_SUITE)];
/** So that every depth that a node is asked for is there. */
const BLOCKS = EVERYTHING ? 1_100 : 150;
const BLOCK_TIME_MS = 500;
/** The table tells blocks as time on Base. */
const BASE_BLOCK_MS = 200;

let lent: LentDevnet;
let heart: NodeJS.Timeout;
beforeAll(async () => {
  lent = await borrowDevnet();
  await lent.devnet.mine(BLOCKS);
  heart = setInterval(() => void lent.devnet.mine().catch(() => undefined), BLOCK_TIME_MS);
}, 120_000);
afterAll(async () => {
  clearInterval(heart);
  await lent?.release();
});

const said = new Map<string, readonly string[]>();
const came = new Map<string, ReadonlyMap<string, MoneyOutcome>>();

describe("a service behind a provider", () => {
  test.each(profiles)(
    "$name: says what its node lacks, takes money for what it gives, and leaves nothing open",
    { timeout: 300_000 },
    async (profile) => {
      const settler = lent.devnet.accounts.find(({ name }) => name === "judy");
      const service = await startBehindProfile(lent.devnet, profile, settler?.privateKey ?? "0x");
      try {
        await readReports(service);
        came.set(profile.name, await takeMoney(service));
        // What it did meanwhile is said too.
        said.set(profile.name, await readReports(service));
        // At once: a long campaign may be ended before its end.
        if (EVERYTHING) drawTables();
      } finally {
        await service.stop();
      }
    },
  );
});

/** The start-up report, health and the doctor name the same limits: those of the node that is there. */
async function readReports({ context, node, url, ...service }: ProfiledService): Promise<string[]> {
  const reports = context.chain.listNodes();
  const limits = reports.flatMap((report) => describeLimits(report, reports, context.chain.blockTimeMs()));
  const report = startupReport(readConfig({}), { context, url, ...service }, 1_000);
  const response = await fetch(`${url}/api/v1/health`);
  const health = healthSchema.parse(await response.json());
  const chain = health.dependencies.find(({ name }) => name === "chain");
  const { steps } = await checkDeployment({ baseUrl: url });
  const doctor = steps.find(({ name }) => name === "chain");
  for (const limit of limits.map(withoutTimes)) {
    expect(withoutTimes(report)).toContain(`${reports[0]?.node}: ${limit}\n`);
    if (chain?.ok) expect(withoutTimes(chain.detail)).toContain(limit);
    if (doctor?.ok) expect(withoutTimes(doctor.detail)).toContain(limit);
  }
  if (limits.length === 0) expect(report).toContain("can do everything that is asked of it");
  return reports.flatMap((one) => describeLimits(one, reports, BASE_BLOCK_MS));
}

/** The block time is measured anew all the time. */
const withoutTimes = (text: string) => text.replaceAll(/ \(\d+ (s|min)\)/g, "");

/** Side by side, as callers come. */
async function takeMoney(service: ProfiledService): Promise<ReadonlyMap<string, MoneyOutcome>> {
  const outcomes = await Promise.all(moneyRows.map((row) => row.run(service)));
  const wrong = moneyRows.filter(({ usual }, i) => ![usual, "503"].includes(outcomes[i] ?? ""));
  expect(wrong.map(({ name }) => [name, outcomes[moneyRows.findIndex((row) => row.name === name)]])).toEqual(
    [],
  );
  return new Map(moneyRows.map(({ name }, i) => [name, outcomes[i] ?? ""]));
}

test("docs/node-faults.md has a row for each profile, with what its node is said to lack", () => {
  if (EVERYTHING) return;
  const [start, money] = [readDocsTable("start"), readDocsTable("money")];
  for (const { name } of providerProfiles)
    for (const table of [start, money]) expect(table).toContain(`| ${name} |`);
  const refusing = said.get(IN_SUITE) ?? [];
  expect(refusing).not.toEqual([]);
  for (const limit of refusing) expect(start).toContain(limit);
});

function drawTables(): void {
  const names = providerProfiles.map(({ name }) => name);
  const list = (limits: readonly string[]) => (limits.length === 0 ? "nothing" : limits.join("; "));
  writeDocsTable(
    "start",
    ["the node", "what it is said to lack"],
    [...said].map(([name, limits]) => [name, list(limits)]),
    names,
  );
  writeDocsTable(
    "money",
    ["the node", ...moneyRows.map(({ name }) => name)],
    [...came].map(([name, outcomes]) => [name, ...moneyRows.map((row) => outcomes.get(row.name) ?? "–")]),
    names,
  );
}
