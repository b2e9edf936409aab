import type { Hex, Reading } from "@assay/protocol";
import { toFunctionSelector } from "viem";
import type { CodeFingerprint } from "../shared/code/fingerprintBytecode.js";
import type { ControllerKind, OwnerFindings } from "../shared/control/judgeControl.js";
import { BURN_ADDRESSES } from "../shared/control/judgeOwnership.js";
import { HAS_ROLE_SELECTOR } from "../shared/control/ownerPowers.js";
import type { Note } from "../shared/verdict/note.js";
import { isZeroWord } from "../shared/words/addressInWord.js";
import { readFlag } from "../shared/words/readFlag.js";
import { findIssuerPower, type IssuerPowerKind, strangerTrials } from "./issuerPowers.js";
import { namedBy } from "./judgePermissions.js";
import type { RwaMarketReadings } from "./readings.js";

const POWER_CODES = {
  freeze: "POWER_FREEZE",
  seize: "POWER_SEIZE",
  mint: "POWER_MINT",
  pause: "POWER_PAUSE",
  limit: "POWER_LIMIT",
  admit: "POWER_ADMIT",
  fee: "POWER_FEE",
  rename: "POWER_RENAME",
} as const satisfies Partial<Record<IssuerPowerKind, string>>;

export type IssuerPowerCode =
  | (typeof POWER_CODES)[keyof typeof POWER_CODES]
  | "NO_ISSUER_POWER"
  | "ISSUER_POWERS_HELD"
  | "ISSUER_POWERS_RENOUNCED"
  | "ISSUER_POWER_HOLDER_UNKNOWN"
  | "ISSUER_POWERS_UNREAD"
  | "POWERS_OPEN_TO_ANYONE"
  | "SIMULATION_UNAVAILABLE";
type Notes = Note<IssuerPowerCode>[];

/** An account that holds the powers or appoints their holders, and how that is known. */
export interface PowerHolder {
  readonly as: "owner" | "default_admin" | "listed_admin";
  readonly address: string;
  readonly kind: ControllerKind;
}

interface IssuerPowerJudgement {
  readonly notes: Notes;
  readonly powers: {
    readonly found: readonly { readonly kind: IssuerPowerKind; readonly function: string }[];
    readonly holders: readonly PowerHolder[];
    readonly ownerIsAgent: boolean | null;
    /** The functions that a fresh account was allowed to call. */
    readonly openToAnyone: readonly string[];
  };
}

/** The powers of roles in every native token. No code shows them. */
const NATIVE_POWERS: readonly (readonly [IssuerPowerKind, string])[] = [
  ["freeze", "updatePolicy(bytes32,uint64)"],
  ["seize", "burnBlocked(address,uint256)"],
  ["mint", "mint(address,uint256)"],
  ["pause", "pause(uint8[])"],
  ["limit", "updateSupplyCap(uint256)"],
  ["admit", "grantRole(bytes32,address)"],
  ["rename", "updateSymbol(string)"],
];

/** `transfer(address,uint256)`. */
const TRANSFER: Hex = "0xa9059cbb";

/**
 * Functions of the code that runs; null where not all of it was scanned. Code without a transfer is not what runs: it
 * passes calls on to code that this check cannot find.
 */
export function listSelectors({ scan, implementation }: RwaMarketReadings, isBehind: boolean): Hex[] | null {
  const scans = [scan, ...(isBehind ? [implementation?.scan ?? null] : [])];
  const selectors = scans.flatMap((one) => (one?.status === "value" ? (one.value.selectors as Hex[]) : []));
  const isWhole = scans.every((one) => one?.status === "value") && selectors.includes(TRANSFER);
  return isWhole ? [...new Set(selectors)] : null;
}

/** The account that the token names as holder of its default administrator role, where it names one. */
export function findRoleAdmin({
  defaultAdmin,
  firstMember,
}: Pick<RwaMarketReadings["roles"], "defaultAdmin" | "firstMember">): Hex | null {
  const named = [defaultAdmin, firstMember].map(namedBy);
  return named.find((address) => address !== null && !isZeroWord(address)) ?? null;
}

export function judgeIssuerPowers(
  readings: RwaMarketReadings,
  owner: OwnerFindings | null,
  selectors: readonly Hex[] | null,
  isNative: boolean,
): IssuerPowerJudgement {
  const found = isNative
    ? NATIVE_POWERS.map(([kind, signature]) => ({ kind, function: signature }))
    : (selectors ?? []).flatMap((selector) => {
        const power = findIssuerPower(selector);
        return power ? [{ kind: power.kind, function: power.signature }] : [];
      });
  const holders = listPowerHolders(readings, owner);
  const open = listOpen(readings, selectors, isNative);
  const { ownerIsAgent } = readings.erc3643;
  const agent = ownerIsAgent && readFlag(ownerIsAgent as Reading<Hex>);
  return {
    notes: [
      ...noteFound(found, selectors !== null || isNative),
      // Who may replace the code is judged separately.
      ...(found.some(({ kind }) => kind !== "upgrade")
        ? noteHolders(holders, owner, selectors, isNative)
        : []),
      ...(open.length > 0 ? [{ code: "POWERS_OPEN_TO_ANYONE" } as const] : []),
      ...noteUntried(readings),
    ],
    powers: {
      found,
      holders,
      ownerIsAgent: agent === "yes" ? true : agent === "no" ? false : null,
      openToAnyone: open,
    },
  };
}

function noteFound(found: readonly { readonly kind: IssuerPowerKind }[], isScanned: boolean): Notes {
  const notes: Notes = Object.entries(POWER_CODES).flatMap(([kind, code]) =>
    found.some((power) => power.kind === kind) ? [{ code, limitation: BY_NAME }] : [],
  );
  if (!isScanned) {
    const limitation = "Not all code of the token was found and scanned for powers over its holders.";
    return [...notes, { code: "ISSUER_POWERS_UNREAD", limitation }];
  }
  return notes.length > 0 ? notes : [{ code: "NO_ISSUER_POWER", limitation: BY_NAME }];
}

const BY_NAME = "Powers are recognised by the names of functions; others may hide under names of their own.";

export function listPowerHolders({ roles }: RwaMarketReadings, owner: OwnerFindings | null): PowerHolder[] {
  const holders: PowerHolder[] = [];
  if (owner?.address && !BURN_ADDRESSES.includes(owner.address))
    holders.push({ as: "owner", address: owner.address, kind: owner.kind });
  if (roles.admin) {
    const { address, code } = roles.admin;
    holders.push({ as: "default_admin", address, kind: kindOf(code) });
  }
  for (const { address, hasRole } of roles.listed) {
    if (readFlag(hasRole as Reading<Hex>) === "yes")
      holders.push({ as: "listed_admin", address, kind: "unread" });
  }
  return holders;
}

export function kindOf(code: Reading<CodeFingerprint>): ControllerKind {
  if (code.status !== "value") return "unread";
  if (code.value.form === "empty") return "account";
  return code.value.form === "eip7702_delegation" ? "delegated" : "contract";
}

function noteHolders(
  holders: readonly PowerHolder[],
  owner: OwnerFindings | null,
  selectors: readonly Hex[] | null,
  isNative: boolean,
): Notes {
  if (holders.length > 0) return [{ code: "ISSUER_POWERS_HELD", limitation: OTHERS }];
  const isRenounced = owner?.kind === "nobody" || BURN_ADDRESSES.includes(owner?.address as Hex);
  const hasRoles = isNative || selectors === null || selectors.includes(HAS_ROLE_SELECTOR);
  if (isRenounced && !hasRoles) return [{ code: "ISSUER_POWERS_RENOUNCED", limitation: OTHERS }];
  const limitation =
    "Who holds the powers over holders was not found: nobody is called owner or administrator.";
  return [{ code: "ISSUER_POWER_HOLDER_UNKNOWN", limitation }];
}

const OTHERS = "Powers may be held by others than those whom the token names, and by whom they appoint.";

/** What a fresh account was allowed to do, or which role it could give itself. */
function listOpen(
  { stranger, erc3643, roles }: RwaMarketReadings,
  selectors: readonly Hex[] | null,
  isNative: boolean,
): string[] {
  // Code with an open fallback accepts every call and does nothing, so only functions that the code has count.
  const has = (signature: string) =>
    !isNative && (selectors?.includes(toFunctionSelector(signature)) ?? false);
  const trials = Object.entries(strangerTrials).flatMap(([kind, signature]) => {
    const { status } = stranger[kind as keyof typeof strangerTrials];
    return has(signature) && (status === "value" || status === "absent") ? [signature] : [];
  });
  const holds = (answer: Reading<string>) => readFlag(answer as Reading<Hex>) === "yes";
  return [
    ...trials,
    ...(has("isAgent(address)") && holds(erc3643.strangerIsAgent) ? ["isAgent(address)"] : []),
    ...((isNative || has("hasRole(bytes32,address)")) && holds(roles.stranger)
      ? ["hasRole(bytes32,address)"]
      : []),
  ];
}

function noteUntried({ stranger, erc3643, roles }: RwaMarketReadings): Notes {
  const isUnanswered = (answers: readonly (Reading<string> | null)[]) =>
    answers.some((answer) => answer?.status === "unanswered");
  const trials = Object.keys(strangerTrials).map((kind) => stranger[kind as keyof typeof strangerTrials]);
  const notes: Notes = [];
  if (isUnanswered([...trials, erc3643.strangerIsAgent, roles.stranger])) {
    const limitation = "Whether anybody may exercise the powers was not tried: no node answered.";
    notes.push({ code: "SIMULATION_UNAVAILABLE", limitation });
  }
  const named = [roles.defaultAdmin, roles.firstMember, ...roles.listed.map(({ hasRole }) => hasRole)];
  if (isUnanswered([...named, erc3643.ownerIsAgent])) {
    const limitation =
      "Who holds the administrator's role, or whether the owner is an agent, was not read: no node answered.";
    notes.push({ code: "ISSUER_POWER_HOLDER_UNKNOWN", limitation });
  }
  return notes;
}
