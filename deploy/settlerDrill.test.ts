import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { expect, test } from "vitest";
import { fetchChallenge, send, signPayment } from "../packages/service/test/payer.js";
import { useTestService } from "../packages/service/test/useTestService.js";

// A settling key runs dry. The service, the chain and every figure are real. `npm run campaign:alerts` has promtool judge the
// series that were read here by the alert rules, each reading held for four minutes.

const key = generatePrivateKey();
const service = useTestService({ RATE_LIMITS: "off", SETTLER_PRIVATE_KEY: key });

/** Series of one reading, with their labels. */
type Reading = Readonly<Record<string, number>>;
const LEFT = 'assay_settlements_left{settler="1"}';
const BALANCE = 'assay_settler_balance_ether{settler="1"}';

const readMetrics = async (): Promise<Reading> => {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const lines = text.split("\n").filter((line) => line.startsWith("assay_"));
  return Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.lastIndexOf(" ")),
      Number(line.slice(line.lastIndexOf(" ") + 1)),
    ]),
  );
};

const giveEther = (ether: number) =>
  fetch(service.chainOf.rpcUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "hardhat_setBalance",
      params: [privateKeyToAddress(key), `0x${BigInt(Math.round(ether * 1e18)).toString(16)}`],
    }),
  });

const readHealth = async () => {
  const response = await fetch(`${service.url}/api/v1/health`);
  const { dependencies } = (await response.json()) as {
    dependencies: { name: string; ok: boolean; detail: string }[];
  };
  return { status: response.status, x402: dependencies.find(({ name }) => name === "x402") };
};

test("a settling key runs dry: the alert fires, health turns, callers are refused before any work, and all recovers by itself", async () => {
  const readings: Reading[] = [];
  const readUntil = async (isThere: (left: number) => boolean) => {
    await expect.poll(async () => isThere((await readMetrics())[LEFT] ?? -1), { timeout: 15_000 }).toBe(true);
    readings.push(await readMetrics());
  };
  await giveEther(1);
  await readUntil((left) => left > 1_000);
  const perSettlement = (readings[0]?.[BALANCE] ?? 0) / (readings[0]?.[LEFT] ?? 1);
  await expect.poll(async () => (await readHealth()).status, { timeout: 15_000 }).toBe(200);

  await giveEther(500 * perSettlement);
  await readUntil((left) => left >= 100 && left < 1_000);
  expect((await readHealth()).status).toBe(200);

  const url = service.invokeUrl("token.metadata", { address: service.chainOf.contracts.plainToken });
  const payment = await signPayment(service.account("alice"), await fetchChallenge(url));
  await giveEther(0);
  await readUntil((left) => left < 1);
  await expect.poll(readHealth, { timeout: 15_000 }).toMatchObject({ status: 503, x402: { ok: false } });
  expect((await readHealth()).x402?.detail).toMatch(/ether|gas|settle/);
  // Until the key has ether again, the same payment is refused with the cause and without a charge.
  await expect.poll(async () => (await send(url, payment)).status, { timeout: 15_000 }).toBe(503);
  const refused = await send(url, payment);
  const problem = (await refused.json()) as { code: string; detail: string };
  expect([problem.code, refused.headers.get("retry-after")]).toEqual([
    "facilitator_unavailable",
    expect.any(String),
  ]);
  expect(problem.detail).toMatch(/nothing was charged/i);
  const [settled] = await service.db.query({ text: "SELECT 1 FROM invocations WHERE state = 'settled'" });
  expect(settled).toBeUndefined();

  await giveEther(1);
  await expect.poll(async () => (await send(url, payment)).status, { timeout: 20_000 }).toBe(200);
  await readUntil((left) => left > 1_000);
  await expect.poll(async () => (await readHealth()).status, { timeout: 15_000 }).toBe(200);

  if (process.env.ASSAY_PROMTOOL) await judge(process.env.ASSAY_PROMTOOL, readings);
}, 90_000);

/** Has promtool run the alert rules over all series that were read. */
async function judge(promtool: string, readings: readonly Reading[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "assay-alerts-"));
  const names = [...new Set(readings.flatMap((reading) => Object.keys(reading)))];
  const series = names.map((name) => ({
    series: name,
    // `_x16`: this reading for sixteen more steps of fifteen seconds, or none.
    values: readings.map((reading) => (name in reading ? `${reading[name]}x15` : "_x16")).join(" "),
  }));
  const [low, empty] = readings.slice(1).map((reading) => reading[LEFT]);
  const alert = (severity: string, summary: string, runbook: string) => ({
    exp_labels: { severity, settler: "1" },
    exp_annotations: { summary, runbook },
  });
  const lowText = (left?: number) =>
    alert(
      "warn",
      `Settling key 1 has ether for ${left} settlements; below 100 the service is unready.`,
      "docs/runbook.md#assaysettlerlow",
    );
  const tests = [
    { eval_time: "3m", alertname: "AssaySettlerLow", exp_alerts: [] as object[] },
    { eval_time: "7m", alertname: "AssaySettlerLow", exp_alerts: [lowText(low)] },
    { eval_time: "7m", alertname: "AssaySettlerEmpty", exp_alerts: [] },
    {
      eval_time: "9m",
      alertname: "AssaySettlerEmpty",
      exp_alerts: [
        alert(
          "page",
          `Settling key 1 has ether for ${empty} settlements: the service is unready.`,
          "docs/runbook.md#assaysettlerempty",
        ),
      ],
    },
    ...[
      "AssaySettlerLow",
      "AssaySettlerEmpty",
      "AssayErrors",
      "AssayLogRefuses",
      "AssayPaymentUnknown",
      "AssayDatabaseAway",
    ].map((alertname) => ({ eval_time: "15m30s", alertname, exp_alerts: [] as object[] })),
  ];
  const file = join(folder, "drill.yml");
  await writeFile(
    file,
    JSON.stringify({
      rule_files: [join(import.meta.dirname, "prometheus/alerts.yml")],
      evaluation_interval: "15s",
      tests: [
        {
          interval: "15s",
          input_series: [{ series: 'up{job="assay",instance="a"}', values: "1x63" }, ...series],
          alert_rule_test: tests,
        },
      ],
    }),
  );
  const { stdout } = await promisify(execFile)(promtool, ["test", "rules", file]);
  process.stdout.write(
    `${names.length} series of ${readings.length} readings, settlements left ${readings.map((one) => one[LEFT]).join(", ")}\n${stdout}`,
  );
  // Control: the same rules over the same series do not hold what is not so.
  const wrong = { ...JSON.parse(await readFile(file, "utf8")) } as {
    tests: { alert_rule_test: { exp_alerts: object[] }[] }[];
  };
  for (const one of wrong.tests[0]?.alert_rule_test ?? []) one.exp_alerts = [];
  await writeFile(file, JSON.stringify(wrong));
  await expect(promisify(execFile)(promtool, ["test", "rules", file])).rejects.toThrow("AssaySettlerEmpty");
  await rm(folder, { recursive: true, force: true });
}
