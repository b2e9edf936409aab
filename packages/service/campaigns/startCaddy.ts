import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "@assay/chain/testing/until";
import { packageFolder } from "../src/base/packageFolder.js";
import type { Balancer } from "./startBalancer.js";

/** Characters of Caddy's log that are kept, and lines of it that are reported. */
const [MOST_LOG, MOST_ERRORS] = [1_000_000, 5];
/** One port for all, as containers have it; each process has an address of its own on this machine. */
const PROCESS_PORT = "18402";
/** DNS (RFC 1035): an address of four bytes; a response without error to a question that wished for recursion. */
const [TYPE_A, CLASS_IN, RESPONSE] = [1, 1, 0x8180];

/** deploy/Caddyfile itself, run by Debian's Caddy. It finds the processes by a name, as in the network of Docker. */
export async function startCaddy(): Promise<Balancer> {
  const processes = new Set<string>();
  const names = await startNameServer(processes);
  const folder = await mkdtemp(join(tmpdir(), "assay-caddy-"));
  const port = await findFreePort();
  const written = await readFile(fileURLToPath(new URL("../../deploy/Caddyfile", packageFolder)), "utf8");
  const settings = written
    .replace("{$DOMAIN}", `{\n\tadmin off\n\tauto_https off\n}\nhttp://127.0.0.1:${port}`)
    .replace("port 8402", `port ${PROCESS_PORT}\n\t\t\tresolvers udp/127.0.0.1:${names.port}`);
  await writeFile(join(folder, "Caddyfile"), settings);
  const caddy = spawn("caddy", ["run", "--config", join(folder, "Caddyfile"), "--adapter", "caddyfile"], {
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  caddy.stderr.on("data", (chunk) => {
    log = (log + chunk).slice(-MOST_LOG);
  });
  const ended = once(caddy, "close");
  let started = 0;
  const url = `http://127.0.0.1:${port}`;
  // It answers 503 while there is no process.
  await until(() =>
    fetch(url).then(
      () => true,
      () => undefined,
    ),
  );
  return {
    url,
    processes,
    placeNext: () => ({ HOST: `127.0.0.${(started++ % 250) + 2}`, PORT: PROCESS_PORT }),
    passedOn: () => undefined,
    errors: () =>
      log
        .split("\n")
        .filter((line) => line.includes('"level":"error"'))
        .slice(-MOST_ERRORS),
    async close() {
      caddy.kill("SIGKILL");
      await ended;
      await names.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Answers every name with the addresses of all processes. */
async function startNameServer(processes: ReadonlySet<string>) {
  const server = createSocket("udp4");
  server.on("message", (query, from) => {
    const endOfName = query.indexOf(0, 12) + 1;
    const isAddress = query.readUInt16BE(endOfName) === TYPE_A;
    const addresses = isAddress
      ? [...processes].map((url) => new URL(url).hostname.split(".").map(Number))
      : [];
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(RESPONSE, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    // The name is that of the question, the address may be kept for no second.
    const answers = addresses.map((bytes) =>
      Buffer.from([0xc0, 12, 0, TYPE_A, 0, CLASS_IN, 0, 0, 0, 0, 0, 4, ...bytes]),
    );
    server.send(
      Buffer.concat([header, query.subarray(12, endOfName + 4), ...answers]),
      from.port,
      from.address,
    );
  });
  server.bind(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: server.address().port,
    async close() {
      server.close();
      await once(server, "close");
    },
  };
}
