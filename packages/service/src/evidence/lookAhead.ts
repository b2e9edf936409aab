import { setTimeout as sleep } from "node:timers/promises";
import type { CapabilityInput, ListedCapability } from "@assay/capabilities";
import { loadServed, type ServedCapability } from "@assay/capabilities/served";
import type { BaseContext } from "../base/context.js";

/** What it would save is one round trip, so it is not awaited for longer than a slow one takes. */
const PATIENCE_MS = 600;

/**
 * How to gather with what was read at the newest block known, while a newer one is asked for. Undefined where the capability does
 * not look ahead, or nothing was read in time: then all of it is asked for later.
 */
export async function lookAhead(
  { chain, settings: { launchVenues } }: BaseContext,
  listed: ListedCapability,
  input: CapabilityInput,
): Promise<ServedCapability["gather"] | undefined> {
  const head = chain.findHead();
  if (head === undefined) return undefined;
  const ended = new AbortController();
  const look = async () => {
    const capability = await loadServed(listed);
    return capability.lookAhead?.({ chain, block: head.header, launchVenues }, input as never);
  };
  const tooLate = sleep(PATIENCE_MS, undefined, { signal: ended.signal, ref: false }).catch(() => undefined);
  try {
    // It only saves time: whatever goes wrong here is met again where it counts.
    return await Promise.race([look().catch(() => undefined), tooLate]);
  } finally {
    ended.abort();
  }
}
