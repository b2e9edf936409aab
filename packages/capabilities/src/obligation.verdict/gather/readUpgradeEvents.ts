import type { Chain } from "@assay/chain";
import { RpcError } from "@assay/chain";
import {
  AssayError,
  addressSchema,
  bytesSchema,
  type Hex,
  hash32Schema,
  unanswered,
  valueReading,
} from "@assay/protocol";
import { z } from "zod";
import { MAX_EVENTS_SHOWN, type ObligationVerdictReadings } from "../readings.js";
import { readUpgradeEvent, type UpgradeEvent, upgradeTopics } from "../upgradeEvents.js";

/** Bounds the work of one call: a node does not search a month of blocks for it. */
const MAX_RANGES = 16;

interface Range {
  readonly fromBlock: number;
  readonly toBlock: number;
}

const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,12}$/)
  .transform(Number);
const logsSchema = z.array(
  z.object({
    address: addressSchema,
    topics: z.array(hash32Schema),
    data: bytesSchema,
    blockNumber: quantity,
    logIndex: quantity,
  }),
);

/** The upgrade events of the subject, and of the beacons it obeys, inside the window. */
export async function readUpgradeEvents(
  chain: Chain,
  emitters: readonly Hex[],
  window: Range,
): Promise<NonNullable<ObligationVerdictReadings["events"]>> {
  const whole = await askLogs(chain, emitters, window);
  // The refusal of the whole window tells how much the nodes allow.
  const ranges = whole ? [] : splitWindow(window, chain.logSpan());
  const parts = whole ? [whole] : await Promise.all(ranges.map((range) => askLogs(chain, emitters, range)));
  const found = parts.flatMap((part) => part ?? []).sort((a, b) => a.block - b.block);
  const isWhole =
    parts.every((part) => part !== undefined) && (whole !== undefined || coversWindow(ranges, window));
  return {
    emitters: [...emitters],
    found: found.slice(0, MAX_EVENTS_SHOWN),
    coverage:
      isWhole && found.length <= MAX_EVENTS_SHOWN
        ? valueReading("whole_window")
        : unanswered(isWhole ? "too_many_events" : "logs_not_given"),
  };
}

/** Ranges from the end of the window backwards, up to the bound. */
function splitWindow({ fromBlock, toBlock }: Range, span: number): Range[] {
  const ranges: Range[] = [];
  // The window is within one range already, so smaller ranges would not help.
  if (toBlock - fromBlock < span) return ranges;
  for (let end = toBlock; end >= fromBlock && ranges.length < MAX_RANGES; end -= span)
    ranges.push({ fromBlock: Math.max(fromBlock, end - span + 1), toBlock: end });
  return ranges;
}

const coversWindow = (ranges: readonly Range[], { fromBlock }: Range): boolean =>
  ranges.at(-1)?.fromBlock === fromBlock;

/** Undefined when no node returned the logs, or when the answer is not for this filter. */
async function askLogs(
  chain: Chain,
  emitters: readonly Hex[],
  { fromBlock, toBlock }: Range,
): Promise<UpgradeEvent[] | undefined> {
  const hex = (block: number) => `0x${block.toString(16)}`;
  const filter = {
    address: emitters,
    topics: [Object.values(upgradeTopics)],
    fromBlock: hex(fromBlock),
    toBlock: hex(toBlock),
  };
  try {
    const logs = logsSchema.safeParse(await chain.request("eth_getLogs", [filter])).data;
    const isOurs = (log: { address: Hex; blockNumber: number }) =>
      emitters.includes(log.address.toLowerCase() as Hex) &&
      log.blockNumber >= fromBlock &&
      log.blockNumber <= toBlock;
    if (!logs?.every(isOurs)) return undefined;
    return logs
      .sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
      .flatMap((log) => readUpgradeEvent(log) ?? []);
  } catch (error) {
    const isRefused = error instanceof RpcError || error instanceof AssayError;
    if (isRefused) return undefined;
    throw error;
  }
}
