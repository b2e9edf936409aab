// The tables of docs/scaling.md: `node bench/scaling/tables.mjs` prints them, `--write` puts them into the page.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isInTime, keepsUp, simulate } from "./simulate.mjs";

const inputs = JSON.parse(readFileSync(join(import.meta.dirname, "inputs.json"), "utf8"));
const page = join(import.meta.dirname, "../../docs/scaling.md");

const percent = (share) => `${Math.round(share * 100)} %`;
const ms = (value) => (value >= 1000 ? `${(value / 1000).toFixed(1)} s` : `${Math.round(value)} ms`);

/** What callers bear: a stored answer paid by voucher comes at once, a transfer waits for blocks. */
const bearableMs = { voucher: 250, exact: 2000 };

/** From small to large. */
const deployments = [
  { processes: 1, databaseCores: 1 },
  { processes: 4, databaseCores: 2 },
  { processes: 8, databaseCores: 4 },
  { processes: 32, databaseCores: 16 },
];
const rates = [100, 1000, 10_000];

function tableOf(kind) {
  const rows = rates.flatMap((rate) =>
    deployments.map((deployment) => {
      const result = simulate(inputs, rate, { ...deployment, kind });
      const isEnough = keepsUp(result);
      const answer = isInTime(result, bearableMs[kind]) ? "yes" : "late";
      return [
        rate.toLocaleString("en"),
        `${deployment.processes} + ${deployment.databaseCores}`,
        isEnough ? answer : `no, ${Math.round(result.finishedPerSecond).toLocaleString("en")} a second`,
        isEnough ? `${ms(result.medianMs)}, ${ms(result.p99Ms)}` : "grows",
        Object.values(result.loads).map(percent).join(", "),
        result.limit,
      ];
    }),
  );
  const stations = kind === "exact" ? "service, PostgreSQL, log, gas" : "service, PostgreSQL, log";
  return render(
    [
      "calls a second",
      "cores: service + PostgreSQL",
      "keeps up",
      "half, 99 % within",
      stations,
      "first limit",
    ],
    rows,
  );
}

/** Processes far from the database: each commit holds the head of the log for a round trip. */
function tableOfDistances() {
  const rows = [0.2, 1, 10, 80].map((roundTripMs) => {
    const deployment = { processes: 8, databaseCores: 4, kind: "voucher", roundTripMs };
    const most = mostPerSecond(deployment, 2000);
    const { limit } = simulate(inputs, most * 1.3, deployment);
    return [`${roundTripMs} ms`, most.toLocaleString("en"), limit];
  });
  return render(["round trip to PostgreSQL", "most calls a second", "first limit"], rows);
}

function tableOfCores() {
  const rows = ["voucher", "exact"].flatMap((kind) =>
    [1, 2, 4, 8].map((processes) => {
      const most = mostPerSecond({ processes, databaseCores: processes, kind }, bearableMs[kind]);
      return [
        kind,
        String(processes),
        most.toLocaleString("en"),
        Math.round(most / processes).toLocaleString("en"),
      ];
    }),
  );
  return render(
    ["paid by", "cores of the service, as many of PostgreSQL", "most calls a second", "for each core"],
    rows,
  );
}

/** Processes enough, so that PostgreSQL gives way first; more of them would only commit smaller batches. */
function tableOfDatabases() {
  const rows = ["voucher", "exact"].flatMap((kind) =>
    [1, 2, 4].map((databaseCores) => {
      const deployment = { processes: 6 * databaseCores, databaseCores, kind };
      const most = mostPerSecond(deployment, bearableMs[kind]);
      const { limit } = simulate(inputs, most * 1.3, deployment);
      return [
        kind,
        String(databaseCores),
        String(deployment.processes),
        most.toLocaleString("en"),
        Math.round(most / databaseCores).toLocaleString("en"),
        limit,
      ];
    }),
  );
  return render(
    [
      "paid by",
      "cores of PostgreSQL",
      "of the service",
      "most calls a second",
      "for each core of PostgreSQL",
      "first limit",
    ],
    rows,
  );
}

/** Two significant figures are as many as the inputs have. */
function mostPerSecond(deployment, withinMs) {
  let [low, high] = [1, 40_000];
  while (high / low > 1.05) {
    const rate = Math.sqrt(low * high);
    if (isInTime(simulate({ ...inputs, seconds: 8 }, rate, deployment), withinMs)) low = rate;
    else high = rate;
  }
  return Number(low.toPrecision(2));
}

function tableOfDisk() {
  const { bytes } = inputs.calls.voucher;
  const rows = rates.map((rate) => {
    const aDay = rate * 86_400;
    return [
      rate.toLocaleString("en"),
      (aDay / 1e6).toLocaleString("en", { maximumFractionDigits: 1 }),
      gigabytes(rate * 3600 * 3300),
      gigabytes(aDay * bytes),
      gigabytes(aDay * bytes * 365),
    ];
  });
  return render(
    ["calls a second", "million calls a day", "an hour that is not packed yet", "added a day", "a year"],
    rows,
  );
}

const gigabytes = (bytes) => {
  const value = bytes / 1e9;
  return value >= 1000 ? `${(value / 1000).toFixed(1)} TB` : `${value.toFixed(value < 10 ? 1 : 0)} GB`;
};

const render = (heading, rows) =>
  [heading, heading.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

export const tables = {
  cores: tableOfCores,
  databases: tableOfDatabases,
  vouchers: () => tableOf("voucher"),
  transfers: () => tableOf("exact"),
  distances: tableOfDistances,
  disk: tableOfDisk,
};

/** The page with each table between its marks. */
export function fillIn(text, chosen = Object.keys(tables)) {
  return chosen.reduce((filled, name) => {
    const marks = new RegExp(`(<!-- table: ${name} -->\n)[^]*?(<!-- end -->)`);
    if (!marks.test(filled)) throw new Error(`docs/scaling.md has no place for the table ${name}`);
    return filled.replace(marks, (_, before, after) => `${before}\n${tables[name]()}\n\n${after}`);
  }, text);
}

if (import.meta.filename === process.argv[1]) {
  if (process.argv.includes("--write")) writeFileSync(page, fillIn(readFileSync(page, "utf8")));
  else for (const table of Object.values(tables)) process.stdout.write(`${table()}\n\n`);
}
