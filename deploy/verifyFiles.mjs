// Has the programs that read these files judge them: systemd (`systemd-analyze`) the unit, Prometheus (`promtool`) its settings and rules.
// Alertmanager (`amtool`) and Caddy their own. `npm run campaign:deploy`; Debian has all of them (systemd, prometheus,
// prometheus-alertmanager, caddy), and `-- --promtool=<path> --amtool=<path> --caddy=<path>` name others. Each is also shown a
// file that it must refuse.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const { promtool, amtool, caddy } = parseArgs({
  options: {
    promtool: { type: "string", default: "promtool" },
    amtool: { type: "string", default: "amtool" },
    caddy: { type: "string", default: "caddy" },
  },
}).values;
const folder = mkdtempSync(join(tmpdir(), "assay-deploy-"));
const read = (path) => readFileSync(join(import.meta.dirname, path), "utf8");
const findings = [];

/** What the program says, and whether it found fault: `systemd-analyze verify` ends with 0 where it ignores a line. */
function judge(program, args) {
  try {
    return {
      said: execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }),
      failed: false,
    };
  } catch (error) {
    if (error.code === "ENOENT") throw new Error(`${program} is not installed`);
    return { said: `${error.stdout}${error.stderr}`, failed: true };
  }
}

function verify(name, whole, broken, run) {
  const [good, bad] = [run(whole), run(broken)];
  if (!bad.failed) findings.push(`${name}: the control was accepted`);
  if (good.failed) findings.push(`${name}: ${good.said.trim()}`);
  process.stdout.write(
    `${good.failed ? "FAULT" : "ok   "} ${name}; the control: ${bad.said.trim().split("\n").at(-1)}\n`,
  );
}

try {
  const unit = read("systemd/assay.service").replaceAll("/usr/bin/node", process.execPath);
  verify("assay.service by systemd-analyze verify", unit, unit.replace("Type=exec", "Type=exce"), (text) => {
    const path = join(folder, "assay.service");
    writeFileSync(path, text);
    const { said, failed } = judge("sh", ["-c", `systemd-analyze verify --man=no ${path} 2>&1`]);
    if (/not found/.test(said) && failed) throw new Error("systemd-analyze is not installed");
    return { said, failed: failed || said.includes(path) || /assay\.service/.test(said) };
  });
  const exposure = judge("systemd-analyze", [
    "security",
    "--offline=true",
    "--threshold=20",
    join(folder, "assay.service"),
  ]);
  if (exposure.failed) findings.push("assay.service: exposed above 2.0");
  process.stdout.write(`      ${exposure.said.trim().split("\n").at(-1)}\n`);

  const rules = read("prometheus/alerts.yml");
  verify("alerts.yml by promtool check rules", rules, rules.replace(/expr: .*/, "expr: sum("), (text) => {
    const path = join(folder, "alerts.yml");
    writeFileSync(path, text);
    return judge(promtool, ["check", "rules", path]);
  });
  writeFileSync(join(folder, "alerts.yml"), rules);
  writeFileSync(join(folder, "token"), "token");
  // The token is where the container has it.
  const settings = read("prometheus/prometheus.yml").replace(
    "/run/secrets/metrics_token",
    join(folder, "token"),
  );
  verify(
    "prometheus.yml by promtool check config",
    settings,
    settings.replace("scrape_interval", "scrape_intervall"),
    (text) => {
      const path = join(folder, "prometheus.yml");
      writeFileSync(path, text);
      return judge(promtool, ["check", "config", path]);
    },
  );
  cpSync(join(import.meta.dirname, "prometheus/alerts.test.yml"), join(folder, "alerts.test.yml"));
  const tried = judge(promtool, ["test", "rules", join(folder, "alerts.test.yml")]);
  if (tried.failed) findings.push(`alerts.test.yml: ${tried.said.trim()}`);
  process.stdout.write(`${tried.failed ? "FAULT" : "ok   "} alerts.yml by promtool test rules\n`);

  // Debian's program is older than addresses in files (0.26).
  const receivers = read("prometheus/alertmanager.yml").replace(/url_file: .*/, 'url: "http://127.0.0.1:9"');
  verify(
    "alertmanager.yml by amtool check-config",
    receivers,
    receivers.replace("receiver: operator", "receiver: nobody"),
    (text) => {
      const path = join(folder, "alertmanager.yml");
      writeFileSync(path, text);
      return judge(amtool, ["check-config", path]);
    },
  );

  const proxy = read("Caddyfile").replace("{$DOMAIN}", "assay.example");
  verify("Caddyfile by caddy validate", proxy, proxy.replace("reverse_proxy", "reverse_prxy"), (text) => {
    const path = join(folder, "Caddyfile");
    writeFileSync(path, text);
    return judge(caddy, ["validate", "--adapter", "caddyfile", "--config", path]);
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const finding of findings) process.stderr.write(`${finding}\n`);
process.exitCode = findings.length > 0 ? 1 : 0;
