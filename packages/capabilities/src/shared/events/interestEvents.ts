import type { EventLog, Hex } from "@assay/protocol";
import { topicOf } from "./topicOf.js";
import { holderIn } from "./transferEvents.js";

const MINT = topicOf("Mint(address,address,uint256,uint256,uint256)");
const BURN = topicOf("Burn(address,address,uint256,uint256,uint256)");

/** Events in which Aave's tokens (`IScaledBalanceToken`) state the interest that a transfer event counts. */
export const interestTopics: readonly Hex[] = [MINT, BURN];

/**
 * The interest in the amount of a transfer event, by the event that follows it. Such tokens count the interest since the
 * holder's last action in the transfer that creates or destroys them, although the balance had it before.
 */
export function findInterest(transfer: EventLog, next: EventLog | undefined): bigint {
  if (next === undefined || next.address !== transfer.address) return 0n;
  const [topic, first, second] = next.topics;
  const [, from, to] = transfer.topics;
  // A mint names the holder second, after the caller; a burn names it first.
  const isSame = topic === MINT ? isSameHolder(second, to) : topic === BURN && isSameHolder(first, from);
  // The first of its three words is the amount of the transfer.
  const isStated = next.data.length === 2 + 3 * 64 && next.data.slice(0, 66) === transfer.data;
  return isSame && isStated ? BigInt(`0x${next.data.slice(66, 130)}`) : 0n;
}

const isSameHolder = (one: Hex | undefined, other: Hex | undefined): boolean =>
  holderIn(one) !== undefined && one === other;
