import { encodeHeader, type Hex, openStateProofs, StateProofError } from "@assay/protocol";
import { toNodeFailure } from "./askReadings.js";
import { parseBlockHeader } from "./parseBlockHeader.js";
import { describeRead } from "./readQuery.js";
import type { RpcAnswer } from "./rpcAnswer.js";
import type { RpcNode } from "./rpcNode.js";
import { type Attempt, type FailedAttempt, toFailedAttempt } from "./rpcPool.js";
import type { BlockHeader, ProofRead } from "./types.js";

/** A block and trie nodes that prove some accounts at it. */
export interface ProvenTip {
  readonly block: BlockHeader;
  /** The RLP of the header. */
  readonly header: Hex;
  /** In the order of the reads. */
  readonly proofs: readonly (readonly Hex[])[];
}

/** The chain moved on between the header and a proof, so the proof is of another block. The next attempt may succeed. */
const MOVED_ON: FailedAttempt = { ok: false, reason: "block_changed", next: "await_block" };
const MALFORMED: FailedAttempt = { ok: false, reason: "malformed_answer", next: "elsewhere" };

/**
 * Asks one node for its newest block and for proofs of it, in one batch. A proof names no block, but its root does: proofs of
 * another block do not lead to this header's state root.
 */
export async function askTip(
  node: RpcNode,
  [reads = []]: readonly (readonly ProofRead[])[],
  timeoutMs: number,
): Promise<Attempt<ProvenTip>[]> {
  const queries = reads.map((read) => describeRead(undefined, read));
  const requests = [
    { method: "eth_getBlockByNumber", params: ["latest", false] },
    ...queries.map(({ method, params }) => ({ method, params: params("latest") })),
  ];
  const [newest, ...answers] = await node.send(requests, { timeoutMs, inOrder: true });
  const failure = [newest, ...answers].map(toFailure).find((one) => one !== undefined);
  if (failure) return [failure];
  const raw = (newest as { result: unknown }).result;
  const block = parseBlockHeader(raw);
  const header = block && encodeHeader(raw, block.hash);
  if (!block || !header) return [MALFORMED];
  const proofs: (readonly Hex[])[] = [];
  for (const [i, query] of queries.entries()) {
    const reading = query.parse((answers[i] as { result: unknown }).result);
    if (reading?.status !== "value") return [MALFORMED];
    proofs.push(reading.value as readonly Hex[]);
  }
  const isProven = reads.every((read, i) => proves(header, block.hash, proofs[i] ?? [], read));
  return [isProven ? { ok: true, value: { block, header, proofs } } : MOVED_ON];
}

function toFailure(answer: RpcAnswer | undefined): FailedAttempt | undefined {
  if (answer === undefined) return MALFORMED;
  if (answer.kind === "result") return undefined;
  return answer.kind === "error" ? toNodeFailure(answer.error) : toFailedAttempt(answer);
}

function proves(header: Hex, blockHash: Hex, nodes: readonly Hex[], { address, slots }: ProofRead): boolean {
  try {
    const state = openStateProofs({ header, nodes: [...nodes] }, blockHash);
    state.getCodeHash(address);
    for (const slot of slots) state.getSlot(address, slot);
    return true;
  } catch (error) {
    if (error instanceof StateProofError) return false;
    throw error;
  }
}
