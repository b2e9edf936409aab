import {
  findBeaconRead,
  listImplementationReads,
  type ObservedSubjectState,
  resolveAtBlock,
  type StateRead,
} from "@assay/capabilities";
import type { Assertion, Hex, Reading } from "@assay/protocol";
import { keccak256, size } from "viem";
import type { ChainNode } from "./openChainNode.js";

/** What a node shows of an assertion's subject at one block. */
export type BlockObservation =
  | { readonly status: "observed"; readonly blockHash: Hex; readonly observed: ObservedSubjectState }
  /** The node did not answer; a later call or another node may. */
  | { readonly status: "unanswered"; readonly missing: string }
  /** The state of the chain itself leaves it open. */
  | { readonly status: "undetermined"; readonly missing: string };

type Subject = Pick<Assertion, "type" | "address">;

/** Makes the same reads as the service, in the same order, and resolves them by the same rule. */
export async function observeAt(node: ChainNode, subject: Subject, block: number): Promise<BlockObservation> {
  const blockHash = await node.findBlockHash(block);
  if (!blockHash) return { status: "unanswered", missing: `block ${block}` };
  const observed = await readSubject(node, subject, block);
  // Reads name the block by its number, so it must be the same block before and after them.
  if ((await node.findBlockHash(block)) !== blockHash)
    return { status: "unanswered", missing: `block ${block}, which was replaced during the reads` };
  return "status" in observed ? observed : { status: "observed", blockHash, observed };
}

async function readSubject(
  node: ChainNode,
  { type, address }: Subject,
  block: number,
): Promise<ObservedSubjectState | Exclude<BlockObservation, { status: "observed" }>> {
  if (type === "bytecode") return readCode(node, address, block);
  const read = (reads: readonly StateRead[]): Promise<Reading<Hex>[]> => node.readAt(block, reads);
  const answers = await read(listImplementationReads(address));
  const beaconRead = findBeaconRead(address, answers);
  const [beacon] = beaconRead ? await read([beaconRead]) : [];
  const resolution = resolveAtBlock(answers, beacon ?? null);
  if (resolution.status === "resolved") return { implementation: resolution.implementation };
  return resolution;
}

export async function readCode(
  node: ChainNode,
  address: Hex,
  block: number,
): Promise<{ bytecodeHash: Hex | null; bytecodeBytes: number } | { status: "unanswered"; missing: string }> {
  const [code] = await node.readAt(block, [{ kind: "code", address }]);
  if (code?.status === "absent") return { bytecodeHash: null, bytecodeBytes: 0 };
  if (code?.status === "value")
    return { bytecodeHash: keccak256(code.value), bytecodeBytes: size(code.value) };
  return { status: "unanswered", missing: "code" };
}
