import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { createMetrics } from "../packages/service/src/base/metrics.js";
import { readConfig } from "../packages/service/src/start/config.js";
import { secretSettings } from "../packages/service/src/start/readSecretFiles.js";

const read = (path: string) => readFileSync(join(import.meta.dirname, path), "utf8");

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly runbook: string };
}
const alerts = (parse(read("prometheus/alerts.yml")) as { groups: { rules: Alert[] }[] }).groups.flatMap(
  ({ rules }) => rules,
);
const { panels } = JSON.parse(read("grafana/assay.json")) as {
  panels: { title: string; targets: { expr: string }[] }[];
};

/** Every series that a process can show, with the ones that a histogram makes. */
const series = new Set(
  createMetrics()
    .registry.getMetricsAsArray()
    .flatMap(({ name }) => [name, `${name}_bucket`, `${name}_count`, `${name}_sum`]),
);
const listSeries = (expr: string) => expr.match(/\b(assay|process|nodejs)_[a-z_]+/g) ?? [];

test("alerts and dashboard ask for series that exist", () => {
  const expressions = [
    ...alerts.map(({ expr }) => expr),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  expect(expressions.length).toBeGreaterThan(30);
  for (const expr of expressions) {
    const asked = listSeries(expr);
    expect(asked.filter((name) => !series.has(name))).toEqual([]);
    if (!/\b(up|ALERTS)\{/.test(expr)) expect(asked).not.toEqual([]);
  }
  // Control: what nobody measures is noticed.
  expect(series.has("assay_head_age_minutes")).toBe(false);
});

test("every alert has its section in the runbook, and every section its alert", () => {
  const headings = [...read("../docs/runbook.md").matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(headings).toEqual(alerts.map(({ alert }) => alert));
  for (const { alert, annotations } of alerts)
    expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
});

test("every alert fires in one of promtool's tests", () => {
  interface Tried {
    readonly alertname: string;
    readonly exp_alerts?: readonly unknown[];
  }
  const { tests } = parse(read("prometheus/alerts.test.yml")) as { tests: { alert_rule_test: Tried[] }[] };
  const fired = tests.flatMap(({ alert_rule_test: all }) =>
    all.filter(({ exp_alerts: expected = [] }) => expected.length > 0).map(({ alertname }) => alertname),
  );
  expect(new Set(fired)).toEqual(new Set(alerts.map(({ alert }) => alert)));
});

test("unit, compose file and manifests set only what the service knows, and secrets only by file", () => {
  const known = (name: string) => name.replace(/_FILE$/, "");
  const settings = new Set(
    read("../README.md")
      .match(/`[A-Z][A-Z_]+`/g)
      ?.map((name) => name.slice(1, -1)),
  );
  const isOurs = (name: string) => !["NODE_ENV", "DOMAIN"].includes(name);
  const compose = parse(read("compose.yaml")) as {
    services: { assay: { environment: Record<string, string>; secrets: string[] } };
    secrets: Record<string, unknown>;
  };
  const unit = read("systemd/assay.service");
  const manifests = parseAllDocuments(read("kubernetes/assay.yaml")).map((one) => one.toJS());
  const container = manifests.find(({ kind }) => kind === "Deployment").spec.template.spec.containers[0];
  const given = [
    ...Object.keys(compose.services.assay.environment),
    ...[...unit.matchAll(/^Environment=([A-Z_]+)=/gm)].map(([, name]) => name as string),
    ...container.env.map(({ name }: { name: string }) => name),
    ...Object.keys(manifests.find(({ kind }) => kind === "ConfigMap").data),
    ...[...read("assay.env.example").matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name as string),
  ].filter(isOurs);
  expect(given.length).toBeGreaterThan(15);
  for (const name of given) {
    expect(settings).toContain(known(name));
    if (!name.endsWith("_FILE")) expect(secretSettings).not.toContain(name);
  }
  for (const name of compose.services.assay.secrets) expect(Object.keys(compose.secrets)).toContain(name);
});

test("the example of settings is accepted, and so is each manifest's", () => {
  const env = Object.fromEntries(
    [...read("assay.env.example").matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  expect(readConfig(env).payTo).toMatch(/^0x1{40}$/);
});

test("what the image is made of exists", () => {
  const [, list = ""] = /const files = \[([^\]]+)\]/.exec(read("assemble.mjs")) ?? [];
  const paths = [...list.matchAll(/"([^"]+)"/g)];
  expect(paths.length).toBeGreaterThan(5);
  for (const [, path] of paths) {
    const place = join(import.meta.dirname, "..", path as string);
    // Built by `npm run build`, which also runs after an installation.
    expect(existsSync(place), path).toBe(true);
    if (statSync(place).isDirectory()) expect(readdirSync(place).length, path).toBeGreaterThan(0);
  }
});
