import type { BlockHeader, Chain } from "@assay/chain";
import { AssayError, type Hex, keccak256, type PublicationRequest, type Reading } from "@assay/protocol";
import { size } from "viem";
import type { Audit, CodeFacts } from "./publications.js";

/**
 * Nodes that prune keep the state of at least this many blocks (go-ethereum's default). Older blocks are audited where a
 * node still has them.
 */
const READABLE_BLOCKS = 128;

const field = "computedAtBlock";
const refuse = (rule: string) =>
  new AssayError("invalid_input", `${field} ${rule}.`, { fields: [{ field, rule }] });

/** The newest block known. A block that is newer than our own head is asked for, because the caller's node may be ahead. */
export async function getHeadFor(chain: Chain, computedAtBlock: number): Promise<BlockHeader> {
  const { header } = chain.getFreshHead();
  if (computedAtBlock <= header.number) return header;
  const newer = await chain.findBlock(computedAtBlock);
  if (!newer) throw refuse(`must not be after the newest block, which is ${header.number}`);
  return newer;
}

/** Throws `chain_unavailable`. */
export async function readCodeFacts(chain: Chain, block: BlockHeader, address: Hex): Promise<CodeFacts> {
  const [code] = await chain.readAt(block, [{ kind: "code", address }]);
  return factsOf(code);
}

/**
 * Recomputes a fingerprint at the block that it names. What could not be read does not count against the publisher: 400
 * where the node no longer has so old a block, `chain_unavailable` everywhere else.
 */
export async function auditFingerprint(
  chain: Chain,
  { address, computedAtBlock }: PublicationRequest,
  head: BlockHeader,
): Promise<Audit> {
  const isOld = head.number - computedAtBlock >= READABLE_BLOCKS;
  const seconds = Math.round((READABLE_BLOCKS * chain.blockTimeMs()) / 1_000);
  const readable = `the newest ${READABLE_BLOCKS} blocks, about ${seconds} s, can always be read`;
  const tooOld = () => refuse(`is older than what the node can read; ${readable}`);
  const block = await chain.findBlock(computedAtBlock);
  if (!block) {
    if (isOld) throw tooOld();
    throw new AssayError("chain_unavailable", `No node has block ${computedAtBlock}.`);
  }
  const [code] = await chain.readAt(block, [{ kind: "code", address }]);
  if (isOld && code.status === "unanswered" && /unknown_block|state_pruned/.test(code.reason)) throw tooOld();
  return { observed: factsOf(code), blockHash: block.hash };
}

function factsOf(code: Reading<Hex>): CodeFacts {
  if (code.status === "value")
    return { bytecodeHash: keccak256(code.value), bytecodeBytes: size(code.value) };
  if (code.status === "absent") return { bytecodeHash: null, bytecodeBytes: 0 };
  throw new AssayError("chain_unavailable", "The code of the address could not be read.");
}

export const isSameCode = (a: CodeFacts, b: CodeFacts): boolean =>
  a.bytecodeHash === b.bytecodeHash && a.bytecodeBytes === b.bytecodeBytes;

/** For a statement that was true at its block and is not true any more. */
export const codeHasChanged = (): AssayError =>
  refuse("is before a change of the code; compute the fingerprint at a newer block");
