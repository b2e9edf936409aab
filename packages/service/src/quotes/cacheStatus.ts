import type { CapabilityInput, ListedCapability } from "@assay/capabilities";
import type { BlockHeader } from "@assay/chain";
import { type CacheStatus, type Hex, keccak256 } from "@assay/protocol";
import type { BaseContext } from "../base/context.js";
import { findFreshEnd } from "../evidence/artifacts.js";
import { findFreshFingerprint } from "../evidence/fingerprints.js";
import { isPartPaid } from "../evidence/longLivedParts.js";
import { listCoveringCapabilities } from "../evidence/paidParts.js";
import type { QuotesContext } from "./quotesContext.js";

/** What of an answer is there already. */
export interface StoredPart {
  readonly cacheStatus: CacheStatus;
  /** When the stored answer ends, by the clock. */
  readonly endsAtMs?: number | undefined;
}

/** From memory alone, for challenges: may be out of date, never wrong to offer. */
export function guessCacheStatus(
  { freshness, prices }: Pick<QuotesContext, "freshness" | "prices">,
  capability: ListedCapability,
  input: CapabilityInput,
  inputHash: string,
  headBlock: number,
): StoredPart {
  if (capability.reuse === "private") return { cacheStatus: "miss" };
  const endsAtMs = freshness.findAnswerEnd(inputHash, headBlock);
  if (endsAtMs !== undefined) return { cacheStatus: "hit", endsAtMs };
  const address = capability.findContract(input);
  const isPaid =
    capability.longLivedPart === "fingerprint" &&
    address !== undefined &&
    freshness.hasPaidPart(address, listCoveringCapabilities(prices, capability.id));
  return { cacheStatus: isPaid ? "partial" : "miss" };
}

/**
 * From the database, for quotes, and by the code that the address has now. Its code may be another than the one that was paid for,
 * as of an account that has delegated since: a discount for that one would end the offer each time that it is taken.
 */
export async function readCacheStatus(
  context: QuotesContext,
  capability: ListedCapability,
  input: CapabilityInput,
  inputHash: string,
  head: BlockHeader,
): Promise<StoredPart> {
  const stored = await readStoredStatus(context, capability, input, inputHash, head.number);
  const address = capability.findContract(input);
  const part = capability.longLivedPart;
  if (stored.cacheStatus === "hit" || capability.reuse === "private" || !part || !address) return stored;
  const codeHash = await readCodeHash(context, head, address);
  if (codeHash === undefined) return stored;
  const coveredBy = listCoveringCapabilities(context.prices, capability.id);
  const isPaid = await isPartPaid(context.database, part, { address, codeHash }, coveredBy);
  return { cacheStatus: isPaid ? "partial" : "miss" };
}

/** From the database alone, without a chain read. */
export async function readStoredStatus(
  { database, prices }: Pick<QuotesContext, "database" | "prices">,
  capability: ListedCapability,
  input: CapabilityInput,
  inputHash: string,
  headBlock: number,
): Promise<StoredPart> {
  if (capability.reuse === "private") return { cacheStatus: "miss" };
  const endsAtMs = await findFreshEnd(database, inputHash, headBlock);
  if (endsAtMs !== undefined) return { cacheStatus: "hit", endsAtMs };
  const address = capability.findContract(input);
  const part = capability.longLivedPart;
  const known = part && address ? await findFreshFingerprint(database, address) : undefined;
  if (!part || !address || !known) return { cacheStatus: "miss" };
  const coveredBy = listCoveringCapabilities(prices, capability.id);
  const isPaid = await isPartPaid(database, part, { address, codeHash: known.codeHash }, coveredBy);
  return { cacheStatus: isPaid ? "partial" : "miss" };
}

/** Null for no code; undefined when no node answered, which only costs the caller the discount. */
async function readCodeHash(
  { chain }: BaseContext,
  head: BlockHeader,
  address: Hex,
): Promise<Hex | null | undefined> {
  const [code] = await chain.readAt(head, [{ kind: "code", address }]);
  if (code.status === "absent") return null;
  return code.status === "value" ? keccak256(code.value) : undefined;
}
