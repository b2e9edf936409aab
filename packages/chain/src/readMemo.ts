import type { Reading } from "@assay/protocol";
import type { AnyValue, CallTrace } from "./types.js";

export type AnyReading = Reading<AnyValue>;

/** Readings that were made before; the least recently used one is dropped first. */
export interface ReadMemo {
  find(key: string): AnyReading | undefined;
  /** Unanswered readings are not kept: they are no facts about the block. */
  remember(key: string, reading: AnyReading): void;
}

// V8 stores hex text with one byte per character; this is a rough figure for the map entry and the objects.
const ENTRY_OVERHEAD_BYTES = 160;

export function createReadMemo(limits: { maxEntries: number; maxBytes: number }): ReadMemo {
  const entries = new Map<string, { reading: AnyReading; bytes: number }>();
  let totalBytes = 0;

  function forget(key: string): void {
    totalBytes -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  }

  return {
    find(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      // A Map iterates in insertion order, so re-inserting marks the entry as just used.
      entries.delete(key);
      entries.set(key, entry);
      return entry.reading;
    },
    remember(key, reading) {
      if (reading.status === "unanswered") return;
      const bytes = key.length + approximateBytes(reading) + ENTRY_OVERHEAD_BYTES;
      if (bytes > limits.maxBytes) return;
      forget(key);
      entries.set(key, { reading, bytes });
      totalBytes += bytes;
      for (const oldest of entries.keys()) {
        if (entries.size <= limits.maxEntries && totalBytes <= limits.maxBytes) break;
        forget(oldest);
      }
    },
  };
}

function approximateBytes(reading: AnyReading): number {
  if (reading.status === "reverted") return reading.data?.length ?? 0;
  if (reading.status !== "value") return 0;
  if (typeof reading.value === "string") return reading.value.length;
  if ("logs" in reading.value) return approximateTraceBytes(reading.value);
  if (isList(reading.value)) return reading.value.reduce((sum, item) => sum + approximateItemBytes(item), 0);
  if ("creator" in reading.value) return reading.value.code.length + 42;
  const { baseFeePerGas, gasUsedRatio, reward } = reading.value;
  const numbers = baseFeePerGas.length + gasUsedRatio.length + reward.reduce((n, row) => n + row.length, 0);
  return numbers * 24;
}

function approximateItemBytes(item: Extract<AnyValue, readonly unknown[]>[number]): number {
  if (typeof item === "string") return item.length + 16;
  return "slot" in item ? 280 : item.topics.length * 82 + item.data.length + 80;
}

function approximateTraceBytes({ output, logs, moves, calls }: CallTrace): number {
  const logged = logs.reduce((sum, { topics, data }) => sum + topics.length * 82 + data.length + 80, 0);
  return output.length + logged + (moves.length + calls.length) * 140;
}

/** `Array.isArray` does not narrow a readonly array out of a union. */
const isList = (value: AnyValue): value is Extract<AnyValue, readonly unknown[]> => Array.isArray(value);
