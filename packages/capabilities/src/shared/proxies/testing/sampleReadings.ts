import { type Hex, type Reading, unanswered, valueReading } from "@assay/protocol";
import { fingerprintBytecode } from "../../code/fingerprintBytecode.js";
import type { ProgramReading } from "../../machine/programReading.js";
import { type DelegationReading, noDelegation } from "../delegationReading.js";
import type { ControllerReadings, FollowedReadings, SubjectReadings } from "../subjectReadings.js";

export const ADDRESS: Hex = "0x00000000000000000000000000000000000000aa";
export const TARGET: Hex = "0x1111111111111111111111111111111111111111";
export const OTHER: Hex = "0x2222222222222222222222222222222222222222";

export const word = (value: Hex | bigint): Hex =>
  `0x${(typeof value === "bigint" ? value.toString(16) : value.slice(2)).padStart(64, "0")}`;
export const wordReading = (value: Hex | bigint): Reading<Hex> => valueReading(word(value));
export const silence: Reading<never> = unanswered("timeout");
export const refusal: Reading<never> = { status: "reverted", data: null };

export const PLAIN_CODE: Hex = "0x6080604052";
export const cloneOf = (target: Hex): Hex =>
  `0x363d3d373d3d3d363d73${target.slice(2)}5af43d82803e903d91602b57fd5bf3`;
export const codeReading = (code: Hex) => valueReading(fingerprintBytecode(code));

const zero = wordReading(0n);

/** An ordinary contract: code, no slot set, no pause switch. */
export function plainReadings(
  changes: Partial<Omit<SubjectReadings, "slots">> & {
    slots?: Partial<SubjectReadings["slots"]>;
  } = {},
): SubjectReadings {
  return {
    code: codeReading(PLAIN_CODE),
    paused: refusal,
    masterCopy: refusal,
    facetAddresses: refusal,
    owner: refusal,
    followed: [],
    beaconImplementation: null,
    controllers: [],
    ...changes,
    slots: {
      eip1967Implementation: zero,
      eip1967Admin: zero,
      eip1967Beacon: zero,
      eip1822Implementation: zero,
      zeppelinosImplementation: zero,
      zeppelinosAdmin: zero,
      diamondFacets: zero,
      diamondOwner: zero,
      safeSingleton: zero,
      openZeppelinPausable: zero,
      ...changes.slots,
    },
  };
}

/** A followed address with ordinary code and nothing behind it. */
export function followed(
  address: Hex,
  changes: Partial<Omit<FollowedReadings, "slots">> & { slots?: Partial<FollowedReadings["slots"]> } = {},
): FollowedReadings {
  return {
    address,
    code: codeReading(PLAIN_CODE),
    proxiableUuid: refusal,
    ...changes,
    slots: {
      eip1967Implementation: zero,
      eip1967Beacon: zero,
      eip1822Implementation: zero,
      zeppelinosImplementation: zero,
      diamondFacets: zero,
      ...changes.slots,
    },
  };
}

/** A plain account that is named as admin or owner. */
export function controller(
  address: Hex,
  changes: Partial<Omit<ControllerReadings, "address">> = {},
): ControllerReadings {
  return { address, code: codeReading("0x"), owner: null, ...changes };
}

export function cloneReadings(
  target: FollowedReadings = followed(TARGET),
  changes: Parameters<typeof plainReadings>[0] = {},
): SubjectReadings {
  return plainReadings({ code: codeReading(cloneOf(target.address)), followed: [target], ...changes });
}

/** A program that delegates nowhere and does nothing telling. */
export const program = (changes: Partial<ProgramReading> = {}): ProgramReading => ({
  isComplete: true,
  hasUnseenDelegation: false,
  delegations: [],
  isOnlyProxy: false,
  getters: [],
  signs: [],
  ...changes,
});

export const delegates = (target: Hex, changes: Partial<DelegationReading> = {}): DelegationReading => ({
  ...noDelegation,
  outcome: "delegates",
  origin: "storage",
  target,
  ...changes,
});
