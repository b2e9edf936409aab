import type { SeededChoices } from "@assay/chain/testing/seededChoices";
import { claimFailpoints, refundFailpoints, voucherFailpoints } from "../src/base/failpoints.js";
import { issueMove, moveCredits } from "../src/credits/ledger.js";
import { fetchChallenge } from "../test/payer.js";
import type { CampaignWorld } from "./campaignWorld.js";
import { fetchQuote, guardPath, SNAPSHOT_PATH } from "./paidCalls.js";
import type { VoucherCall, VoucherPayer } from "./voucherPayers.js";

/** Where a process dies: at a failpoint, or from outside at any moment while it has calls under way. */
export const killMoments = [
  ...voucherFailpoints,
  ...claimFailpoints,
  ...refundFailpoints,
  "any_moment",
] as const;
export type KillMoment = (typeof killMoments)[number];

const isAmong = (names: readonly string[]) => (moment: KillMoment) => names.includes(moment);
/** One process at a time claims and sweeps, so that one of these can be reached before another process takes over. */
export const isOfClaims = isAmong(claimFailpoints);
export const isOfRefunds = isAmong(refundFailpoints);
/** A call that pays from a channel without money leads there. */
export const isOfDeposits = isAmong(["after_deposit_sent", "after_deposit"]);

export type VoucherKind = "ticket" | "quote" | "credit" | "refund";
/** The process that is to die, the other one, or both at the same time. */
export type Target = "doomed" | "other" | "both";

export interface PlannedCall {
  readonly kind: VoucherKind;
  readonly target: Target;
  readonly call: VoucherCall;
}

/** One kill: where, and at which time it is reached. */
export interface VoucherAssault {
  readonly moment: KillMoment;
  readonly turn: number;
  readonly payers: number;
  /** For `any_moment`: after the first call was sent. */
  readonly killAfterMs: number;
}

const isReachedByEachCall: ReadonlySet<KillMoment> = new Set([
  "after_lease",
  "before_charge",
  "after_charge",
]);

export function planVoucherAssault(moment: KillMoment, choices: SeededChoices): VoucherAssault {
  const payers = choices.integer(1, 4);
  return {
    moment,
    payers,
    // A later turn may not come: some calls are refused, and charges of several channels may be one commit.
    turn: payers > 2 && choices.chance(0.3) && isReachedByEachCall.has(moment) ? 2 : 1,
    killAfterMs: choices.integer(10, 900),
  };
}

/** Asks prices at a process that stays, and signs: calls that lead to the moment, and calls that race with them. */
export async function prepareVoucherCalls(
  world: CampaignWorld,
  url: string,
  { moment }: VoucherAssault,
  payers: readonly VoucherPayer[],
  choices: SeededChoices,
): Promise<PlannedCall[]> {
  const planned: PlannedCall[] = [];
  for (const [at, payer] of payers.entries()) {
    // The first one is certain to reach the moment.
    const isFirst = at === 0;
    const wantsRefund = isOfRefunds(moment) ? isFirst || choices.chance(0.5) : choices.chance(0.08);
    const target: Target = isFirst ? "doomed" : choices.pick(["doomed", "doomed", "other", "both"] as const);
    if (wantsRefund) {
      const amount = choices.chance(0.5) ? String(choices.integer(1, 60_000)) : undefined;
      const challenge = await fetchChallenge(url + SNAPSHOT_PATH);
      const call = await payer.signRefund(SNAPSHOT_PATH, challenge, amount);
      planned.push({ kind: "refund", target: target === "both" ? "doomed" : target, call });
    } else planned.push({ ...(await prepareCall(world, url, payer, choices)), target });
    // Another question with the same voucher's base, at the other process: only one of the two may be charged.
    if (choices.chance(0.3))
      planned.push({ ...(await prepareCall(world, url, payer, choices)), target: "other" });
  }
  return planned;
}

/** One call of any kind: new work or a stored answer, with a quote or without, with credit or without. */
export async function prepareCall(
  world: CampaignWorld,
  url: string,
  payer: VoucherPayer,
  choices: SeededChoices,
): Promise<{ kind: VoucherKind; call: VoucherCall }> {
  const kind = choices.pick(["ticket", "ticket", "quote", "credit"] as const);
  const address = choices.chance(0.4)
    ? choices.hex(20)
    : choices.pick(Object.values(world.devnet.contracts).filter((value) => typeof value === "string"));
  const isSnapshot = choices.chance(0.2);
  let path = isSnapshot ? SNAPSHOT_PATH : guardPath(address);
  if (kind === "credit") {
    const amount = BigInt(choices.integer(1_000, 60_000));
    await world.db.transaction((tx) =>
      moveCredits(tx, [issueMove(payer.wallet, "review", choices.hex(16), amount)]),
    );
  }
  if (kind !== "ticket") {
    const input: Record<string, string> = isSnapshot
      ? { capability: "chain.snapshot" }
      : { capability: "contract.guard", address };
    ({ path } = await fetchQuote(url, input, payer.wallet));
  }
  return { kind, call: await payer.sign(path, await fetchChallenge(url + path)) };
}
