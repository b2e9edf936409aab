import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { type AwaitMessage, receiveMessages, type ThreadMessage } from "@assay/pages";
import { type Hex, type Reading, unanswered, valueReading } from "@assay/protocol";
import { MAX_SELECTORS } from "../selectorScan.js";

/** The function selectors in this code, in ascending order; unanswered, with the reason, when the scan did not end. */
type ScanSelectors = (code: Hex) => Promise<Reading<readonly Hex[]>>;

interface ScanLimits {
  /** For one scan. */
  readonly timeMs: number;
  /** A scan that has waited longer than this behind others is refused. */
  readonly waitMs: number;
}

/**
 * The scanner runs the code symbolically and bounds its steps, but not the cost of a step: sixteen bytes made for the
 * purpose keep it busy for seconds. Ordinary code of the largest size takes some ten milliseconds.
 */
const LIMITS: ScanLimits = { timeMs: 2_000, waitMs: 5_000 };
/** Loading the scanner, on a busy machine. */
const START_LIMIT_MS = 10_000;

export function createSelectorScanner(limits: ScanLimits = LIMITS): ScanSelectors {
  return createCodeScanner<readonly string[], readonly Hex[]>(
    `(contractInfo(code, { selectors: true }).functions ?? []).map(({ selector }) => selector)`,
    (found) =>
      found.length > MAX_SELECTORS
        ? unanswered("too_many_selectors")
        : valueReading([...new Set(found)].sort().map((selector): Hex => `0x${selector}`)),
    limits,
  );
}

/**
 * Scans one piece of code after the other in a thread of its own, which ends with any scan that must be stopped. The
 * expression is evaluated there, of `code` and evmole's `contractInfo`; its value is a list.
 */
export function createCodeScanner<Found extends readonly unknown[], T>(
  expression: string,
  read: (found: Found) => Reading<T>,
  limits: ScanLimits = LIMITS,
): (code: Hex) => Promise<Reading<T>> {
  let running: Scanner<Found> | undefined;
  let lastTurn: Promise<unknown> = Promise.resolve();
  const underWay = new Map<Hex, Promise<Reading<T>>>();

  async function scan(code: Hex): Promise<Reading<T>> {
    const scanner = running ?? startScanner<Found>(expression);
    let message: ThreadMessage<Found> | readonly never[] = running
      ? []
      : await scanner.awaitMessage(START_LIMIT_MS);
    if (typeof message !== "string") {
      scanner.send(code);
      message = await scanner.awaitMessage(limits.timeMs);
    }
    running = typeof message === "string" ? undefined : scanner;
    if (typeof message === "string") {
      scanner.stop();
      return unanswered(message === "failed" ? "scanner_failed" : message);
    }
    return read(message as Found);
  }

  return (code) => {
    const shared = underWay.get(code);
    if (shared) return shared;
    const queuedAtMs = performance.now();
    const turn = lastTurn.then(() =>
      performance.now() - queuedAtMs > limits.waitMs ? unanswered("scanner_busy") : scan(code),
    );
    lastTurn = turn;
    underWay.set(code, turn);
    void turn.finally(() => underWay.delete(code));
    return turn;
  };
}

interface Scanner<Found> {
  readonly awaitMessage: AwaitMessage<Found>;
  send(code: Hex): void;
  stop(): void;
}

// A string and not a file: Node itself loads a worker, and a file would have another name in the sources than when
// compiled.
const writeProgram = (expression: string) => `
const { parentPort, workerData } = require("node:worker_threads");
const { contractInfo } = require(workerData);
parentPort.on("message", (code) => {
  parentPort.postMessage(${expression});
});
parentPort.postMessage([]);
`;

function startScanner<Found>(expression: string): Scanner<Found> {
  const worker = new Worker(writeProgram(expression), {
    eval: true,
    execArgv: [],
    workerData: createRequire(import.meta.url).resolve("evmole"),
  });
  worker.unref();
  return {
    awaitMessage: receiveMessages(worker),
    send: (code) => worker.postMessage(code),
    stop: () => void worker.terminate(),
  };
}
