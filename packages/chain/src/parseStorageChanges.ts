import { type Hex, type Reading, unanswered, valueReading } from "@assay/protocol";
import { z } from "zod";
import type { StorageChange } from "./types.js";

const storageSchema = z.record(
  z.string().regex(/^0x[0-9a-fA-F]{1,64}$/),
  z.string().regex(/^0x[0-9a-fA-F]{1,64}$/),
);
const accountsSchema = z.record(
  z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  z.object({ storage: storageSchema.nullish() }),
);
/** geth's `prestateTracer` in its mode of differences. */
const differenceSchema = z.object({ pre: accountsSchema, post: accountsSchema });

const MAX_CHANGES = 2_000;
const ZERO: Hex = `0x${"0".repeat(64)}`;

/** Undefined where the result does not have the tracer's form; unanswered where it exceeds the bound. */
export function parseStorageChanges(result: unknown): Reading<readonly StorageChange[]> | undefined {
  const difference = differenceSchema.safeParse(result).data;
  if (difference === undefined) return undefined;
  const [before, after] = [flatten(difference.pre), flatten(difference.post)];
  const changes = [...new Set([...before.keys(), ...after.keys()])].map((key) => {
    const [address, slot] = key.split(" ") as [Hex, Hex];
    // The tracer leaves out words that are zero.
    return { address, slot, before: before.get(key) ?? ZERO, after: after.get(key) ?? ZERO };
  });
  if (changes.length > MAX_CHANGES) return unanswered("trace_too_large");
  return valueReading(changes);
}

function flatten(accounts: z.output<typeof accountsSchema>): Map<string, Hex> {
  const words = new Map<string, Hex>();
  for (const [address, { storage }] of Object.entries(accounts))
    for (const [slot, word] of Object.entries(storage ?? {}))
      words.set(`${address.toLowerCase()} ${pad(slot)}`, pad(word));
  return words;
}

const pad = (hex: string): Hex => `0x${hex.slice(2).toLowerCase().padStart(64, "0")}`;
