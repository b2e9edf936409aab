import { readdirSync, readFileSync } from "node:fs";

// Linux counts CPU time in ticks of a hundredth of a second.
const tickMs = 10;

function readStat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may contain any character; the fields after it are numbers.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { parent: Number(fields[1]), cpuMs: (Number(fields[11]) + Number(fields[12])) * tickMs };
  } catch {
    return undefined;
  }
}

/** CPU time of one process and all its threads so far. */
export const readCpuMs = (pid) => readStat(pid)?.cpuMs ?? Number.NaN;

export function readResidentMb(pid) {
  const text = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(text)?.[1]) / 1024;
}

/** The child processes of this one: for Assay, its PostgreSQL. */
export function listDescendants(pid) {
  const parents = readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map((entry) => [Number(entry), readStat(entry)?.parent]);
  const found = [];
  const visit = (parent) => {
    for (const [child, itsParent] of parents)
      if (itsParent === parent) {
        found.push(child);
        visit(child);
      }
  };
  visit(pid);
  return found;
}

export function readDescendantsCpuMs(pid) {
  return listDescendants(pid).reduce((sum, child) => sum + (readStat(child)?.cpuMs ?? 0), 0);
}

/** Memory of the child processes; a page that several of them share is divided among them. */
export function readDescendantsMb(pid) {
  return listDescendants(pid).reduce((sum, child) => {
    try {
      const text = readFileSync(`/proc/${child}/smaps_rollup`, "utf8");
      return sum + Number(/^Pss:\s+(\d+)/m.exec(text)?.[1]) / 1024;
    } catch {
      return sum;
    }
  }, 0);
}
