import { readFileSync, readlinkSync } from "node:fs";

/** The number of this thread in the operating system; null where it has no `/proc`. */
export function findTaskId(): string | null {
  try {
    return readlinkSync("/proc/thread-self").split("/").at(-1) ?? null;
  } catch {
    return null;
  }
}

/** The processor time of a thread. Linux counts in hundredths of a second (proc(5), `utime` and `stime`). */
export function readTaskCpuMs(taskId: string | null): number | undefined {
  if (taskId === null) return undefined;
  try {
    const stat = readFileSync(`/proc/self/task/${taskId}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return undefined;
  }
}
