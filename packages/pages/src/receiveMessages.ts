import type { Worker } from "node:worker_threads";

/** A thread's message, or why there is none: it did not come in time, or the thread failed. */
export type ThreadMessage<Message> = Message | "time_limit" | "failed";
/** Waits for the thread's next message. */
export type AwaitMessage<Message> = (limitMs: number) => Promise<ThreadMessage<Message>>;

/** One caller waits at a time; a message that arrives while none waits is dropped. */
export function receiveMessages<Message>(worker: Worker): AwaitMessage<Message> {
  let receive: (message: Message | "failed") => void = () => {};
  worker.on("message", (message: Message) => receive(message));
  worker.on("error", () => receive("failed"));
  return (limitMs) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, limitMs, "time_limit" as const);
      receive = (message) => {
        clearTimeout(timer);
        resolve(message);
      };
    });
}
