import { text } from "node:stream/consumers";
import { describeFileError } from "./describeFileError.js";
import { createPaint, isDecorated, type Paint } from "./text.js";

/** Where a command finds its settings and leaves what it has to say. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly paint: Paint;
  print(text: string): void;
  /** Resolves once all that was printed is written; rejects when some of it cannot be, and says why. */
  flush(): Promise<void>;
  /** What is piped in, to its end. */
  readInput(): Promise<string>;
  /** Beside the output, for people. */
  warn(text: string): void;
  /** Aborted when somebody interrupts: a command that has sent a payment must still say so, and keep the payment. */
  abortOnInterrupt(): AbortSignal;
  /** Shows people that something is being waited for, until `work` is done. */
  whileWaiting<T>(what: string, work: () => Promise<T>): Promise<T>;
  exitCode: number;
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 80;
/** What is done sooner needs no sign of life. */
const QUIET_MS = 250;

/** On a line of its own, which it clears behind it. */
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

/** A reader that went away has all it wanted: `assay catalog | head` is no failure. */
const isClosedPipe = (error: Error) => "code" in error && error.code === "EPIPE";

/** Also where the stream throws at once instead of telling, as that of a file does. */
async function write(stream: Output, text: string): Promise<void> {
  try {
    await new Promise<void>((done, fail) => {
      stream.write(text, (error) => (error && !isClosedPipe(error) ? fail(error) : done()));
    });
  } catch (error) {
    throw new Error(`standard output cannot be written: ${describeFileError(error)}`);
  }
}

/** That of this process. */
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
      // Told by flush.
      printed.catch(() => {});
    },
    flush: async () => {
      await printed;
    },
    readInput: () => text(process.stdin),
    warn: (text) => stderr.write(text),
    abortOnInterrupt() {
      const controller = new AbortController();
      process.once("SIGINT", () => controller.abort(new Error("interrupted")));
      return controller.signal;
    },
    whileWaiting: (what, work) => (isDecorated(stderr, env) ? spin(stderr, what, work) : work()),
    exitCode: 0,
  };
}
