import type { CapabilityInput, ListedCapability } from "@assay/capabilities";
import type { BlockHeader } from "@assay/chain";
import type { CacheStatus, Hex } from "@assay/protocol";
import { keccak256 } from "viem";
import type { BaseContext } from "../base/context.js";
import { hasFreshArtifact } from "../evidence/artifacts.js";
import { findFreshFingerprint } from "../evidence/fingerprints.js";
import type { Freshness } from "../evidence/freshness.js";
import { isPartKnown } from "../evidence/longLivedParts.js";
import type { Database } from "../store/database.js";

/** From memory alone, for challenges: may be out of date, never wrong to offer. */
export function guessCacheStatus(
  freshness: Freshness,
  capability: ListedCapability,
  input: CapabilityInput,
  inputHash: string,
  headBlock: number,
): CacheStatus {
  if (capability.reuse === "private") return "miss";
  if (freshness.hasAnswer(inputHash, headBlock)) return "hit";
  const address = capability.findContract(input);
  const part = capability.longLivedPart;
  return part === "fingerprint" && address && freshness.hasFingerprint(address) ? "partial" : "miss";
}

/** From the database, for quotes; an address not seen before is judged by its code. */
export async function readCacheStatus(
  context: BaseContext,
  capability: ListedCapability,
  input: CapabilityInput,
  inputHash: string,
  head: BlockHeader,
): Promise<CacheStatus> {
  const stored = await readStoredStatus(context.database, capability, input, inputHash, head.number);
  const address = capability.findContract(input);
  const part = capability.longLivedPart;
  if (stored !== "miss" || capability.reuse === "private" || !part || !address) return stored;
  const codeHash = await readCodeHash(context, head, address);
  if (codeHash === undefined) return "miss";
  return (await isPartKnown(context.database, part, { address, codeHash })) ? "partial" : "miss";
}

/** From the database alone, without a chain read. */
export async function readStoredStatus(
  database: Database,
  capability: ListedCapability,
  input: CapabilityInput,
  inputHash: string,
  headBlock: number,
): Promise<CacheStatus> {
  if (capability.reuse === "private") return "miss";
  if (await hasFreshArtifact(database, inputHash, headBlock)) return "hit";
  const address = capability.findContract(input);
  const part = capability.longLivedPart;
  if (!part || !address) return "miss";
  const known = await findFreshFingerprint(database, address);
  if (!known) return "miss";
  return (await isPartKnown(database, part, { address, codeHash: known.codeHash })) ? "partial" : "miss";
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
