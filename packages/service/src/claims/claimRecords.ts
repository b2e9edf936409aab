import {
  type ClaimRecord,
  type ClaimStatus,
  canonicalClaimSchema,
  type Hex,
  NETWORK,
  usdFromMicro,
} from "@assay/protocol";
import type { Leaf } from "../log/appendLeaves.js";
import type { Queryable } from "../store/database.js";

/** A claim that is not recorded yet. All of it is JSON, so that it can wait in a paid call's effects. */
export interface NewClaim {
  readonly claimId: Hex;
  /** Canonical JSON, whose keccak256 is the id. */
  readonly canonical: string;
  /** The exact text that the survival hash is computed from; null where survival would mean nothing. */
  readonly receipt: string | null;
  readonly survivalHash: Hex | null;
  /** ISO 8601. When it was found true at `toBlock`; it is public once its payment is settled. */
  readonly openedAt: string;
  readonly openedAtBlock: number;
  /** The paid call that opens it; null for obligations. */
  readonly invocationId: string | null;
  /** The line of an operator's list that it comes from. */
  readonly listKey: string | null;
}

/** What a settled opening leaves for the settling transaction. */
export interface ClaimEffects {
  readonly claim: NewClaim;
}

/** Records claims, all open. The caller appends their leaves, with `CLAIM_PLACES`. */
export async function createClaims(
  tx: Queryable,
  claims: readonly NewClaim[],
  { writesBreadcrumbs }: { readonly writesBreadcrumbs: boolean },
): Promise<void> {
  const rows = claims.map((claim) => {
    const { kind, assertion, opener, rewardMicroUsd, deadline } = parseCanonical(claim.canonical);
    return {
      claim_id: claim.claimId,
      kind,
      type: assertion.type,
      canonical: claim.canonical,
      address: assertion.address.toLowerCase(),
      from_block: assertion.fromBlock,
      to_block: assertion.toBlock,
      opener: opener.toLowerCase(),
      reward_micro_usd: rewardMicroUsd,
      deadline,
      receipt: claim.receipt,
      survival_hash: claim.survivalHash,
      opened_at: claim.openedAt,
      opened_at_block: claim.openedAtBlock,
      invocation_id: claim.invocationId,
      list_key: claim.listKey,
    };
  });
  await tx.query({
    name: "claims_create",
    text: `INSERT INTO claims (claim_id, kind, type, canonical, address, from_block, to_block, opener, reward_micro_usd,
             deadline, receipt, survival_hash, opened_at, opened_at_block, invocation_id, list_key, breadcrumb)
           SELECT claim_id, kind, type, canonical, address, from_block, to_block, opener, reward_micro_usd, deadline,
             convert_to(receipt, 'UTF8'), survival_hash, opened_at, opened_at_block, invocation_id, list_key, $2
           FROM json_to_recordset($1) AS n (claim_id text, kind text, type text, canonical text, address text,
             from_block bigint, to_block bigint, opener text, reward_micro_usd bigint, deadline timestamptz, receipt text,
             survival_hash text, opened_at timestamptz, opened_at_block bigint, invocation_id text, list_key text)
           ORDER BY claim_id`,
    values: [JSON.stringify(rows), writesBreadcrumbs ? "due" : "off"],
  });
}

/** Opens the claims that these settled calls paid for, which wait in their effects. */
export async function openPaidClaims(
  tx: Queryable,
  invocationIds: readonly string[],
  settings: { readonly writesBreadcrumbs: boolean },
): Promise<NewClaim[]> {
  if (invocationIds.length === 0) return [];
  const rows = await tx.query<ClaimEffects>({
    name: "claims_paid",
    text: `SELECT effects->'claim' AS claim FROM responses WHERE invocation_id = ANY($1) ORDER BY invocation_id`,
    values: [invocationIds],
  });
  const claims = rows.map(({ claim }) => claim);
  await createClaims(tx, claims, settings);
  return claims;
}

/** The log entry of a claim: what was asserted stays public for ever. */
export const claimLeaf = (claim: NewClaim): Leaf => ({
  kind: "claim",
  subject: claim.claimId,
  content: {
    claimId: claim.claimId,
    network: NETWORK,
    claim: JSON.parse(claim.canonical),
    survivalHash: claim.survivalHash,
    openedAt: claim.openedAt,
    openedAtBlock: claim.openedAtBlock,
    invocationId: claim.invocationId,
  },
});

/** For `appendLeaves`: stores the claims' places in the log. */
export const CLAIM_PLACES = {
  name: "log_claims",
  text: "UPDATE claims SET log_index = leaf_index FROM appended WHERE claim_id = subject",
};

export interface ClaimRow {
  claim_id: Hex;
  canonical: string;
  status: ClaimStatus;
  survival_hash: Hex | null;
  opened_at: Date;
  opened_at_block: bigint;
  resolved_at: Date | null;
  invocation_id: string | null;
  log_index: bigint | null;
  breadcrumb: "off" | NonNullable<ClaimRecord["breadcrumb"]>["status"];
  breadcrumb_transaction: Hex | null;
}

/** Everything but the bytes of the receipt. */
export const CLAIM_COLUMNS = `claim_id, canonical, status, survival_hash, opened_at, opened_at_block, resolved_at,
  invocation_id, log_index, breadcrumb, breadcrumb_transaction`;

/** A claim as it is shown to everyone. */
export function describeClaim(publicUrl: string, row: ClaimRow): ClaimRecord {
  const claim = parseCanonical(row.canonical);
  const { kind, assertion, opener, deadline } = claim;
  const { fromBlock, toBlock } = assertion;
  const url = `${publicUrl}/api/v1/claims/${row.claim_id}`;
  return {
    claimId: row.claim_id,
    kind,
    claim,
    assertion,
    window: { fromBlock, toBlock, blocks: toBlock - fromBlock + 1 },
    opener,
    reward: {
      rewardUsd: usdFromMicro(BigInt(claim.rewardMicroUsd)),
      paidBy: "opener",
      note: "Owed by the opener to the first valid counterexample, and paid between them: the service holds no reward.",
    },
    deadline,
    status: row.status,
    openedAt: row.opened_at.toISOString(),
    openedAtBlock: Number(row.opened_at_block),
    resolvedAt: row.resolved_at?.toISOString() ?? null,
    survivalHash: row.survival_hash,
    survived: row.status === "survived",
    receiptUrl: row.survival_hash === null ? null : `${url}/receipt`,
    challengeEndpoint: `${url}/challenges`,
    invocationId: row.invocation_id,
    logIndex: row.log_index === null ? null : Number(row.log_index),
    breadcrumb:
      row.breadcrumb === "off" ? null : { status: row.breadcrumb, transaction: row.breadcrumb_transaction },
  };
}

/** The same for a claim that is about to be recorded. */
export const describeNewClaim = (
  publicUrl: string,
  claim: NewClaim,
  { writesBreadcrumbs }: { readonly writesBreadcrumbs: boolean },
): ClaimRecord =>
  describeClaim(publicUrl, {
    claim_id: claim.claimId,
    canonical: claim.canonical,
    status: "open",
    survival_hash: claim.survivalHash,
    opened_at: new Date(claim.openedAt),
    opened_at_block: BigInt(claim.openedAtBlock),
    resolved_at: null,
    invocation_id: claim.invocationId,
    log_index: null,
    breadcrumb: writesBreadcrumbs ? "due" : "off",
    breadcrumb_transaction: null,
  });

const parseCanonical = (text: string) => canonicalClaimSchema.parse(JSON.parse(text));
