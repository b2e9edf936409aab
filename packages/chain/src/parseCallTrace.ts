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
/** A frame of geth's `callTracer`. Frames hold frames, so each level is parsed when it is reached. */
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

/** Contracts decide how long a trace is; honest transactions stay far below these bounds. */
const MAX_FRAMES = 2_000;
const MAX_LOGS = 500;
const MAX_LOG_BYTES = 256 * 1024;
/** Frame types whose value is moved; the others (DELEGATECALL, STATICCALL, CALLCODE) repeat their caller's value. */
const VALUE_MOVING_TYPES = new Set(["CALL", "CREATE", "CREATE2", "SELFDESTRUCT"]);

/** Undefined where the result is not a trace; unanswered as `trace_too_large` where it exceeds a bound. */
export function parseCallTrace(result: unknown): Reading<CallTrace> | undefined {
  const moves: TracedMove[] = [];
  const logs: TracedLog[] = [];
  const calls = new Map<string, { from: Hex; to: Hex }>();
  let frames = 0;
  let logBytes = 0;
  let creates = false;

  function walk(raw: unknown, isParentKept: boolean): z.output<typeof frameSchema> {
    frames += 1;
    if (frames > MAX_FRAMES) throw new RangeError("too many frames");
    const frame = frameSchema.parse(raw);
    const { type, from, to, value } = frame;
    // A failed frame is undone, with everything below it.
    const isKept = isParentKept && (frame.error ?? "") === "";
    if (type.startsWith("CREATE")) creates = true;
    else if (to) calls.set(`${from}${to}`, { from, to });
    if (isKept && to && value && VALUE_MOVING_TYPES.has(type)) moves.push({ from, to, value });
    for (const log of isKept ? (frame.logs ?? []) : []) {
      const data = log.data ?? "0x";
      logBytes += data.length / 2;
      logs.push({ address: log.address, topics: log.topics, data });
    }
    if (logs.length > MAX_LOGS || logBytes > MAX_LOG_BYTES) throw new RangeError("too many logs");
    for (const inner of frame.calls ?? []) walk(inner, isKept);
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
