import type { Hex, Reading } from "@assay/protocol";
import type {
  AdminFindings,
  ControlJudgement,
  ControllerKind,
  OwnerFindings,
} from "../shared/control/judgeControl.js";
import { BURN_ADDRESSES } from "../shared/control/judgeOwnership.js";
import { parseOwner } from "../shared/control/listControllers.js";
import type { ProxyJudgement } from "../shared/proxies/judgeProxy.js";
import type { Note } from "../shared/verdict/note.js";
import { addressInWord, isZeroWord } from "../shared/words/addressInWord.js";
import { findRoleAdmin, kindOf, listPowerHolders } from "./judgeIssuerPowers.js";
import type { RwaMarketReadings } from "./readings.js";

/** Proxies whose code replaces itself. */
const SELF_UPGRADING = ["PROXY_UUPS", "PROXY_EIP1822"] as const;

export type UpgradeCode =
  | (typeof SELF_UPGRADING)[number]
  | "PROXY_ERC3643"
  | "UPGRADE_IN_ONE_HAND"
  | "UPGRADE_HELD_BY_CONTRACT"
  | "UPGRADE_HOLDER_UNKNOWN"
  | "CODE_RUNS_OTHER_CODE"
  | "CODE_UNREAD"
  | "SLOT_UNREAD"
  | "ADMIN_UNREAD"
  | "IMPLEMENTATION_UNREAD"
  | "IMPLEMENTATION_HAS_NO_CODE";
type Notes = Note<UpgradeCode>[];

/** Where T-REX proxies keep the authority that chooses their code: a constant of its published code. */
export const ERC3643_AUTHORITY_SLOT = "0x821f3e4d3d679f19eacc940c87acf846ea6eae24a63058ea750304437a62aafc";

/** What kind of account finally decides about the code, as far as that was followed. */
type Hand = "account" | "contract" | "nobody" | "unknown";

interface UpgradeJudgement {
  readonly notes: Notes;
  readonly isBehind: boolean;
  readonly upgrade: {
    readonly implementation: string | null;
    readonly holders: readonly UpgradeHolder[];
  } | null;
}

export interface UpgradeHolder {
  readonly through: string;
  readonly address: string | null;
  readonly hand: Hand;
}

/** The authority in the ERC-3643 slot; null when none is set or the slot was not read. */
export function findAuthority(slot: Reading<string>): Hex | null {
  return slot.status === "value" && !isZeroWord(slot.value as Hex) ? addressInWord(slot.value as Hex) : null;
}

/**
 * Judges who decides which code the token runs, followed one step further than contract.guard does. The operator vouches
 * for a listed token with its present code, so a single key that can replace the code voids that.
 */
export function judgeUpgrade(
  readings: RwaMarketReadings,
  { proxy, notes: proxyNotes }: ProxyJudgement,
  { control }: ControlJudgement,
): UpgradeJudgement {
  const { authority, implementation } = readings;
  const named = findAuthority(authority.slot);
  const notes: Notes =
    authority.slot.status === "value"
      ? []
      : [
          {
            code: "SLOT_UNREAD",
            limitation: "The slot of an ERC-3643 authority was not read: no node answered.",
          },
        ];
  if (named !== null) notes.push({ code: "PROXY_ERC3643" }, ...noteAuthority(readings));
  const selfUpgrading = SELF_UPGRADING.find((code) => proxyNotes.some((note) => note.code === code));
  const isBehind = proxy !== null || named !== null;
  notes.push(...noteDelegations(readings, isBehind, selfUpgrading));
  const isProxy = proxy !== null && proxy.kind !== "eip1167_clone";
  if (!isProxy && named === null) return { notes, isBehind, upgrade: null };
  const holders: UpgradeHolder[] = [
    ...control.admins.map((admin) => ({
      through: admin.role,
      address: admin.address,
      hand: followAdmin(readings, admin),
    })),
    ...(named === null
      ? []
      : [{ through: "erc3643_authority", address: named, hand: followAuthority(readings) }]),
    ...(selfUpgrading ? followSelf(readings, control.owner) : []),
  ];
  // A slot names the code, and this check finds no account that may set it.
  if (holders.length === 0) holders.push({ through: "unknown", address: null, hand: "unknown" });
  return {
    notes: [...notes, ...noteHands(holders.map(({ hand }) => hand))],
    isBehind,
    upgrade: { implementation: implementation?.address ?? proxy?.implementation ?? null, holders },
  };
}

/**
 * A proxy runs other code by design, and code that replaces itself runs the new code once to set it up: both are reported,
 * but do not lower the verdict. In any other code, slots do not show what will run.
 */
function noteDelegations(
  { delegations, implementation }: RwaMarketReadings,
  isBehind: boolean,
  selfUpgrading: (typeof SELF_UPGRADING)[number] | undefined,
): Notes {
  const found = isBehind ? implementation?.delegations : delegations;
  if (found?.status === "value") {
    if (found.value.length === 0) return [];
    const limitation = `The token's code uses ${found.value.join(", ")}: what it runs in its own place, and at whose word, was not followed.`;
    return [{ code: selfUpgrading ?? "CODE_RUNS_OTHER_CODE", limitation }];
  }
  if (found?.status === "absent") return [];
  const limitation = "Whether the token's code runs other code in its own place was not read.";
  return [{ code: isBehind ? "IMPLEMENTATION_UNREAD" : "CODE_UNREAD", limitation }];
}

function noteHands(hands: readonly Hand[]): Notes {
  const notes: Notes = [];
  if (hands.includes("account")) notes.push({ code: "UPGRADE_IN_ONE_HAND" });
  if (hands.includes("unknown"))
    notes.push({
      code: "UPGRADE_HOLDER_UNKNOWN",
      limitation: "Who may replace the token's code was not followed to its end.",
    });
  if (hands.includes("contract"))
    notes.push({
      code: "UPGRADE_HELD_BY_CONTRACT",
      limitation: "Who commands the contracts that may replace the token's code was not followed further.",
    });
  return notes;
}

const handOf = (kind: ControllerKind): Hand => {
  if (kind === "unread") return "unknown";
  return kind === "account" || kind === "delegated" ? "account" : kind;
};

function followAdmin(readings: RwaMarketReadings, { address, kind, owner }: AdminFindings): Hand {
  if (kind !== "contract") return handOf(kind);
  return owner === null ? "contract" : followOwner(readings, address, owner);
}

/** The owner of a contract that may replace the code. The owner's code was read together with its address. */
function followOwner({ adminOwners }: RwaMarketReadings, admin: string, owner: OwnerFindings): Hand {
  if (owner.kind === "nobody" || BURN_ADDRESSES.includes(owner.address as Hex)) return "nobody";
  const followed = adminOwners.find((entry) => entry.admin === admin)?.owner;
  if (followed?.status !== "value" || followed.value.address !== owner.address) return "unknown";
  return handOf(kindOf({ status: "value", value: followed.value.code }));
}

function followAuthority(readings: RwaMarketReadings): Hand {
  const { account } = readings.authority;
  if (account === null) return "unknown";
  const kind = kindOf(account.code);
  if (kind !== "contract") return handOf(kind);
  const named = parseOwner(account.owner as Reading<Hex>);
  if (named.status === "none") return "contract";
  if (named.status === "nobody") return "nobody";
  return named.status === "named"
    ? followOwner(readings, account.address, { address: named.address, kind: "unread" })
    : "unknown";
}

/**
 * Code that replaces itself obeys its owner or a role. Which of them is not read, so each counts. The code of listed
 * administrators is not read: unless the token names them too, it is not known what they are.
 */
function followSelf(readings: RwaMarketReadings, owner: OwnerFindings | null): UpgradeHolder[] {
  const holders = listPowerHolders(readings, owner).map(({ as, address, kind }) => ({
    through: as,
    address,
    hand: handOf(kind),
  }));
  const followed = new Set(holders.flatMap(({ hand, address }) => (hand === "unknown" ? [] : [address])));
  const found = holders.filter(({ hand, address }) => hand !== "unknown" || !followed.has(address));
  const named = findRoleAdmin(readings.roles);
  if (named !== null && readings.roles.admin?.address !== named)
    return [...found, { through: "default_admin", address: named, hand: "unknown" }];
  return found.length > 0 ? found : [{ through: "owner", address: owner?.address ?? null, hand: "unknown" }];
}

function noteAuthority({ authority, implementation }: RwaMarketReadings): Notes {
  const notes: Notes = [];
  if (authority.account?.code.status !== "value" || authority.account.owner.status === "unanswered")
    notes.push({
      code: "ADMIN_UNREAD",
      limitation: "The ERC-3643 authority was not all read: no node answered.",
    });
  if (authority.implementation?.status !== "value") {
    const limitation = "The ERC-3643 authority did not name the code of the token.";
    notes.push({ code: "IMPLEMENTATION_UNREAD", limitation });
  } else if (implementation?.code.status === "value" && implementation.code.value.form === "empty") {
    notes.push({ code: "IMPLEMENTATION_HAS_NO_CODE" });
  }
  return notes;
}
