import { bytesSchema, type Hex } from "@assay/protocol";
import { z } from "zod";
import type { Exploration, FoundFunction } from "./exploreCode.js";

/** Functions that a trade runs or that let another account spend, and so must have no hidden condition. */
export const LOCKED_ALONE: ReadonlySet<number> = new Set([
  0xa9059cbb, // transfer(address,uint256)
  0x23b872dd, // transferFrom(address,address,uint256)
  0x095ea7b3, // approve(address,uint256)
  0x70a08231, // balanceOf(address)
  0xdd62ed3e, // allowance(address,address)
  0xd505accf, // permit(address,address,uint256,uint256,uint8,bytes32,bytes32)
  0x39509351, // increaseAllowance(address,uint256)
  0xa457c2d7, // decreaseAllowance(address,uint256)
]);

/** Conditions on a hash of the caller, of an argument or of a balance: what passes them, nobody can name. */
export const lockReadingSchema = z.strictObject({
  /** False where the functions of a trade have more paths than were followed. */
  isComplete: z.boolean(),
  /** Selectors; four zero bytes stand for calls that name no function. */
  functions: z.array(bytesSchema).max(64),
});
export type LockReading = z.output<typeof lockReadingSchema>;

/** A view that decides about no trade may compare what it likes, texts for example. */
const matters = ({ selector, stores, calls, delegates }: FoundFunction): boolean =>
  stores || calls || delegates || (selector !== null && LOCKED_ALONE.has(selector));

const writeSelector = (selector: number | null): Hex => `0x${(selector ?? 0).toString(16).padStart(8, "0")}`;

export function listLocks(all: Exploration, alone: Exploration): LockReading {
  const found = [...all.functions, ...alone.functions].filter((one) => one.checksDigest && matters(one));
  return {
    isComplete: alone.isComplete,
    functions: [...new Set(found.map(({ selector }) => writeSelector(selector)))].slice(0, 64),
  };
}
