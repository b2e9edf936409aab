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

/** After a longer wait than this, the market is no longer the one the transaction was prepared for. */
const FAR_SECONDS = 3600n;

/** What the calldata alone decides: who receives the output, and until when the swap is valid. */
export function judgeRoute(
  swap: DecodedSwap,
  { from, to }: { readonly from: string; readonly to: string },
  block: { readonly hash: string; readonly timestamp: number },
): Note<RouteCode>[] {
  const notes: Note<RouteCode>[] = [];
  const { recipient, otherRecipients, tokenIn, tokenOut } = swap;
  const recipients = [recipient, ...otherRecipients];
  const isUnreachable = (address: string) =>
    isReservedAddress(address) || [to, tokenIn, tokenOut].includes(address);
  if (recipients.some(isUnreachable)) notes.push({ code: "OUTPUT_UNREACHABLE" });
  else if (recipients.some((address) => address !== from)) notes.push({ code: "RECIPIENT_NOT_SENDER" });
  const boundTo = swap.multicall?.previousBlockHash ?? null;
  if (boundTo !== null)
    return [...notes, { code: boundTo === block.hash ? "BLOCK_HASH_BOUND" : "BLOCK_HASH_PASSED" }];
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
