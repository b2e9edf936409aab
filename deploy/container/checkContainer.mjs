// What must be true of the image's last stage, tried in its root.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { argumentsOf, runInRoot } from "./enterRoot.mjs";
import { USER_ID } from "./replayStages.mjs";

/** Processor time of all threads in milliseconds: user and system are the fields after the name in brackets, in hundredths of a second. */
function readCpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

const readStatus = (url) =>
  fetch(url).then(
    (response) => response.status,
    () => 0,
  );

/** A collector of traces as far as the service knows one: it takes what is sent, and counts it. */
async function openCollector() {
  let spans = 0;
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { resourceSpans } = JSON.parse(text);
    for (const { scopeSpans } of resourceSpans) for (const one of scopeSpans) spans += one.spans.length;
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  return { url, count: () => spans, close: () => new Promise((closed) => server.close(closed)) };
}

/**
 * Tries the image over an external database and node, and starts it so many times more to see how long that takes. `buy` pays for an
 * answer at a URL and returns the path of its shared page. `check` takes whether something holds, and the sentence.
 */
export async function checkContainer({ root, image, env, port, starts, isRoot, buy, check }) {
  const run = (args, settings) => runInRoot(root, image, args, settings, isRoot);
  const origin = `http://127.0.0.1:${port}`;
  const start = async (settings = {}) => {
    const startedAt = performance.now();
    const service = run(argumentsOf(image.command), { ...env, PORT: port, ...settings });
    while ((await readStatus(`${origin}/api/v1/health`)) !== 200) {
      if (service.child.exitCode !== null) throw new Error(`the service ended: ${service.said()}`);
      await sleep(5);
    }
    const ms = Math.round(performance.now() - startedAt);
    const cpuMs = isRoot ? readCpuMs(service.child.pid) : 0;
    const stop = async () => {
      service.child.kill("SIGTERM");
      const code = await service.ended;
      if (code !== 0) check(false, `SIGTERM ends it with ${code}: ${service.said()}`);
    };
    return { ms, cpuMs, stop, child: service.child };
  };
  const health = () => run(argumentsOf(image.health), { PORT: port }).ended;

  checkFiles(root, check);
  check((await health()) === 1, "the health check fails while nothing runs");
  const collector = await openCollector();
  const service = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  try {
    if (isRoot) await checkConfinement(service, run, check);
    check((await health()) === 0, "the health check passes");
    const page = await buy(origin);
    check(page !== undefined, "a paid call is answered");
    const picture = await fetch(`${origin}${page}/card.png`);
    check(
      picture.headers.get("content-type") === "image/png",
      `a link to its answer has a picture (${picture.status})`,
    );
  } finally {
    await service.stop();
    await collector.close();
  }
  check(collector.count() > 0, `a collector of traces got ${collector.count() > 0 ? "spans" : "nothing"}`);
  const { DATABASE_URL: _, ...lacking } = env;
  const without = run(argumentsOf(image.command), { ...lacking, PORT: port });
  check(
    (await without.ended) !== 0,
    `without DATABASE_URL it does not start: ${without.said().trim().split("\n")[0]}`,
  );

  const [times, cpuTimes] = [[], []];
  for (let i = 0; i < starts; i++) {
    const { ms, cpuMs, stop } = await start();
    times.push(ms);
    cpuTimes.push(cpuMs);
    await stop();
  }
  for (const list of [times, cpuTimes]) list.sort((a, b) => a - b);
  return { times, cpuTimes };
}

function checkFiles(root, check) {
  const files = execFileSync("find", [root, "-type", "f"], { encoding: "utf8" }).trim().split("\n");
  const programs = files.filter((file) =>
    /\/(gcc|g\+\+|cc|clang|make|ld|as|python\d?|npm|sh|bash|curl)$/.test(file),
  );
  check(
    programs.length === 0,
    `the last root has ${files.length} files, and no compiler, shell or package manager ${programs}`,
  );
}

async function checkConfinement({ child }, run, check) {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  const field = (name) => new RegExp(`^${name}:\\s+(.*)$`, "m").exec(status)?.[1] ?? "";
  check(
    field("Uid") === Array(4).fill(USER_ID).join("\t"),
    `the service runs as user ${field("Uid").split("\t")[0]}`,
  );
  check(/^0+$/.test(field("CapEff")) && field("NoNewPrivs") === "1", "it has no capability and can get none");
  const write = (path) => run(["-e", `require("node:fs").writeFileSync("${path}", "")`], {});
  for (const path of ["/assay/packages/service/dist/bundle/main.js", "/written", "/etc/passwd"]) {
    const { ended, said } = write(path);
    check((await ended) !== 0 && /EROFS/.test(said()), `${path} cannot be written`);
  }
  check((await write("/data/written").ended) === 0, "/data can");
}
