import { isReservedAddress } from "../chain-facts/reservedAddresses.js";
import type { Note } from "../verdict/note.js";
import type { DecodedSwap } from "./decodeSwap.js";

export type RouteCode =
  | "RECIPIENT_NOT_SENDER"
  | "OUTPUT_UNREACHABLE"
  | "DEADLINE_ABSENT"
  | "DEADLINE_FAR"
  | "DEADLINE_PASSED"
  | "BLOCK_HASH_BOUND"
  | "BLOCK_HASH_PASSED";

/** A prepared transaction that waits longer than this meets another market than the one it was made for. */
const FAR_SECONDS = 3600n;

/** What calldata alone tells: who gets the output, and until when. */
export function judgeRoute(
  swap: DecodedSwap,
  { from, to }: { readonly from: string; readonly to: string },
  block: { readonly hash: string; readonly timestamp: number },
): Note<RouteCode>[] {
  const notes: Note<RouteCode>[] = [];
  const { recipient, otherRecipients, tokenIn, tokenOut } = swap;
  const recipients = [recipient, ...otherRecipients];
  const isNobody = (address: string) =>
    isReservedAddress(address) || [to, tokenIn, tokenOut].includes(address);
  if (recipients.some(isNobody)) notes.push({ code: "OUTPUT_UNREACHABLE" });
  else if (recipients.some((address) => address !== from)) notes.push({ code: "RECIPIENT_NOT_SENDER" });
  const bond = swap.multicall?.previousBlockHash ?? null;
  if (bond !== null)
    return [...notes, { code: bond === block.hash ? "BLOCK_HASH_BOUND" : "BLOCK_HASH_PASSED" }];
  return [...notes, ...judgeDeadline(swap.deadline, BigInt(block.timestamp))];
}

function judgeDeadline(deadline: bigint | null, now: bigint): Note<RouteCode>[] {
  if (deadline === null) {
    const limitation = "The call has no deadline: once signed it can be included whenever its limit allows.";
    return [{ code: "DEADLINE_ABSENT", limitation }];
  }
  if (deadline < now) return [{ code: "DEADLINE_PASSED" }];
  return deadline > now + FAR_SECONDS ? [{ code: "DEADLINE_FAR" }] : [];
}
