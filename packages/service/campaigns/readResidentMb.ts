import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import type { ServiceProcess } from "./campaignWorld.js";

/** Resident memory of a service, as the operating system counts it. */
export async function readResidentMb({ child }: ServiceProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => undefined);
  const kilobytes = status
    ? /VmRSS:\s+(\d+)/.exec(status)?.[1]
    : (await promisify(execFile)("ps", ["-o", "rss=", "-p", String(child.pid)])).stdout.trim();
  return Math.round(Number(kilobytes) / 1024);
}
