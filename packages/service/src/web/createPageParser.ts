import { Worker } from "node:worker_threads";
import { AssayError } from "@assay/protocol";
import { type Heard, type ListenToThread, listenToThread } from "../listenToThread.js";
import type { ThreadAnswer } from "./pageThread.js";
import type { FetchedPage, PageParser, ParsedPage } from "./types.js";

export interface ParserLimits {
  /** For one page. */
  readonly timeMs: number;
  /** Who has waited longer than this behind others is turned away. */
  readonly waitMs: number;
  /** Of JavaScript objects; a page of 2 MiB needs some 100. */
  readonly heapMb: number;
}

const LIMITS: ParserLimits = { timeMs: 8_000, waitMs: 10_000, heapMb: 256 };
/** Loading the parser, on a busy machine. */
const START_LIMIT_MS = 20_000;
/** Node itself loads a thread's code, so it is the compiled file, whether this one is source or compiled. */
const PROGRAM = new URL("../../dist/web/pageThread.js", import.meta.url);

/** Parses one page after the other in a thread of its own, which ends with any page that breaks its limits. */
export function createPageParser(limits: ParserLimits = LIMITS): PageParser {
  let running: Thread | undefined;
  let lastTurn: Promise<unknown> = Promise.resolve();

  async function parse({ bytes, charset, contentType, finalUrl }: FetchedPage): Promise<ParsedPage> {
    const thread = running ?? startThread(limits.heapMb);
    let said: Heard<"ready" | ThreadAnswer> = running ? "ready" : await thread.listen(START_LIMIT_MS);
    if (said === "ready") {
      thread.ask({ bytes, charset, contentType, finalUrl });
      said = await thread.listen(limits.timeMs);
    }
    if (typeof said === "object") {
      running = thread;
      if ("page" in said) return said.page;
      throw unsupported(said.refusal);
    }
    running = undefined;
    await thread.stop();
    throw unsupported(
      said === "time_limit"
        ? "It takes too long to parse."
        : "It takes more memory to parse than it may have.",
    );
  }

  return {
    parse(page) {
      const queuedAtMs = performance.now();
      const turn = lastTurn.then(() => {
        if (performance.now() - queuedAtMs > limits.waitMs)
          throw new AssayError("overloaded", "Too many pages wait to be parsed.", { retryAfterSeconds: 5 });
        return parse(page);
      });
      lastTurn = turn.catch(() => undefined);
      return turn;
    },
    async close() {
      await running?.stop();
      running = undefined;
    },
  };
}

const unsupported = (reason: string) =>
  new AssayError("web_page_unsupported", `The page cannot be read. ${reason}`);

interface Thread {
  readonly listen: ListenToThread<"ready" | ThreadAnswer>;
  ask(source: Parameters<typeof import("./parsePage.js").parsePage>[0]): void;
  stop(): Promise<unknown>;
}

function startThread(heapMb: number): Thread {
  const worker = new Worker(PROGRAM, {
    execArgv: [],
    // No secrets where strangers' pages are read.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32 },
  });
  worker.unref();
  return {
    listen: listenToThread(worker),
    ask: (source) => worker.postMessage(source),
    stop: () => worker.terminate(),
  };
}
