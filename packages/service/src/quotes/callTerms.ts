import {
  type CapabilityInput,
  findCapability,
  isArtifactLive,
  type ListedCapability,
  priceFor,
} from "@assay/capabilities";
import type { BlockHeader } from "@assay/chain";
import type { CacheStatus } from "@assay/protocol";
import { getSharedArtifact } from "../evidence/evidenceReferences.js";
import { verifyObligation } from "../obligations/obligationRecord.js";
import { guessCacheStatus, readCacheStatus, readStoredStatus, type StoredPart } from "./cacheStatus.js";
import { getPrices } from "./priceBook.js";
import type { QuotesContext } from "./quotesContext.js";
import { endOfOffer, refreshPrice } from "./tariff.js";

/** What a call costs before any credit, and why. */
export interface CallTerms {
  readonly cacheStatus: CacheStatus;
  readonly listPriceMicroUsd: bigint;
  /** When the stored answer that the price is for ends; undefined where the price rests on none. */
  readonly endsAtMs: number | undefined;
}

/** From memory alone, for challenges; the ceiling for a bare probe, which brings no input. */
export function guessCallTerms(
  context: QuotesContext,
  capability: ListedCapability,
  input: CapabilityInput | undefined,
  inputHash: string | undefined,
  targetTerms?: CallTerms,
): CallTerms {
  const { header } = context.chain.getFreshHead();
  if (targetTerms) return targetTerms;
  const stored: StoredPart =
    input === undefined || inputHash === undefined
      ? { cacheStatus: "miss" }
      : guessCacheStatus(context, capability, input, inputHash, header.number);
  return termsOf(context, capability, stored);
}

function termsOf(
  { prices }: QuotesContext,
  { id }: ListedCapability,
  { cacheStatus, endsAtMs }: StoredPart,
): CallTerms {
  const own = getPrices(prices, id);
  return {
    cacheStatus,
    listPriceMicroUsd: priceFor(own, cacheStatus),
    endsAtMs: endOfOffer(own, endsAtMs),
  };
}

/** From the database, for quotes. */
export async function readCallTerms(
  context: QuotesContext,
  capability: ListedCapability,
  input: CapabilityInput,
  inputHash: string,
  head: BlockHeader,
): Promise<CallTerms> {
  const byTarget = await findTargetTerms(context, capability, input);
  if (byTarget) return byTarget;
  return termsOf(context, capability, await readCacheStatus(context, capability, input, inputHash, head));
}

/**
 * Terms of a call about something that is on record here, an artifact or an obligation; undefined for any other call. A
 * live artifact costs the floor, an expired one what `refreshPrice` says. Throws
 * `private_artifact` or `not_found` for what may not be sold, so that nobody is asked to pay for it.
 */
export async function findTargetTerms(
  context: QuotesContext,
  capability: ListedCapability,
  input: CapabilityInput,
): Promise<CallTerms | undefined> {
  const { chain, database, prices } = context;
  const own = getPrices(prices, capability.id);
  const { record } = capability;
  if (record === null) return undefined;
  const recordId = (input as Readonly<Record<string, unknown>>)[record.field] as string;
  if (record.kind === "obligation") {
    await verifyObligation(database, recordId);
    return { cacheStatus: "miss", listPriceMicroUsd: own.missMicroUsd, endsAtMs: undefined };
  }
  const target = await getSharedArtifact(database, recordId);
  // A head too old to judge by stops the sale elsewhere; a settled payment is answered even then.
  const headBlock = chain.findHead()?.header.number ?? Number.MAX_SAFE_INTEGER;
  const source = findCapability(target.capabilityId);
  const isRefreshed = source !== undefined && !isArtifactLive(target, headBlock, Date.now());
  if (!isRefreshed)
    return {
      cacheStatus: "hit",
      listPriceMicroUsd: own.hitMicroUsd,
      endsAtMs: source && endOfOffer(own, target.freshUntilMs),
    };
  const stored = await readStoredStatus(
    context,
    source,
    target.input as CapabilityInput,
    target.inputHash,
    headBlock,
  );
  const asked = getPrices(prices, source.id);
  const sourceNow = priceFor(asked, stored.cacheStatus);
  return {
    cacheStatus: "miss",
    listPriceMicroUsd: refreshPrice(own.missMicroUsd, asked.hitMicroUsd, sourceNow),
    endsAtMs: endOfOffer(asked, stored.endsAtMs),
  };
}
