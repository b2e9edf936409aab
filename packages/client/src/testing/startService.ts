import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type ConnectedService, connectToService } from "./connectToService.js";

const root = resolve(import.meta.dirname, "../../../..");

export interface RunningService extends ConnectedService {
  /** What it has printed so far. */
  output(): string;
  stop(): Promise<void>;
}

/** The built service as its users run it: own process, embedded chain and database. */
export async function startService(settings: Record<string, string> = {}): Promise<RunningService> {
  const dataDir = await mkdtemp(join(tmpdir(), "assay-client-"));
  const child = spawn(process.execPath, [join(root, "packages/service/dist/bundle/main.js")], {
    cwd: dataDir,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: "0",
      DATA_DIR: dataDir,
      LOG_LEVEL: "warn",
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const exited = once(child, "exit");
  const url = await new Promise<string>((ready, fail) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      const found = /^\s*service\s+(http:\S+)/m.exec(output)?.[1];
      if (found) ready(found);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", () => fail(new Error(`the service did not start:\n${output}`)));
  });
  return {
    ...(await connectToService({ url, dataDir })),
    output: () => output,
    async stop() {
      child.kill("SIGINT");
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
