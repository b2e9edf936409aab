import { text } from "node:stream/consumers";
import { describeFileError } from "./describeFileError.js";
import { createPaint, isDecorated, type Paint } from "./text.js";

/** Where a command reads its settings and writes its output. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly paint: Paint;
  print(text: string): void;
  /** Resolves once everything printed is written; rejects with the reason when some of it cannot be. */
  flush(): Promise<void>;
  /** Standard input, to its end. */
  readInput(): Promise<string>;
  /** Asks the person at the terminal; undefined where nobody is there. */
  confirm(question: string): Promise<boolean | undefined>;
  /** For people, on standard error. */
  warn(text: string): void;
  /** Aborted at an interrupt: a command that has sent a payment must still report it and keep the payment. */
  abortOnInterrupt(): AbortSignal;
  /** Asks the person at the terminal; undefined where there is none. Rejects once the signal is aborted. */
  readonly ask?: ((question: string, signal: AbortSignal) => Promise<string>) | undefined;
  /** Shows a progress line until `work` is done. */
  whileWaiting<T>(what: string, work: () => Promise<T>): Promise<T>;
  exitCode: number;
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 80;
/** Shorter work shows no progress line. */
const QUIET_MS = 250;

/** Draws on a line of its own and clears it at the end. */
async function spin<T>(
  stream: { write(text: string): unknown },
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  const startedAtMs = Date.now();
  let frame = 0;
  const timer = setInterval(() => {
    const waitedMs = Date.now() - startedAtMs;
    if (waitedMs < QUIET_MS) return;
    frame = (frame + 1) % FRAMES.length;
    stream.write(`\r${FRAMES[frame]} ${what} ${(waitedMs / 1000).toFixed(1)} s\u001b[K`);
  }, FRAME_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (frame > 0) stream.write("\r\u001b[K");
  }
}

interface Output {
  readonly isTTY?: boolean;
  write(text: string, done?: (error?: Error | null) => void): unknown;
}

/** `assay catalog | head` closes the pipe early, which is not a failure. */
const isClosedPipe = (error: Error) => "code" in error && error.code === "EPIPE";

/** Catches both ways in which a stream fails: by its callback, or by throwing, as the stream of a file does. */
async function write(stream: Output, text: string): Promise<void> {
  try {
    await new Promise<void>((done, fail) => {
      stream.write(text, (error) => (error && !isClosedPipe(error) ? fail(error) : done()));
    });
  } catch (error) {
    throw new Error(`standard output cannot be written: ${describeFileError(error)}`);
  }
}

async function askAtTerminal(question: string, signal: AbortSignal): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // While a line is read, an interrupt is given to its reader only.
  lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    return await lines.question(question, { signal });
  } finally {
    lines.close();
  }
}

/** The terminal of this process. */
export function openTerminal(
  env: Terminal["env"] = process.env,
  stdout: Output = process.stdout,
  stderr: Output = process.stderr,
): Terminal {
  let printed: Promise<unknown> = Promise.resolve();
  return {
    env,
    paint: createPaint(isDecorated(stdout, env)),
    print(text) {
      printed = Promise.all([printed, write(stdout, text)]);
      // flush reports it.
      printed.catch(() => {});
    },
    flush: async () => {
      await printed;
    },
    readInput: () => text(process.stdin),
    async confirm(question) {
      if (!process.stdin.isTTY || !stderr.isTTY) return undefined;
      const { createInterface } = await import("node:readline/promises");
      const reader = createInterface({ input: process.stdin, output: process.stderr });
      try {
        return /^y(es)?$/i.test((await reader.question(`${question} [y/N] `)).trim());
      } finally {
        reader.close();
      }
    },
    warn: (text) => stderr.write(text),
    abortOnInterrupt() {
      const controller = new AbortController();
      process.once("SIGINT", () => controller.abort(new Error("interrupted")));
      return controller.signal;
    },
    ask: process.stdin.isTTY && stderr.isTTY ? askAtTerminal : undefined,
    whileWaiting: (what, work) => (isDecorated(stderr, env) ? spin(stderr, what, work) : work()),
    exitCode: 0,
  };
}
