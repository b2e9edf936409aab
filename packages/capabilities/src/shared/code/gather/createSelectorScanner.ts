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

/** Scans one piece of code after the other in a thread of its own, which ends with any scan that must be stopped. */
export function createSelectorScanner(limits: ScanLimits = LIMITS): ScanSelectors {
  let running: Scanner | undefined;
  let lastTurn: Promise<unknown> = Promise.resolve();
  const underWay = new Map<Hex, Promise<Reading<readonly Hex[]>>>();

  async function scan(code: Hex): Promise<Reading<readonly Hex[]>> {
    const scanner = running ?? startScanner();
    let message: ThreadMessage<readonly string[]> = running ? [] : await scanner.awaitMessage(START_LIMIT_MS);
    if (typeof message !== "string") {
      scanner.send(code);
      message = await scanner.awaitMessage(limits.timeMs);
    }
    running = typeof message === "string" ? undefined : scanner;
    if (typeof message === "string") {
      scanner.stop();
      return unanswered(message === "failed" ? "scanner_failed" : message);
    }
    if (message.length > MAX_SELECTORS) return unanswered("too_many_selectors");
    return valueReading([...new Set(message)].sort().map((selector): Hex => `0x${selector}`));
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

interface Scanner {
  readonly awaitMessage: AwaitMessage<readonly string[]>;
  send(code: Hex): void;
  stop(): void;
}

// A string and not a file: Node itself loads a worker, and a file would have another name in the sources than when
// compiled.
const PROGRAM = `
const { parentPort, workerData } = require("node:worker_threads");
const { contractInfo } = require(workerData);
parentPort.on("message", (code) => {
  parentPort.postMessage((contractInfo(code, { selectors: true }).functions ?? []).map(({ selector }) => selector));
});
parentPort.postMessage([]);
`;

function startScanner(): Scanner {
  const worker = new Worker(PROGRAM, {
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
