import { existsSync, readFileSync } from "node:fs";

/** Fields of /proc/<pid>/stat after the parenthesised command name, which may itself hold spaces. */
function readStat(pid: number): string[] | undefined {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, "utf8");
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}

/** True while the process runs. A zombie, which a container without an init never reaps, does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  return readStat(pid)?.[0] !== "Z";
}

/** When a process began, in the kernel's ticks: distinguishes a reused process id from its first owner. */
export function startOf(pid: number): string {
  return readStat(pid)?.[19] ?? "";
}
