import { spawn } from "node:child_process";

const running = new Set();

/**
 * Runs a script with Node. `stop` sends the signal, waits, and only kills a process that does not end by itself;
 * `onKill` then clears away what the killed one could not.
 */
export function startProcess({ name, args, env = {}, withIpc = false, stopSignal, graceMs = 3_000, onKill }) {
  // Only what a process needs to run: the caller's own settings must not reach a subject.
  const inherited = Object.fromEntries(
    ["PATH", "HOME", "TMPDIR", "LANG"].map((key) => [key, process.env[key]]).filter(([, value]) => value),
  );
  const child = spawn(process.execPath, args, {
    env: { ...inherited, ...env },
    stdio: ["ignore", "pipe", "pipe", ...(withIpc ? ["ipc"] : [])],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output = (output + chunk).slice(-4000);
    });
  const exited = new Promise((done) => child.once("exit", done));
  const handle = {
    name,
    process: child,
    pid: child.pid,
    readOutput: () => output.trim(),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    async stop() {
      if (!handle.hasEnded()) child.kill(stopSignal);
      const timer = setTimeout(() => {
        child.kill("SIGKILL");
        onKill?.();
      }, graceMs);
      await exited;
      clearTimeout(timer);
      running.delete(handle);
    },
    stopSignal,
  };
  running.add(handle);
  return handle;
}

/** Stops every process that is still running; each is waited for. */
export async function stopProcesses() {
  await Promise.allSettled([...running].map((handle) => handle.stop()));
}

// The last resort, when the driver itself ends unexpectedly: there is no waiting here, only a word to each.
process.on("exit", () => {
  for (const handle of running) if (!handle.hasEnded()) handle.process.kill(handle.stopSignal);
});
