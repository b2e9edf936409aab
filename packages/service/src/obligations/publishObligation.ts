import { randomBytes } from "node:crypto";
import { getCapability, holdsAt } from "@assay/capabilities";
import type { BlockHeader, Chain } from "@assay/chain";
import {
  type Assertion,
  type CanonicalClaim,
  canonicalJson,
  claimIdOf,
  claimReceiptText,
  type Hex,
  inputHashOf,
  MAX_CLAIM_WINDOW_DAYS,
  maxClaimWindowBlocks,
  microUsdFromNumber,
  NETWORK,
  survivalHashOf,
} from "@assay/protocol";
import type { BaseContext } from "../base/context.js";
import type { Settings } from "../base/settings.js";
import { CLAIM_PLACES, claimLeaf, createClaims, type NewClaim } from "../claims/claimRecords.js";
import { type ObservedAssertion, observeAssertion } from "../claims/observeAssertion.js";
import type { EvidenceSigner } from "../evidence/signer.js";
import { appendLeaves } from "../log/appendLeaves.js";
import type { Queryable } from "../store/database.js";
import { listKeyOf, type ObligationLine } from "./obligationList.js";

export interface ObligationsContext extends Pick<BaseContext, "database" | "chain" | "logger"> {
  readonly settings: Pick<Settings, "writesBreadcrumbs">;
  /** The signer of results is also the opener of what the service asserts. */
  readonly signer: Pick<EvidenceSigner, "address">;
}

/**
 * The chain contradicts the obligation or leaves it open, so the service does not assert it. The message states why, in
 * one sentence.
 */
class ObligationRefusedError extends Error {
  override readonly name = "ObligationRefusedError";
}

interface PublishedObligation {
  readonly claimId: Hex;
  readonly claim: CanonicalClaim;
}

/** Publishes now, even if the same was published before. */
export async function publishObligation(
  context: ObligationsContext,
  line: ObligationLine,
): Promise<PublishedObligation> {
  const obligation = await writeObligation(context, line, {
    origin: `operator:${randomBytes(16).toString("hex")}`,
    listKey: null,
  });
  await context.database.transaction((tx) => record(context, tx, obligation));
  return describe(obligation);
}

/**
 * Publishes a line of the operator's list when its time has come: once, or `everyHours`. Any number of processes may
 * do this at the same time; one of them publishes. Undefined when it is not due.
 */
export async function publishIfDue(
  context: ObligationsContext,
  line: ObligationLine,
): Promise<PublishedObligation | undefined> {
  const { database } = context;
  const listKey = listKeyOf(line);
  // Checked first without a lock, so that the chain is not read for a line that is not due.
  if (!(await isDue(database, line, listKey))) return undefined;
  const obligation = await writeObligation(context, line, { origin: `list:${listKey}`, listKey });
  return database.transaction(async (tx) => {
    await tx.query({
      name: "obligation_line_lock",
      text: "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
      values: [listKey],
    });
    if (!(await isDue(tx, line, listKey))) return undefined;
    await record(context, tx, obligation);
    return describe(obligation);
  });
}

async function isDue(db: Queryable, { everyHours }: ObligationLine, listKey: string): Promise<boolean> {
  const rows = await db.query({
    name: "obligation_line_newest",
    text: `SELECT FROM claims WHERE list_key = $1
             AND ($2::float8 IS NULL OR opened_at > now() - $2::float8 * interval '1 hour') LIMIT 1`,
    values: [listKey, everyHours ?? null],
  });
  return rows.length === 0;
}

const describe = ({ claimId, canonical }: NewClaim): PublishedObligation => ({
  claimId,
  claim: JSON.parse(canonical) as CanonicalClaim,
});

async function record({ settings }: ObligationsContext, tx: Queryable, obligation: NewClaim): Promise<void> {
  await createClaims(tx, [obligation], settings);
  const { id, version } = getCapability("obligation.verdict");
  await tx.query({
    name: "obligation_verdict_input",
    text: "UPDATE claims SET verdict_input_hash = $2 WHERE claim_id = $1",
    values: [obligation.claimId, inputHashOf(id, version, { obligationId: obligation.claimId })],
  });
  await appendLeaves(tx, [claimLeaf(obligation)], CLAIM_PLACES);
}

/**
 * The obligation as it will be recorded. Throws `ObligationRefusedError`, or `chain_unavailable` where the chain could
 * not be read.
 */
async function writeObligation(
  { chain, signer }: ObligationsContext,
  line: ObligationLine,
  { origin, listKey }: { readonly origin: string; readonly listKey: string | null },
): Promise<NewClaim> {
  const newest = await chain.latestBlock();
  const head = newest.number;
  const window = windowOf(line, head, await measureBlockTimeMs(chain, newest));
  const observeAt = async (block: number) => {
    const observation = await observeAssertion(chain, line, block);
    if (observation.status === "observed") return observation.observed;
    throw new ObligationRefusedError(
      `At block ${block} the chain leaves the implementation of ${line.address} open: ${observation.missing} gave no address.`,
    );
  };
  const [atFrom, atTo] = await Promise.all([observeAt(window.fromBlock), observeAt(window.toBlock)]);
  const assertion = assertionOf(line, window, atTo);
  // A statement about code is about the last block only.
  for (const observed of line.type === "bytecode" ? [atTo] : [atFrom, atTo])
    if (!holdsAt(assertion, observed))
      throw new ObligationRefusedError(
        `At block ${observed.block} the chain has ${describeState(observed)} at ${line.address}, not ${describeState(assertion)}.`,
      );
  const openedAt = new Date();
  const claim: CanonicalClaim = {
    network: NETWORK,
    kind: "obligation",
    assertion,
    opener: signer.address.toLowerCase() as Hex,
    rewardMicroUsd: String(microUsdFromNumber(line.rewardUsd)),
    deadline: new Date(openedAt.getTime() + line.challengeHours * 3_600_000).toISOString(),
    origin,
  };
  const claimId = claimIdOf(claim);
  const receipt =
    assertion.type === "bytecode"
      ? null
      : claimReceiptText({
          claimId,
          claim,
          fromBlockHash: atFrom.blockHash as Hex,
          toBlockHash: atTo.blockHash as Hex,
          implementationAtToBlock: assertion.implementation,
        });
  return {
    claimId,
    canonical: canonicalJson(claim),
    receipt,
    survivalHash: receipt === null ? null : survivalHashOf(receipt),
    openedAt: openedAt.toISOString(),
    openedAtBlock: head,
    invocationId: null,
    listKey,
  };
}

interface BlockWindow {
  readonly fromBlock: number;
  readonly toBlock: number;
}

const PACE_BLOCKS = 1_000;

/** The chain's pace over its last blocks: a process that has just connected has measured nothing yet. */
async function measureBlockTimeMs(chain: Chain, head: BlockHeader): Promise<number> {
  const earlier = await chain.findBlock(Math.max(0, head.number - PACE_BLOCKS));
  const blocks = head.number - (earlier?.number ?? head.number);
  const seconds = head.timestamp - (earlier?.timestamp ?? head.timestamp);
  return blocks > 0 && seconds > 0 ? Math.max(100, (seconds * 1_000) / blocks) : chain.blockTimeMs();
}

function windowOf(line: ObligationLine, head: number, blockTimeMs: number): BlockWindow {
  const window = chooseWindow(line, head, blockTimeMs);
  const blocks = window.toBlock - window.fromBlock + 1;
  const longest = maxClaimWindowBlocks(blockTimeMs);
  if (blocks > longest)
    throw new ObligationRefusedError(
      `A window of ${blocks} blocks is longer than ${MAX_CLAIM_WINDOW_DAYS} days, which are ${longest} blocks now.`,
    );
  return window;
}

function chooseWindow(line: ObligationLine, head: number, blockTimeMs: number): BlockWindow {
  const { windowHours, fromBlock, toBlock } = line;
  const windowBlocks =
    windowHours === undefined
      ? line.windowBlocks
      : Math.max(1, Math.floor((windowHours * 3_600_000) / blockTimeMs));
  if (windowBlocks !== undefined) {
    if (windowBlocks > head + 1)
      throw new ObligationRefusedError(
        `The chain has ${head + 1} blocks, fewer than the ${windowBlocks} of the window.`,
      );
    return { fromBlock: head - windowBlocks + 1, toBlock: head };
  }
  if (toBlock === undefined || fromBlock === undefined) throw new Error("a line of the list has no window");
  if (toBlock > head)
    throw new ObligationRefusedError(`toBlock ${toBlock} is above ${head}, the newest block of the chain.`);
  return { fromBlock, toBlock };
}

/** What the line states or, where it states nothing, what the chain has. */
function assertionOf(line: ObligationLine, window: BlockWindow, atTo: ObservedAssertion): Assertion {
  const { address } = line;
  if (line.type === "bytecode") {
    const seen = { bytecodeHash: atTo.bytecodeHash ?? null, bytecodeBytes: atTo.bytecodeBytes ?? 0 };
    const { bytecodeHash = seen.bytecodeHash, bytecodeBytes = seen.bytecodeBytes } = line;
    return { type: "bytecode", address, bytecodeHash, bytecodeBytes, ...window };
  }
  const { implementation = atTo.implementation ?? null } = line;
  return { type: "upgrade_window", address, implementation, ...window };
}

function describeState(state: Assertion | ObservedAssertion): string {
  if ("implementation" in state) return state.implementation ?? "no implementation";
  return state.bytecodeHash ? `code ${state.bytecodeHash} of ${state.bytecodeBytes} bytes` : "no code";
}
