import { fork } from "node:child_process";
import { once } from "node:events";

/** A mutant that turns a loop into an endless one would hold a worker for ever; the tests took seconds without it. */
const LIMIT_MS = 180_000;

/** A process that runs tests against mutants, started anew after one that it could not end. */
export function createTester(root) {
  let child;

  const stop = async () => {
    if (!child?.pid) return;
    const ended = child;
    child = undefined;
    const isOver = once(ended, "exit");
    // Its workers too: they are what an endless loop holds.
    process.kill(-ended.pid, "SIGKILL");
    await isOver;
  };

  const start = async () => {
    const started = fork(new URL("tester.mjs", import.meta.url), {
      cwd: root,
      detached: true,
      silent: true,
      env: { ...process.env, ASSAY_MUTANTS: "1" },
    });
    let output = "";
    for (const stream of [started.stdout, started.stderr])
      stream.on("data", (chunk) => {
        output = (output + chunk).slice(-4_000);
      });
    const failed = once(started, "exit").then(() =>
      Promise.reject(new Error(`The tests did not start: ${output}`)),
    );
    await Promise.race([once(started, "message"), failed]);
    failed.catch(() => undefined);
    return started;
  };

  return {
    /** The name of what noticed the mutant, or null. */
    async run(question) {
      child ??= await start();
      let timer;
      const isLate = new Promise((done) => {
        timer = setTimeout(() => done("the time limit"), LIMIT_MS);
      });
      const answered = once(child, "message").then(([{ killedBy }]) => killedBy);
      const died = once(child, "exit").then(() => "the end of its process");
      child.send(question);
      const killedBy = await Promise.race([answered, died, isLate]);
      clearTimeout(timer);
      if (killedBy === "the time limit" || killedBy === "the end of its process") await stop();
      return killedBy;
    },
    stop,
  };
}
