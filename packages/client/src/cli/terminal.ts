import { createPaint, type Paint } from "./text.js";

/** Where a command finds its settings and leaves what it has to say. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly paint: Paint;
  print(text: string): void;
  /** Beside the output, for people. */
  warn(text: string): void;
  /** Aborted when somebody interrupts: a command that has sent a payment must still say so, and keep the payment. */
  abortOnInterrupt(): AbortSignal;
  exitCode: number;
}

/** That of this process. */
export function openTerminal(): Terminal {
  return {
    env: process.env,
    paint: createPaint(process.stdout, process.env.NO_COLOR),
    print: (text) => process.stdout.write(text),
    warn: (text) => process.stderr.write(text),
    abortOnInterrupt() {
      const controller = new AbortController();
      process.once("SIGINT", () => controller.abort(new Error("interrupted")));
      return controller.signal;
    },
    exitCode: 0,
  };
}
