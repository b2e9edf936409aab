import { Worker } from "node:worker_threads";
import { AssayError } from "@assay/protocol";
import { createHostQueue } from "./hostQueue.js";
import { PAGE_PROGRAM } from "./pageProgram.js";
import type { ThreadAnswer } from "./pageThread.js";
import { type AwaitMessage, receiveMessages, type ThreadMessage } from "./receiveMessages.js";
import type { FetchedPage, PageParser, ParsedPage } from "./types.js";

export interface ParserLimits {
  /** For one page. */
  readonly timeMs: number;
  /** A page that has waited longer than this behind others is refused. */
  readonly waitMs: number;
  /** Of JavaScript objects; a page of 2 MiB needs some 100. */
  readonly heapMb: number;
}

const DEFAULT_LIMITS: ParserLimits = { timeMs: 8_000, waitMs: 10_000, heapMb: 256 };
/** While one page takes long, the other thread serves all others. */
const MAX_THREADS = 2;
/** Each waiting page holds its bytes, 2 MiB at most. */
const QUEUE_LIMITS = { maxWaitingPerHost: 8, maxInAll: 32 };
/** For loading the parser on a busy machine. */
const START_LIMIT_MS = 20_000;

/**
 * Parses pages in threads, each of which is ended with a page that exceeds its limits. Pages from one address take turns, so
 * that no site can occupy more than one thread, however many of its pages are asked for.
 */
export function createPageParser(limits: ParserLimits = DEFAULT_LIMITS): PageParser {
  const inTurn = createHostQueue(QUEUE_LIMITS);
  const idle: Thread[] = [];
  /** Pages that wait for a thread, in the order of their arrival. */
  const waiting: (() => void)[] = [];
  let busy = 0;

  async function takeThread(): Promise<Thread> {
    if (busy < MAX_THREADS) busy += 1;
    else await new Promise<void>((begin) => waiting.push(begin));
    return idle.pop() ?? startThread(limits.heapMb);
  }

  async function giveBack(thread: Thread, isUsable: boolean): Promise<void> {
    // One idle thread is enough for the next page to begin at once.
    if (isUsable && idle.length === 0) idle.push(thread);
    else await thread.stop();
    const next = waiting.shift();
    if (next) next();
    else busy -= 1;
  }

  async function parseIn(thread: Thread, page: FetchedPage): Promise<ThreadMessage<ThreadAnswer>> {
    if (!(await thread.isReady)) return "failed";
    const { bytes, charset, contentType, finalUrl } = page;
    thread.send({ bytes, charset, contentType, finalUrl });
    return thread.awaitAnswer(limits.timeMs);
  }

  async function parse(page: FetchedPage, patience: AbortSignal): Promise<ParsedPage> {
    const thread = await takeThread();
    if (patience.aborted) {
      await giveBack(thread, true);
      throw new AssayError("overloaded", "Too many pages wait to be parsed.", { retryAfterSeconds: 5 });
    }
    const answer = await parseIn(thread, page);
    await giveBack(thread, typeof answer === "object");
    if (answer === "time_limit") throw unsupported("It takes too long to parse.");
    if (answer === "failed") throw unsupported("Parsing it takes more memory than is allowed.");
    if ("page" in answer) return answer.page;
    throw unsupported(answer.refusal);
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
  /** False when it did not start in time. */
  readonly isReady: Promise<boolean>;
  readonly awaitAnswer: AwaitMessage<ThreadAnswer>;
  send(source: Parameters<typeof import("./parsePage.js").parsePage>[0]): void;
  stop(): Promise<unknown>;
}

function startThread(heapMb: number): Thread {
  const worker = new Worker(PAGE_PROGRAM, {
    execArgv: [],
    // The pages are not trusted, so the thread that reads them gets no secrets.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32 },
  });
  worker.unref();
  const awaitMessage = receiveMessages<"ready" | ThreadAnswer>(worker);
  return {
    isReady: awaitMessage(START_LIMIT_MS).then((message) => message === "ready"),
    // It sends "ready" once, before its first answer.
    awaitAnswer: awaitMessage as AwaitMessage<ThreadAnswer>,
    send: (source) => worker.postMessage(source),
    stop: () => worker.terminate(),
  };
}
