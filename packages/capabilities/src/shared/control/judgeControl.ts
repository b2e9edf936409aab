import type { Hex, Reading } from "@assay/protocol";
import type { CodeFingerprint } from "../code/fingerprintBytecode.js";
import type { SubjectReadings } from "../proxies/subjectReadings.js";
import type { Note } from "../verdict/note.js";
import { type Controller, type ControllerRole, listControllers, parseOwner } from "./listControllers.js";

export type ControlCode =
  | "ADMIN_IS_ACCOUNT"
  | "ADMIN_IS_CONTRACT"
  | "ADMIN_OWNER_RENOUNCED"
  | "ADMIN_UNREAD"
  | "OWNER_RENOUNCED"
  | "OWNER_IS_ACCOUNT"
  | "OWNER_IS_CONTRACT"
  | "OWNER_UNREAD"
  | "OWNER_UNREADABLE";

type Notes = Note<ControlCode>[];

/** `delegated` is a plain account that runs another contract's code (EIP-7702): its key still decides. */
export type ControllerKind = "account" | "delegated" | "contract" | "nobody" | "unread";

export interface OwnerFindings {
  /** Null when the answer named nobody, or when there was no usable answer. */
  readonly address: Hex | null;
  readonly kind: ControllerKind;
}

export interface AdminFindings {
  readonly role: Exclude<ControllerRole, "owner">;
  readonly address: Hex;
  readonly kind: ControllerKind;
  /** Null when it has no `owner()`. */
  readonly owner: OwnerFindings | null;
}

export interface ControlJudgement {
  readonly notes: Notes;
  readonly control: { readonly admins: readonly AdminFindings[]; readonly owner: OwnerFindings | null };
}

/**
 * Who may replace the code, followed to that account's owner, and the contract's own owner. An owner is reported,
 * but does not lower the verdict: what it may do is not read, and most tokens have one.
 */
export function judgeControl(readings: SubjectReadings): ControlJudgement {
  const admins = listControllers(readings).flatMap((controller) =>
    isAdmin(controller) ? [describeAdmin(readings, controller)] : [],
  );
  const owner = describeOwner(readings, readings.owner);
  return {
    notes: [...admins.flatMap((admin) => noteAdmin(readings, admin)), ...noteOwner(readings, owner)],
    control: { admins, owner },
  };
}

type Admin = Controller & Pick<AdminFindings, "role">;
const isAdmin = (controller: Controller): controller is Admin => controller.role !== "owner";

const unasked: Reading<never> = { status: "unanswered", reason: "not_asked" };
const findEntry = ({ controllers }: SubjectReadings, address: Hex) =>
  controllers.find((entry) => entry.address === address);
const ownerAnswer = (readings: SubjectReadings, address: Hex): Reading<Hex> =>
  findEntry(readings, address)?.owner ?? unasked;

function describeAdmin(readings: SubjectReadings, { role, address }: Admin): AdminFindings {
  const kind = findKind(readings, address);
  return { role, address, kind, owner: describeOwner(readings, ownerAnswer(readings, address)) };
}

function describeOwner(readings: SubjectReadings, answer: Reading<Hex>): OwnerFindings | null {
  const owner = parseOwner(answer);
  switch (owner.status) {
    case "none":
      return null;
    case "named":
      return { address: owner.address, kind: findKind(readings, owner.address) };
    case "nobody":
      return { address: null, kind: "nobody" };
    default:
      return { address: null, kind: "unread" };
  }
}

function findKind(readings: SubjectReadings, address: Hex): ControllerKind {
  const code = findEntry(readings, address)?.code;
  if (code?.status === "absent") return "account";
  return code?.status === "value" ? kindOf(code.value) : "unread";
}

function kindOf({ form }: CodeFingerprint): ControllerKind {
  if (form === "empty") return "account";
  return form === "eip7702_delegation" ? "delegated" : "contract";
}

function noteAdmin(readings: SubjectReadings, { role, address, kind, owner }: AdminFindings): Notes {
  const notes: Notes = [];
  if (kind === "unread") notes.push(unreadAdmin(`The code of the admin ${address}`));
  // A beacon without code chooses nothing, and the rule on proxies says so.
  if (kind === "delegated" || (kind === "account" && role !== "beacon")) {
    notes.push({ code: "ADMIN_IS_ACCOUNT" });
  }
  if (kind === "contract")
    notes.push({ code: "ADMIN_IS_CONTRACT", limitation: describeReach(address, owner) });
  const { status } = parseOwner(ownerAnswer(readings, address));
  if (status === "nobody") notes.push({ code: "ADMIN_OWNER_RENOUNCED" });
  if (status === "unread") notes.push(unreadAdmin(`owner() of the admin ${address}`));
  if (status === "unreadable") {
    notes.push({
      code: "ADMIN_UNREAD",
      limitation: `The admin ${address} answered owner() with no address.`,
    });
  }
  return notes;
}

const unreadAdmin = (what: string): Note<ControlCode> => ({
  code: "ADMIN_UNREAD",
  limitation: `${what} was not read: no node answered.`,
});

/** How far the power over the code was followed. */
function describeReach(address: Hex, owner: OwnerFindings | null): string {
  if (owner?.address && owner.kind === "unread") {
    return `Whether ${owner.address}, who owns the admin ${address}, is an account or a contract was not read.`;
  }
  return `Who else controls the admin ${address} was not followed.`;
}

function noteOwner(readings: SubjectReadings, owner: OwnerFindings | null): Notes {
  if (owner === null) return [];
  if (owner.kind === "nobody") return [{ code: "OWNER_RENOUNCED", limitation: OTHER_POWERS }];
  if (owner.kind === "contract") return [{ code: "OWNER_IS_CONTRACT", limitation: OTHER_POWERS }];
  if (owner.kind !== "unread") return [{ code: "OWNER_IS_ACCOUNT", limitation: OTHER_POWERS }];
  if (owner.address !== null) {
    return [
      {
        code: "OWNER_UNREAD",
        limitation: `The code of the owner ${owner.address} was not read: no node answered.`,
      },
    ];
  }
  return parseOwner(readings.owner).status === "unreadable"
    ? [{ code: "OWNER_UNREADABLE", limitation: "owner() returned something else than one address." }]
    : [{ code: "OWNER_UNREAD", limitation: "owner() was not read: no node answered." }];
}

const OTHER_POWERS = "What an owner may do was not read, and powers may be held by others than the owner.";
