import { type Hex, type Reading, unanswered, valueReading } from "@assay/protocol";
import { z } from "zod";
import { quantitySchema } from "./parseBlockHeader.js";
import type { CallTrace, TracedLog, TracedMove } from "./types.js";

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text.toLowerCase() as Hex);
const bytes = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{2})*$/)
  .transform((text) => text.toLowerCase() as Hex);
/** Of geth's `callTracer`. Frames hold frames, so each level is parsed as it is come to. */
const frameSchema = z.object({
  type: z.string(),
  from: address,
  to: address.nullish(),
  value: quantitySchema.nullish(),
  gasUsed: quantitySchema,
  output: bytes.nullish(),
  error: z.string().nullish(),
  logs: z.array(z.object({ address, topics: z.array(bytes).max(4), data: bytes.nullish() })).nullish(),
  calls: z.array(z.unknown()).nullish(),
});

/** A contract decides how much there is to trace; honest transactions stay far below. */
const MAX_FRAMES = 2_000;
const MAX_LOGS = 500;
const MAX_LOG_BYTES = 256 * 1024;
/** Call, creation and destruction carry value of their own; the other kinds of call repeat their caller's. */
const MOVING = new Set(["CALL", "CREATE", "CREATE2", "SELFDESTRUCT"]);

/** Undefined for what is no trace; `trace_too_large` where a bound was reached. */
export function parseCallTrace(result: unknown): Reading<CallTrace> | undefined {
  const moves: TracedMove[] = [];
  const logs: TracedLog[] = [];
  const calls = new Map<string, { from: Hex; to: Hex }>();
  let frames = 0;
  let logBytes = 0;
  let creates = false;

  function walk(raw: unknown, isKept: boolean): z.output<typeof frameSchema> {
    frames += 1;
    if (frames > MAX_FRAMES) throw new RangeError("too many frames");
    const frame = frameSchema.parse(raw);
    const { type, from, to, value } = frame;
    // What a failed frame did, and all below it, is undone.
    const holds = isKept && (frame.error ?? "") === "";
    if (type.startsWith("CREATE")) creates = true;
    else if (to) calls.set(`${from}${to}`, { from, to });
    if (holds && to && value && MOVING.has(type)) moves.push({ from, to, value });
    for (const log of holds ? (frame.logs ?? []) : []) {
      const data = log.data ?? "0x";
      logBytes += data.length / 2;
      logs.push({ address: log.address, topics: log.topics, data });
    }
    if (logs.length > MAX_LOGS || logBytes > MAX_LOG_BYTES) throw new RangeError("too many logs");
    for (const inner of frame.calls ?? []) walk(inner, holds);
    return frame;
  }

  try {
    const { error, gasUsed, output } = walk(result, true);
    const success = (error ?? "") === "";
    return valueReading({
      success,
      gasUsed,
      output: output ?? "0x",
      moves,
      logs,
      calls: [...calls.values()],
      creates,
    });
  } catch (error) {
    return error instanceof RangeError ? unanswered("trace_too_large") : undefined;
  }
}
