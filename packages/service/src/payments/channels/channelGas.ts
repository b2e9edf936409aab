import type { ClaimContext } from "../paymentsContext.js";
import { BEARABLE_LOSS } from "../settlement/settlementCosts.js";

/** Gas that the scheme's contract uses with payers without code, as `npm run campaign:channel-gas` measures it. */
const GAS_USED_BY_DEPOSIT = 120_000n;
/** With the claim of what was charged. */
const GAS_USED_BY_REFUND = 130_000n;
const GAS_USED_BY_CLAIMS = 35_000n;
const GAS_USED_PER_CLAIM = 26_000n;
const GAS_USED_BY_SWEEP = 65_000n;

type Costs = Pick<ClaimContext, "facilitator">;
const costOf = ({ facilitator }: Costs, gas: bigint) => facilitator.channels?.estimateCost(gas);

/** Why a deposit of so much is not made: it costs more than it could ever bring, by more than a single payment may. */
export function findDepositRefusal(context: Costs, amount: bigint): string | undefined {
  const cost = costOf(context, GAS_USED_BY_DEPOSIT);
  if (cost === undefined || amount + BEARABLE_LOSS >= cost) return undefined;
  return `making this deposit would cost ${cost} micro-dollars; deposit at least ${cost - BEARABLE_LOSS}`;
}

/** Why so much is not returned: its transaction would cost us more than its payer gets. */
export function findRefundRefusal(context: Costs, amount: bigint): string | undefined {
  const cost = costOf(context, GAS_USED_BY_REFUND);
  if (cost === undefined || amount >= cost) return undefined;
  return `returning ${amount} would cost ${cost} micro-dollars; ask for more, spend it, or withdraw it yourself from the scheme's contract`;
}

/** The least that is worth its place in a claim of many, in atomic units. */
export function leastWorthClaiming(context: Costs): bigint {
  // The difference of two estimates leaves out what a transaction costs whatever it carries.
  const [one, none] = [GAS_USED_PER_CLAIM, 0n].map((gas) => costOf(context, gas));
  return one === undefined || none === undefined || one - none < 1n ? 1n : one - none;
}

/** Whether vouchers over so much in all are worth the transaction that claims them. */
export function isWorthClaiming(context: Costs, count: number, amount: bigint): boolean {
  const cost = costOf(context, GAS_USED_BY_CLAIMS + GAS_USED_PER_CLAIM * BigInt(count));
  return cost === undefined || amount >= cost;
}

export function isWorthSweeping(context: Costs, amount: bigint): boolean {
  const cost = costOf(context, GAS_USED_BY_SWEEP);
  return cost === undefined || amount >= cost;
}
