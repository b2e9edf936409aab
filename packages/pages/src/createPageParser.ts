import { Worker } from "node:worker_threads";
import { AssayError } from "@assay/protocol";
import { PDF_TYPE } from "./decodePage.js";
import { createHostQueue } from "./hostQueue.js";
import { PAGE_PROGRAM } from "./pageProgram.js";
import type { ThreadAnswer, ThreadReady, ThreadTask } from "./pageThread.js";
import { type AwaitMessage, receiveMessages, type ThreadMessage } from "./receiveMessages.js";
import { readTaskCpuMs } from "./taskCpu.js";
import type { FetchedPage, PageParser } from "./types.js";

export interface ParserLimits {
  /** The processor time of the thread for one page: what a page costs, however busy the machine is. */
  readonly cpuMs: number;
  /** A page that has waited longer than this behind others is refused. */
  readonly waitMs: number;
  /** Of JavaScript objects; a page of 2 MiB needs some 100. */
  readonly heapMb: number;
}

const DEFAULT_LIMITS: ParserLimits = { cpuMs: 5_000, waitMs: 10_000, heapMb: 256 };
/** While one page takes long, the other thread serves all others. */
const MAX_THREADS = 2;
/** Each waiting page holds its bytes, 2 MiB at most. */
const QUEUE_LIMITS = { maxWaitingPerHost: 8, maxInAll: 32 };
/** How often the thread's processor time is read. */
const POLL_MS = 50;
/** A thread that did not get its processor time within this says nothing about its page. */
const MAX_WALL_MS = 40_000;
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

  async function runIn(thread: Thread, task: ThreadTask): Promise<ThreadMessage<ThreadAnswer> | "starved"> {
    if (!(await thread.isReady)) return "failed";
    const startedAtMs = Date.now();
    const startedCpuMs = thread.readCpuMs();
    thread.send(task);
    for (;;) {
      const message = await thread.awaitAnswer(POLL_MS);
      if (message !== "time_limit") return message;
      const wallMs = Date.now() - startedAtMs;
      if (thread.readCpuMs() - startedCpuMs >= limits.cpuMs) return "time_limit";
      if (wallMs >= MAX_WALL_MS) return "starved";
    }
  }

  async function run(task: ThreadTask, patience: AbortSignal): Promise<ThreadAnswer> {
    const thread = await takeThread();
    if (patience.aborted) {
      await giveBack(thread, true);
      throw overloaded();
    }
    const answer = await runIn(thread, task);
    // pdf.js may go on with parts of a file that nobody waits for, and fail there when another page is parsed.
    const isClean = task.sheets === null || task.source.contentType !== PDF_TYPE;
    await giveBack(thread, typeof answer === "object" && isClean);
    if (answer === "starved") throw overloaded();
    if (answer === "time_limit") throw unsupported("It takes too long to parse.");
    if (answer === "failed") throw unsupported("Parsing it takes more memory than is allowed.");
    if ("refusal" in answer) throw unsupported(answer.refusal);
    return answer;
  }

  function ask(page: FetchedPage, sheets: ThreadTask["sheets"]): Promise<ThreadAnswer> {
    const patience = AbortSignal.timeout(limits.waitMs);
    const { bytes, charset, contentType, finalUrl } = page;
    const task: ThreadTask = { source: { bytes, charset, contentType, finalUrl }, sheets };
    return inTurn(page.remoteAddress, patience, () => run(task, patience));
  }

  return {
    async listSheets(page) {
      const answer = await ask(page, null);
      return "requests" in answer ? answer.requests : [];
    },
    async parse(page, sheets = []) {
      const answer = await ask(page, sheets);
      if (!("page" in answer)) throw new Error("The thread answered another question.");
      return answer.page;
    },
    async close() {
      await Promise.all(idle.splice(0).map((thread) => thread.stop()));
    },
  };
}

const overloaded = () =>
  new AssayError("overloaded", "Too many pages wait to be parsed.", { retryAfterSeconds: 5 });

const unsupported = (reason: string) =>
  new AssayError("web_page_unsupported", `The page cannot be read. ${reason}`);

interface Thread {
  /** False when it did not start in time. */
  readonly isReady: Promise<boolean>;
  readonly awaitAnswer: AwaitMessage<ThreadAnswer>;
  send(task: ThreadTask): void;
  /** The processor time that it has used; the time of day where that cannot be read. */
  readCpuMs(): number;
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
  const awaitMessage = receiveMessages<ThreadReady | ThreadAnswer>(worker);
  let threadId: string | null = null;
  let lastCpuMs = 0;
  return {
    isReady: awaitMessage(START_LIMIT_MS).then((message) => {
      if (typeof message !== "object" || !("threadId" in message)) return false;
      threadId = message.threadId;
      return true;
    }),
    // It is ready once, before its first answer.
    awaitAnswer: awaitMessage as AwaitMessage<ThreadAnswer>,
    send: (task) => worker.postMessage(task),
    readCpuMs() {
      // A thread that has just ended has no time any more.
      lastCpuMs = readTaskCpuMs(threadId) ?? (threadId === null ? Date.now() : lastCpuMs);
      return lastCpuMs;
    },
    stop: () => worker.terminate(),
  };
}
