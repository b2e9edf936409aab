import type { Note } from "../verdict/note.js";
import type { DecodedSwap } from "./decodeSwap.js";

export type PermissionCode = "PERMIT_ASTRAY" | "PERMIT_LASTS_LONG";

/** Exchanges ask for a month. */
const LONG_SECONDS = 366 * 86_400;

/** A signature beside a swap may let this router take the token that is swapped, and nobody anything else. */
export function judgePermissions(
  { permissions, tokenIn }: DecodedSwap,
  { to }: { readonly to: string },
  { timestamp }: { readonly timestamp: number },
): Note<PermissionCode>[] {
  return permissions.flatMap(({ token, spender, expiration }): Note<PermissionCode>[] => {
    if (spender !== to.toLowerCase() || token !== tokenIn) {
      const limitation = `A signature in the call lets ${spender} take ${token} from the sender.`;
      return [{ code: "PERMIT_ASTRAY", limitation }];
    }
    return expiration !== null && expiration > timestamp + LONG_SECONDS
      ? [{ code: "PERMIT_LASTS_LONG" }]
      : [];
  });
}
