import { spawn } from "node:child_process";

const running = new Set();
let isOver = false;

/**
 * Runs a script with Node. `stop` sends the signal, waits, and kills only a process that does not end by itself;
 * `onKill` then stops what the killed process could not stop. `onStopped` removes its files.
 */
export function startProcess({
  args,
  env = {},
  withIpc = false,
  stopSignal,
  graceMs = 3_000,
  onKill,
  onStopped,
}) {
  if (isOver) throw new Error("The benchmark is being stopped.");
  // Only variables that every process needs: the caller's own settings must not reach a subject.
  const inherited = ["PATH", "HOME", "TMPDIR", "LANG"].flatMap((key) =>
    process.env[key] ? [[key, process.env[key]]] : [],
  );
  const child = spawn(process.execPath, args, {
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: ["ignore", "pipe", "pipe", ...(withIpc ? ["ipc"] : [])],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output = (output + chunk).slice(-4000);
    });
  const exited = new Promise((done) => child.once("exit", done));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  let stopping;

  async function stopOnce() {
    if (!hasEnded()) child.kill(stopSignal);
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      onKill?.();
    }, graceMs);
    if (!hasEnded()) await exited;
    clearTimeout(timer);
    running.delete(handle);
    onStopped?.();
  }

  const handle = {
    process: child,
    pid: child.pid,
    stopSignal,
    hasEnded,
    readOutput: () => output.trim(),
    stop() {
      stopping ??= stopOnce();
      return stopping;
    },
  };
  running.add(handle);
  return handle;
}

/** Stops every process that is still running and waits for each. */
export async function stopProcesses() {
  await Promise.allSettled([...running].map((handle) => handle.stop()));
}

/** The same, and no process can be started afterwards. */
export async function stopProcessesForGood() {
  isOver = true;
  await stopProcesses();
}

// The last resort, when the driver ends unexpectedly: each process gets a signal, because waiting is not possible here.
process.on("exit", () => {
  for (const handle of running) if (!handle.hasEnded()) handle.process.kill(handle.stopSignal);
});
