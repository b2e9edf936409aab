import type { Hex, Reading } from "@assay/protocol";
import type { CodeFingerprint } from "../code/fingerprintBytecode.js";
import type { Note } from "../verdict/note.js";
import { parseOwner } from "./listControllers.js";

/** Who a token names as its owner, as it was read. */
interface OwnerReadings {
  /** Answer of `owner()` (ERC-173). */
  readonly owner: Reading<string>;
  /** Answer of `getOwner()`, which some tokens have in its place. */
  readonly getOwner: Reading<string>;
  /** Null when nobody is named. */
  readonly ownerAccount: { readonly address: string; readonly code: Reading<CodeFingerprint> } | null;
}

export type OwnershipCode =
  | "OWNER_RENOUNCED"
  | "OWNER_IS_ACCOUNT"
  | "OWNER_IS_CONTRACT"
  | "OWNER_UNREAD"
  | "OWNER_UNREADABLE";

export type OwnerKind = "account" | "contract" | "nobody" | "unnamed" | "unread";

interface Ownership {
  readonly notes: Note<OwnershipCode>[];
  readonly owner: { readonly address: Hex | null; readonly kind: OwnerKind };
}

/** Nobody holds the keys of these. */
export const BURN_ADDRESSES: readonly Hex[] = [
  "0x0000000000000000000000000000000000000000",
  "0x000000000000000000000000000000000000dead",
];

/** The account that the token names as its owner, unless ownership was given up. */
export function findLiveOwner({ owner, getOwner }: Pick<OwnerReadings, "owner" | "getOwner">): Hex | null {
  const named = nameOwner({ owner, getOwner });
  return named.status === "named" && !BURN_ADDRESSES.includes(named.address) ? named.address : null;
}

function nameOwner({ owner, getOwner }: Pick<OwnerReadings, "owner" | "getOwner">) {
  const first = parseOwner(owner as never);
  return first.status === "none" ? parseOwner(getOwner as never) : first;
}

export function judgeOwnership(readings: OwnerReadings): Ownership {
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

function judgeLiveOwner({ ownerAccount }: OwnerReadings, address: Hex): Ownership {
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
