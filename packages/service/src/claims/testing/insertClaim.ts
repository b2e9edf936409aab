import { randomBytes } from "node:crypto";
import { type Assertion, type CanonicalClaim, canonicalJson, claimIdOf, type Hex } from "@assay/protocol";
import type { Queryable } from "../../store/database.js";

export interface InsertedClaim {
  readonly opener?: Hex;
  readonly rewardMicroUsd?: bigint;
  /** Hours from now; negative for a deadline that has passed. */
  readonly hoursLeft?: number;
}

/** A claim as if it had been opened and paid for, whether or not it is true. */
export async function insertClaim(
  db: Queryable,
  assertion: Assertion,
  { opener = `0x${"0e".repeat(20)}`, rewardMicroUsd = 5_000_000n, hoursLeft = 1 }: InsertedClaim = {},
): Promise<Hex> {
  const deadline = new Date(Date.now() + hoursLeft * 3_600_000).toISOString();
  const claim: CanonicalClaim = {
    network: "eip155:8453",
    kind: "claim",
    assertion,
    opener,
    rewardMicroUsd: String(rewardMicroUsd),
    deadline,
    origin: `test_${randomBytes(8).toString("hex")}`,
  };
  const claimId = claimIdOf(claim);
  const { type, address, fromBlock, toBlock } = assertion;
  await db.query({
    text: `INSERT INTO claims (claim_id, kind, type, canonical, address, from_block, to_block, opener,
             reward_micro_usd, deadline, opened_at_block)
           VALUES ($1, 'claim', $2, $3, $4, $5, $6, $7, $8, $9, $6)`,
    values: [
      claimId,
      type,
      canonicalJson(claim),
      address.toLowerCase(),
      fromBlock,
      toBlock,
      opener,
      rewardMicroUsd,
      deadline,
    ],
  });
  return claimId;
}
