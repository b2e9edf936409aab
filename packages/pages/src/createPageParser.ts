import { Worker } from "node:worker_threads";
import { AssayError } from "@assay/protocol";
import { createHostQueue } from "./hostQueue.js";
import { type Heard, type ListenToThread, listenToThread } from "./listenToThread.js";
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
/** One page that takes long leaves another thread to all others. */
const MAX_THREADS = 2;
/** Each waiting page holds its bytes, 2 MiB at most. */
const QUEUE_LIMITS = { maxWaitingPerHost: 8, maxInAll: 32 };
/** Loading the parser, on a busy machine. */
const START_LIMIT_MS = 20_000;
/** Node itself loads a thread's code, so it is the compiled file, whether this one is source or compiled. */
const PROGRAM = new URL("../dist/pageThread.js", import.meta.url);

/**
 * Parses pages in threads of their own, which end with any page that breaks its limits. Pages from one address take turns, so
 * that no site can keep more than one thread busy, however many of its pages are asked for.
 */
export function createPageParser(limits: ParserLimits = LIMITS): PageParser {
  const inTurn = createHostQueue(QUEUE_LIMITS);
  const idle: Thread[] = [];
  /** Who waits for a thread, the longest first. */
  const waiting: (() => void)[] = [];
  let busy = 0;

  async function takeThread(): Promise<Thread> {
    if (busy < MAX_THREADS) busy += 1;
    else await new Promise<void>((begin) => waiting.push(begin));
    return idle.pop() ?? startThread(limits.heapMb);
  }

  async function giveBack(thread: Thread, isAlive: boolean): Promise<void> {
    // One idle thread is enough to begin at once.
    if (isAlive && idle.length === 0) idle.push(thread);
    else await thread.stop();
    const next = waiting.shift();
    if (next) next();
    else busy -= 1;
  }

  async function parseIn(thread: Thread, page: FetchedPage): Promise<Heard<ThreadAnswer>> {
    if (!(await thread.isReady)) return "failed";
    const { bytes, charset, contentType, finalUrl } = page;
    thread.ask({ bytes, charset, contentType, finalUrl });
    return thread.listen(limits.timeMs);
  }

  async function parse(page: FetchedPage, patience: AbortSignal): Promise<ParsedPage> {
    const thread = await takeThread();
    if (patience.aborted) {
      await giveBack(thread, true);
      throw new AssayError("overloaded", "Too many pages wait to be parsed.", { retryAfterSeconds: 5 });
    }
    const said = await parseIn(thread, page);
    await giveBack(thread, typeof said === "object");
    if (said === "time_limit") throw unsupported("It takes too long to parse.");
    if (said === "failed") throw unsupported("It takes more memory to parse than it may have.");
    if ("page" in said) return said.page;
    throw unsupported(said.refusal);
  }

  return {
    parse(page) {
      const patience = AbortSignal.timeout(limits.waitMs);
      return inTurn(page.remoteAddress, patience, () => parse(page, patience));
    },
    async close() {
      await Promise.all(idle.splice(0).map((thread) => thread.stop()));
    },
  };
}

const unsupported = (reason: string) =>
  new AssayError("web_page_unsupported", `The page cannot be read. ${reason}`);

interface Thread {
  /** False when it could not be started in time. */
  readonly isReady: Promise<boolean>;
  readonly listen: ListenToThread<ThreadAnswer>;
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
  const listen = listenToThread<"ready" | ThreadAnswer>(worker);
  return {
    isReady: listen(START_LIMIT_MS).then((said) => said === "ready"),
    // It says "ready" once, before anything is asked of it.
    listen: listen as ListenToThread<ThreadAnswer>,
    ask: (source) => worker.postMessage(source),
    stop: () => worker.terminate(),
  };
}
