import { boundSeconds } from "@assay/capabilities";
import { type CapabilityResult, canonicalJson, type Hex } from "@assay/protocol";
import { AssayClientError } from "../assayClientError.js";
import { checkResult } from "../checkResult.js";
import { createClient } from "../createClient.js";
import { BudgetError } from "../errors.js";
import { DayLimitError } from "../settings/dayLedger.js";
import { sleep } from "../sleep.js";
import { VerificationError } from "../verificationError.js";
import type { Session } from "./session.js";
import { spendWithinDay } from "./spendWithinDay.js";
import type { Terminal } from "./terminal.js";
import { formatUsd, jsonLine, printable } from "./text.js";

export interface WatchFlags {
  readonly every?: number;
  readonly count?: number;
  readonly maxTotalUsd: number;
  readonly webhook?: string;
  readonly untilChange?: true;
  readonly signer?: Hex;
}

/** What was seen at one time, for people and programs. */
interface Seen {
  readonly address: Hex;
  readonly time: string;
  readonly block: number;
  readonly validUntilBlock: number;
  readonly verdict: string;
  readonly reasonCodes: readonly string[];
  readonly summary: string;
  readonly receiptUrl: string;
  readonly spentUsd: number;
  /** What differs from the time before: verdict, reasonCodes or a field of the findings. */
  readonly changed: readonly string[];
}

/** Exit code: something has changed. */
const CHANGED = 7;
/**
 * Before the end of a window: then the service reads anew, for the price of a hit, because the stored answer could not outlive its
 * delivery. So there is always an answer that holds. Earlier, it would sell the same one again.
 */
const LEAD_MS = 1_500;
const LEAST_WAIT_MS = 1_000;
/** Until a service that did not answer is asked again. */
const AWAY_MS = 2_000;
const WEBHOOK_TIMEOUT_MS = 10_000;

export async function watchAddress(session: Session<WatchFlags>, address: Hex): Promise<void> {
  const { options, terminal } = session;
  const { account } = await session.getWallet();
  const signal = terminal.abortOnInterrupt();
  const signer = options.signer ?? session.config?.signer;
  const baseUrl = options.url.replace(/\/+$/, "");
  const { audience, asset, maxTotalUsd } = options;
  const client = createClient({ baseUrl, audience, account, signer, assets: asset && [asset], maxTotalUsd });
  let before: CapabilityResult | undefined;
  for (let asked = 0; options.count === undefined || asked < options.count; asked += 1) {
    let answer: CapabilityResult;
    const askedAtMs = Date.now();
    try {
      ({ answer } = await spendWithinDay(session, undefined, client.spentUsd, (maxPriceUsd) =>
        client.callUnverified("contract.guard", { address }, { signal, maxPriceUsd }),
      ));
    } catch (error) {
      if (signal.aborted) return;
      if (before === undefined) throw error;
      if (error instanceof AssayClientError && error.retryable) {
        // Watching outlives a service that is away for a while.
        terminal.warn(`assay: ${printable(error.message)} Asks again in ${AWAY_MS / 1_000} s.\n`);
        await sleep(AWAY_MS, signal).catch(() => {});
        if (signal.aborted) return;
        continue;
      }
      if (!(error instanceof BudgetError || error instanceof DayLimitError)) throw error;
      terminal.warn(`assay: ${formatUsd(client.spentUsd())} are spent, so nothing more is asked.\n`);
      return;
    }
    const trusted = signer && (await client.followSigner(signer, answer.evidenceReference.signer));
    const verification = await checkResult(answer, { signer: trusted });
    if (!verification.ok) throw new VerificationError("answer", verification.steps);
    const seen = describe(address, answer, before, client.spentUsd());
    terminal.print(options.json ? jsonLine(seen) : format(seen));
    if (seen.changed.length > 0) {
      terminal.exitCode = CHANGED;
      await callWebhook(terminal, options.webhook, seen);
      if (options.untilChange) return;
    }
    before = answer;
    const isLast = options.count !== undefined && asked + 1 >= options.count;
    // The service counts from when it made the answer, which was paid for before it came.
    const windowMs = (boundSeconds(answer) ?? 60) * 1_000 - LEAD_MS;
    const nextMs = options.every ? Date.now() + options.every * 1_000 : askedAtMs + windowMs;
    if (!isLast) await sleep(Math.max(LEAST_WAIT_MS, nextMs - Date.now()), signal).catch(() => {});
    if (signal.aborted) return;
  }
}

function describe(
  address: Hex,
  answer: CapabilityResult,
  before: CapabilityResult | undefined,
  spentUsd: number,
): Seen {
  const { result, verdict, receiptUrl } = answer;
  return {
    address,
    time: new Date().toISOString(),
    block: result.computedAtBlock,
    validUntilBlock: result.validUntilBlock,
    verdict,
    reasonCodes: result.reasonCodes,
    summary: result.summary,
    receiptUrl,
    spentUsd,
    changed: before ? findChanges(before, answer) : [],
  };
}

function findChanges(before: CapabilityResult, after: CapabilityResult): string[] {
  const view = ({ verdict, result }: CapabilityResult): Record<string, unknown> => {
    const { findings } = result.evidence as { findings?: object };
    return { ...findings, verdict, reasonCodes: [...result.reasonCodes].sort() };
  };
  const [one, other] = [view(before), view(after)];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (name) => canonicalJson((one[name] ?? null) as never) !== canonicalJson((other[name] ?? null) as never),
  );
}

const format = ({ time, block, verdict, changed, summary, spentUsd }: Seen) =>
  `${time.slice(0, 19)}Z block ${block} ${verdict.toUpperCase()} ${changed.length > 0 ? `CHANGED ${printable(changed.join(", "))} ` : ""}(${formatUsd(spentUsd)}) ${printable(summary)}\n`;

/** A change that could not be delivered is reported, and watching goes on. */
async function callWebhook(terminal: Terminal, url: string | undefined, seen: Seen): Promise<void> {
  if (url === undefined) return;
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(seen),
      signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
    });
    if (!response.ok) terminal.warn(`assay: the webhook answered ${response.status}.\n`);
  } catch (error) {
    terminal.warn(`assay: the webhook could not be called: ${printable((error as Error).message)}\n`);
  }
}
