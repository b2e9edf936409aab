import { type Pledge, type PledgeRequest, usdFromMicro } from "@assay/protocol";
import { type SignedAction, spendNonce } from "../actions/signedAction.js";
import type { BaseContext } from "../base/context.js";
import type { Queryable } from "../store/database.js";
import { PLEDGE_CREDIT_CAP_MICRO_USD, PLEDGE_CREDIT_PCT } from "./creditTerms.js";

export interface RecordedPledge {
  /** False when the wallet had pledged for the capability before. */
  readonly isNew: boolean;
  readonly pledge: Pledge;
}

/** Records that a wallet means to pay for a capability, built or not: once per wallet and capability. */
export function pledge(
  context: BaseContext,
  { wallet, capability }: PledgeRequest,
  signed: SignedAction,
  built: boolean,
): Promise<RecordedPledge> {
  return context.database.transaction(async (tx) => {
    await spendNonce(tx, signed);
    const [created] = await tx.query<PledgeRow>({
      name: "pledge_create",
      text: `INSERT INTO pledges (wallet, capability) VALUES ($1, $2)
             ON CONFLICT (wallet, capability) DO NOTHING RETURNING pledged_at, credit_micro_usd`,
      values: [wallet, capability],
    });
    if (created) await countPledge(tx, capability);
    const row = created ?? (await getPledge(tx, wallet, capability));
    const credit = row.credit_micro_usd;
    return {
      isNew: created !== undefined,
      pledge: {
        wallet,
        capability,
        built,
        pledgedAt: row.pledged_at.toISOString(),
        credit: {
          pctOfPricePaid: Number(PLEDGE_CREDIT_PCT),
          maxUsd: usdFromMicro(PLEDGE_CREDIT_CAP_MICRO_USD),
          rewardKind: "non_transferable_credits",
          creditedUsd: credit === null ? null : usdFromMicro(credit),
        },
      },
    };
  });
}

interface PledgeRow {
  pledged_at: Date;
  credit_micro_usd: bigint | null;
}

async function getPledge(tx: Queryable, wallet: string, capability: string): Promise<PledgeRow> {
  const [row] = await tx.query<PledgeRow>({
    name: "pledge_find",
    text: "SELECT pledged_at, credit_micro_usd FROM pledges WHERE wallet = $1 AND capability = $2",
    values: [wallet, capability],
  });
  if (!row) throw new Error(`the pledge of ${wallet} for ${capability} is gone`);
  return row;
}

async function countPledge(tx: Queryable, capability: string): Promise<void> {
  await tx.query({
    name: "pledge_count",
    text: `INSERT INTO asked_capabilities (capability, pledges) VALUES ($1, 1)
           ON CONFLICT (capability) DO UPDATE
             SET pledges = asked_capabilities.pledges + 1, last_asked_at = now()`,
    values: [capability],
  });
}
