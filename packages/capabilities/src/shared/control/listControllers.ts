import type { Hex, Reading } from "@assay/protocol";
import type { SubjectReadings } from "../proxies/subjectReadings.js";
import { addressInWord, isAddressWord, isZeroWord } from "../words/addressInWord.js";

/** Where a controller was found: a slot that lets it replace code, or the subject's own `owner()`. */
export type ControllerRole = "eip1967_admin" | "zeppelinos_admin" | "diamond_owner" | "beacon" | "owner";

export interface Controller {
  readonly role: ControllerRole;
  readonly address: Hex;
}

const CONTROLLER_SLOTS = {
  eip1967_admin: "eip1967Admin",
  zeppelinos_admin: "zeppelinosAdmin",
  diamond_owner: "diamondOwner",
  beacon: "eip1967Beacon",
} as const;

/** Every address that the subject itself names as able to change or command it. One address may have several roles. */
export function listControllers({ slots, owner }: Pick<SubjectReadings, "slots" | "owner">): Controller[] {
  const found = Object.entries(CONTROLLER_SLOTS).flatMap(([role, slot]): Controller[] => {
    const word = slots[slot];
    if (word.status !== "value" || isZeroWord(word.value)) return [];
    return [{ role: role as ControllerRole, address: addressInWord(word.value) }];
  });
  const named = parseOwner(owner);
  return named.status === "named" ? [...found, { role: "owner", address: named.address }] : found;
}

type OwnerAnswer =
  | { readonly status: "named"; readonly address: Hex }
  /** The zero address, as OpenZeppelin's `renounceOwnership()` leaves it. */
  | { readonly status: "nobody" }
  /** Nothing returned, or refused: there is no such function. */
  | { readonly status: "none" }
  | { readonly status: "unread" }
  /** More or less than one address came back. */
  | { readonly status: "unreadable" };

export function parseOwner(answer: Reading<Hex>): OwnerAnswer {
  switch (answer.status) {
    case "unanswered":
      return { status: "unread" };
    case "absent":
    case "reverted":
      return { status: "none" };
    case "value":
      if (!isAddressWord(answer.value)) return { status: "unreadable" };
      return isZeroWord(answer.value)
        ? { status: "nobody" }
        : { status: "named", address: addressInWord(answer.value) };
  }
}
