import { Worker } from "node:worker_threads";
import type { WorldResult, WorldsTask } from "./playWorlds.js";
import type { ThreadData } from "./simulationThread.js";

/** Plays tasks, each on the next thread that is free. */
export interface ThreadPool {
  play(task: WorldsTask): Promise<WorldResult[]>;
  readonly size: number;
  close(): Promise<void>;
}

type Answer = { readonly results: WorldResult[] } | { readonly failure: string };

interface Thread {
  readonly worker: Worker;
  ask(task: WorldsTask): Promise<WorldResult[]>;
}

function startThread(data: ThreadData): Thread {
  const worker = new Worker(new URL("./simulationThread.js", import.meta.url), {
    workerData: data,
    // Most of what a world makes lives as long as the world.
    resourceLimits: { maxYoungGenerationSizeMb: 64 },
  });
  return {
    worker,
    ask: (task) =>
      new Promise((resolve, reject) => {
        const done = () => {
          worker.off("message", onMessage);
          worker.off("error", onError);
        };
        const onError = (error: Error) => {
          done();
          reject(error);
        };
        const onMessage = (answer: Answer) => {
          done();
          if ("results" in answer) resolve(answer.results);
          else reject(new Error(answer.failure));
        };
        worker.once("message", onMessage);
        worker.once("error", onError);
        worker.postMessage(task);
      }),
  };
}

/** Threads need the built program; 0 of them play in the caller's own, from sources too. */
export function createThreadPool(threads: number, data: ThreadData): ThreadPool {
  if (threads === 0) {
    // Loaded only here: where threads play, this one would load the service for nothing.
    const play: ThreadPool["play"] = async (task) => (await import("./playWorlds.js")).playWorlds(task);
    return { size: 1, play, close: async () => undefined };
  }
  const all = Array.from({ length: threads }, () => startThread(data));
  const idle = [...all];
  const waiting: ((thread: Thread) => void)[] = [];
  const free = (thread: Thread) => {
    const next = waiting.shift();
    if (next) next(thread);
    else idle.push(thread);
  };
  return {
    size: threads,
    async play(task) {
      const thread = idle.pop() ?? (await new Promise<Thread>((resolve) => waiting.push(resolve)));
      try {
        return await thread.ask(task);
      } finally {
        free(thread);
      }
    },
    async close() {
      await Promise.all(all.map(({ worker }) => worker.terminate()));
    },
  };
}
