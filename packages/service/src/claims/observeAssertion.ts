import {
  findBeaconRead,
  type ImplementationAtBlock,
  listImplementationReads,
  type ObservedSubjectState,
  resolveAtBlock,
  type StateRead,
} from "@assay/capabilities";
import type { BlockHeader, Chain } from "@assay/chain";
import {
  AssayError,
  type Assertion,
  type ChallengeRecord,
  type Hex,
  keccak256,
  type Reading,
} from "@assay/protocol";
import { size } from "viem";

/** The state of a claim's subject on the chain, and the block it was read at. */
export type ObservedAssertion = ObservedSubjectState & NonNullable<ChallengeRecord["observed"]>;

type AssertionObservation =
  | { readonly status: "observed"; readonly observed: ObservedAssertion }
  /** The chain itself leaves it open; `missing` names what gave no address. */
  | { readonly status: "undetermined"; readonly missing: string };

/**
 * Reads the subject of an assertion at the block of that number. Where several nodes are configured, two of them
 * must give the same answers. Throws `chain_unavailable` for answers that no node, or only one, gave.
 */
export async function observeAssertion(
  chain: Chain,
  { type, address }: Pick<Assertion, "type" | "address">,
  blockNumber: number,
): Promise<AssertionObservation> {
  const block = await chain.findAgreedBlock(blockNumber);
  if (!block) throw new AssayError("chain_unavailable", `No node has block ${blockNumber}.`);
  const at = { block: blockNumber, blockHash: block.hash };
  if (type === "bytecode")
    return { status: "observed", observed: { ...at, ...(await readCode(chain, block, address)) } };
  const resolution = await resolveImplementationAt(chain, block, address);
  if (resolution.status === "unanswered") throw unread(resolution.missing, blockNumber);
  if (resolution.status === "undetermined") return { status: "undetermined", missing: resolution.missing };
  return { status: "observed", observed: { ...at, implementation: resolution.implementation } };
}

/** What `resolveImplementation` finds behind an address, at a block that two nodes agree on. */
async function resolveImplementationAt(
  chain: Chain,
  block: BlockHeader,
  address: Hex,
): Promise<ImplementationAtBlock> {
  const read = (reads: readonly StateRead[]): Promise<readonly Reading<Hex>[]> =>
    chain.readAgreed(block, reads);
  const answers = await read(listImplementationReads(address));
  const beaconRead = findBeaconRead(address, answers);
  const [beacon] = beaconRead ? await read([beaconRead]) : [];
  return resolveAtBlock(answers, beacon ?? null);
}

async function readCode(chain: Chain, block: BlockHeader, address: Hex) {
  const [code] = await chain.readAgreed(block, [{ kind: "code", address }]);
  if (code.status === "absent") return { bytecodeHash: null, bytecodeBytes: 0 };
  if (code.status === "value")
    return { bytecodeHash: keccak256(code.value), bytecodeBytes: size(code.value) };
  throw unread("code", block.number);
}

const unread = (missing: string, block: number) =>
  new AssayError(
    "chain_unavailable",
    `${missing} could not be read at block ${block}: the nodes did not answer, do not have that block, or disagree.`,
  );
