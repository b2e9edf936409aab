import type { Hex } from "@assay/protocol";
import { parseOwner } from "../listControllers.js";
import type { Note } from "../note.js";
import type { TokenLaunchReadings } from "../tokenLaunchReadings.js";

export type OwnershipCode =
  | "OWNER_RENOUNCED"
  | "OWNER_IS_ACCOUNT"
  | "OWNER_IS_CONTRACT"
  | "OWNER_UNREAD"
  | "OWNER_UNREADABLE";

export type OwnerKind = "account" | "contract" | "nobody" | "unnamed" | "unread";

export interface Ownership {
  readonly notes: Note<OwnershipCode>[];
  readonly owner: { readonly address: Hex | null; readonly kind: OwnerKind };
}

/** Nobody holds the keys of these. */
export const BURN_ADDRESSES: readonly Hex[] = [
  "0x0000000000000000000000000000000000000000",
  "0x000000000000000000000000000000000000dead",
];

/** The account that the token names as its owner and that is still in office. */
export function findLiveOwner({
  owner,
  getOwner,
}: Pick<TokenLaunchReadings, "owner" | "getOwner">): Hex | null {
  const named = nameOwner({ owner, getOwner });
  return named.status === "named" && !BURN_ADDRESSES.includes(named.address) ? named.address : null;
}

function nameOwner({ owner, getOwner }: Pick<TokenLaunchReadings, "owner" | "getOwner">) {
  const first = parseOwner(owner as never);
  return first.status === "none" ? parseOwner(getOwner as never) : first;
}

export function judgeOwnership(readings: TokenLaunchReadings): Ownership {
  const named = nameOwner(readings);
  const live = findLiveOwner(readings);
  if (live !== null) return judgeLiveOwner(readings, live);
  switch (named.status) {
    case "none":
      return { notes: [], owner: { address: null, kind: "unnamed" } };
    case "unread":
      return {
        notes: [{ code: "OWNER_UNREAD", limitation: "owner() was not read: no node answered." }],
        owner: { address: null, kind: "unread" },
      };
    case "unreadable":
      return {
        notes: [
          { code: "OWNER_UNREADABLE", limitation: "owner() returned something else than one address." },
        ],
        owner: { address: null, kind: "unread" },
      };
    default:
      return { notes: [{ code: "OWNER_RENOUNCED" }], owner: { address: null, kind: "nobody" } };
  }
}

function judgeLiveOwner({ ownerAccount }: TokenLaunchReadings, address: Hex): Ownership {
  const code = ownerAccount?.address === address ? ownerAccount.code : undefined;
  if (code?.status !== "value") {
    const limitation = `The code of the owner ${address} was not read: no node answered.`;
    return { notes: [{ code: "OWNER_UNREAD", limitation }], owner: { address, kind: "unread" } };
  }
  // A delegated account (EIP-7702) is still one key's.
  const isAccount = code.value.form === "empty" || code.value.form === "eip7702_delegation";
  return {
    notes: [{ code: isAccount ? "OWNER_IS_ACCOUNT" : "OWNER_IS_CONTRACT" }],
    owner: { address, kind: isAccount ? "account" : "contract" },
  };
}
