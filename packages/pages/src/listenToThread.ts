import type { Worker } from "node:worker_threads";

/** What a thread says, or why it says nothing. */
export type Heard<Said> = Said | "time_limit" | "failed";
/** The next thing it says. */
export type ListenToThread<Said> = (limitMs: number) => Promise<Heard<Said>>;

/** One listener at a time: what a thread says while nobody listens is lost. */
export function listenToThread<Said>(worker: Worker): ListenToThread<Said> {
  let hear: (word: Said | "failed") => void = () => {};
  worker.on("message", (said: Said) => hear(said));
  worker.on("error", () => hear("failed"));
  return (limitMs) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, limitMs, "time_limit" as const);
      hear = (word) => {
        clearTimeout(timer);
        resolve(word);
      };
    });
}
