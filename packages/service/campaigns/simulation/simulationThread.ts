import { register } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { WorldsTask } from "./playWorlds.js";
import type { Removal } from "./sourceProtections.js";

/** What a thread is started with. */
export interface ThreadData {
  /** A control: what is left out of a source while it is loaded. */
  readonly removal: Removal | undefined;
}

const { removal } = workerData as ThreadData;
if (removal) register("./leaveOut.js", { parentURL: import.meta.url, data: removal });
// Not before: the sources must not be loaded yet.
const { playWorlds } = await import("./playWorlds.js");
parentPort?.on("message", (task: WorldsTask) => {
  playWorlds(task).then(
    (results) => parentPort?.postMessage({ results }),
    (error: Error) => parentPort?.postMessage({ failure: error.stack }),
  );
});
