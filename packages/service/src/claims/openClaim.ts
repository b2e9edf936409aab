import { holdsAt } from "@assay/capabilities";
import type { BlockHeader, Chain } from "@assay/chain";
import {
  AssayError,
  type Assertion,
  type CanonicalClaim,
  type ClaimReceipt,
  type ClaimRequest,
  canonicalJson,
  claimIdOf,
  claimReceiptText,
  type Hex,
  MAX_CLAIM_LIFE_MS,
  MAX_CLAIM_WINDOW_DAYS,
  MIN_CLAIM_LIFE_MS,
  maxClaimWindowBlocks,
  microUsdFromNumber,
  NETWORK,
  survivalHashOf,
} from "@assay/protocol";
import type { NewClaim } from "./claimRecords.js";
import { observeAssertion } from "./observeAssertion.js";

/** The opening of a claim, described as capabilities are. */
export const CLAIM_OPENING = {
  id: "claims.open",
  version: "1.0.0",
  summary:
    "Publishes the claim that a contract's implementation is the same at every block of a window, open to challenge by anyone.",
} as const;

/** What was read from the chain when a claim was found fit to be opened. */
interface OpenableClaim {
  readonly fromBlockHash: Hex;
  readonly toBlockHash: Hex;
  readonly implementationAtToBlock: Hex | null;
  readonly headBlock: number;
}

/** Checks what needs no reading of the chain. Blocks are counted as time, at the block time that was measured lately. */
export function verifyClaimWindow({ fromBlock, toBlock }: ClaimRequest, blockTimeMs: number): void {
  if (fromBlock > toBlock) throw refusal("fromBlock", "must be at most toBlock");
  if (fromBlock === toBlock)
    throw refusal("fromBlock", "must be before toBlock: within one block nothing can be upgraded");
  const longest = maxClaimWindowBlocks(blockTimeMs);
  if (toBlock - fromBlock >= longest)
    throw refusal(
      "fromBlock",
      `must leave a window of at most ${MAX_CLAIM_WINDOW_DAYS} days, which are ${longest} blocks now`,
    );
}

/**
 * Throws unless the claim may be opened now: its deadline and window are valid now, it is true at its last block, and anyone
 * can challenge it until its deadline. Throws `chain_unavailable` where the chain could not be read, or where only one of several
 * nodes answered.
 */
export async function verifyOpenable(chain: Chain, request: ClaimRequest): Promise<OpenableClaim> {
  verifyDeadline(request.deadline);
  const headBlock = await findHeadFor(chain, request.toBlock);
  if (request.toBlock > headBlock)
    throw refusal("toBlock", `must be at most ${headBlock}, the newest block of the chain`);
  const assertion = assertionOf(request);
  const [observation, fromBlock] = await Promise.all([
    observeAssertion(chain, assertion, request.toBlock),
    findAgreedBlock(chain, request.fromBlock),
    // A challenge reads the state at the block it names; the first one of the window is the first that a node forgets.
    observeAssertion(chain, assertion, request.fromBlock),
    verifyKeptUntilDeadline(chain, request),
  ]);
  if (observation.status === "undetermined")
    throw refusal(
      "toBlock",
      `is a block at which the chain leaves the implementation open: ${observation.missing} gave no address`,
    );
  const { observed } = observation;
  const implementation = "implementation" in observed ? (observed.implementation ?? null) : null;
  if (!holdsAt(assertion, observed)) {
    const rule = `is not what the chain has at toBlock: ${implementation ?? "no implementation"}`;
    throw new AssayError("claim_already_false", `implementation ${rule}.`, {
      fields: [{ field: "implementation", rule }],
    });
  }
  await verifySubject(chain, request);
  return {
    fromBlockHash: fromBlock.hash,
    toBlockHash: observed.blockHash as Hex,
    implementationAtToBlock: implementation,
    headBlock,
  };
}

/**
 * A node that forgets old state has forgotten this window before a long claim ends, and then no counterexample can be judged. A
 * node that still has state as old as the window will be at the deadline does not forget it.
 */
async function verifyKeptUntilDeadline(chain: Chain, request: ClaimRequest): Promise<void> {
  const lifeBlocks = Math.ceil((Date.parse(request.deadline) - Date.now()) / chain.blockTimeMs());
  const block = await findAgreedBlock(chain, Math.max(1, request.fromBlock - lifeBlocks));
  const [code] = await chain.readAgreed(block, [{ kind: "code", address: request.address }]);
  if (code.status === "unanswered")
    throw new AssayError(
      "chain_unavailable",
      "The nodes of this service do not keep state for as long as the claim would be open, so that nobody could challenge it. Choose an earlier deadline.",
    );
}

async function findAgreedBlock(chain: Chain, number: number): Promise<BlockHeader> {
  const block = await chain.findAgreedBlock(number);
  if (!block) throw new AssayError("chain_unavailable", `No node has block ${number}.`);
  return block;
}

/** An address without code has nothing that could be upgraded: a claim about it would survive for nothing. */
async function verifySubject(chain: Chain, { address, toBlock }: ClaimRequest): Promise<void> {
  const subject = await observeAssertion(chain, { type: "bytecode", address }, toBlock);
  if (subject.status === "observed" && subject.observed.bytecodeHash === null)
    throw refusal("address", "must have code at toBlock");
}

function verifyDeadline(deadline: string): void {
  const lifeMs = Date.parse(deadline) - Date.now();
  if (lifeMs < MIN_CLAIM_LIFE_MS || lifeMs > MAX_CLAIM_LIFE_MS)
    throw refusal("deadline", "must be 1 hour to 30 days ahead");
}

/** The followed head, or the newest block if the claim reaches beyond the head: the caller's node may be a block ahead. */
async function findHeadFor(chain: Chain, toBlock: number): Promise<number> {
  const { number } = chain.getFreshHead().header;
  return toBlock <= number ? number : (await chain.latestBlock()).number;
}

const assertionOf = ({ address, implementation, fromBlock, toBlock }: ClaimRequest): Assertion => ({
  type: "upgrade_window",
  address,
  implementation,
  fromBlock,
  toBlock,
});

/** The claim as it is recorded, with everything that its id and its survival hash commit to. */
export function writeClaim(request: ClaimRequest, openable: OpenableClaim, invocationId: string): NewClaim {
  const { headBlock, ...readings } = openable;
  const claim: CanonicalClaim = {
    network: NETWORK,
    kind: "claim",
    assertion: assertionOf(request),
    opener: request.wallet,
    rewardMicroUsd: String(microUsdFromNumber(request.rewardUsd)),
    deadline: request.deadline,
    origin: invocationId,
  };
  const claimId = claimIdOf(claim);
  const receipt: ClaimReceipt = { claimId, claim, ...readings };
  const receiptText = claimReceiptText(receipt);
  return {
    claimId,
    canonical: canonicalJson(claim),
    receipt: receiptText,
    survivalHash: survivalHashOf(receiptText),
    openedAt: new Date().toISOString(),
    openedAtBlock: headBlock,
    invocationId,
    listKey: null,
  };
}

const refusal = (field: string, rule: string): AssayError =>
  new AssayError("invalid_input", `${field} ${rule}.`, { fields: [{ field, rule }] });
