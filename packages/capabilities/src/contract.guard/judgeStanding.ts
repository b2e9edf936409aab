import type { Note } from "../shared/verdict/note.js";
import type { ContractGuardReadings } from "./readings.js";

export type StandingCode =
  | "PARTY_MATCHES"
  | "PARTY_LISTED"
  | "PARTY_IS_NO_PROXY"
  | "PARTY_CODE_CHANGED"
  | "PUBLISHED_CODE_UNREAD"
  | "KNOWN_ACCOUNT"
  | "UPGRADEABLE_BY_KNOWN";

interface StandingJudgement {
  readonly notes: Note<StandingCode>[];
  /** Whether what replaces the code is published: a known protocol, or the owners of a genuine account. */
  readonly isVouchedFor: boolean;
  readonly isListed: boolean;
}

/** What is published about the address. Only code that matches vouches for a contract that can be replaced. */
export function judgeStanding(readings: ContractGuardReadings): StandingJudgement {
  const { party, standing } = readings.known;
  if (party !== null && standing !== null) {
    // Where implementations are published, the address is a proxy; code that passes nothing on is another.
    const isOther = standing === "listed" && party.implementations.length > 0 && !passesOn(readings);
    return {
      notes: [isOther ? { code: "PARTY_IS_NO_PROXY" } : noteParty(standing, party.name)],
      isVouchedFor: standing === "matches",
      isListed: !isOther && (standing === "matches" || standing === "listed"),
    };
  }
  const isAccount = isGenuineAccount(readings);
  return {
    notes: isAccount ? [knownAccount] : [],
    isVouchedFor: isAccount,
    isListed: isAccount,
  };
}

const passesOn = ({ delegation }: ContractGuardReadings): boolean => delegation.outcome === "delegates";

const knownAccount: Note<StandingCode> = {
  code: "KNOWN_ACCOUNT",
  limitation: "Who owns the account, and values that a constructor wrote into its code, were not compared.",
};

function noteParty(
  standing: NonNullable<ContractGuardReadings["known"]["standing"]>,
  name: string,
): Note<StandingCode> {
  switch (standing) {
    case "matches":
      return { code: "PARTY_MATCHES" };
    case "changed":
      return { code: "PARTY_CODE_CHANGED" };
    case "unread":
      return {
        code: "PUBLISHED_CODE_UNREAD",
        limitation: `The code to compare with what ${name} published was not read.`,
      };
    case "listed":
      return {
        code: "PARTY_LISTED",
        limitation: `No code is published for ${name} to compare with, or the code that runs is not among the published code.`,
      };
  }
}

/** Published account code runs, and what stands before it only passes calls on. */
function isGenuineAccount({ code, program, behind, known }: ContractGuardReadings): boolean {
  const { own, target, behind: running } = known.accounts;
  if (code.status !== "value") return false;
  if (code.value.form === "eip7702_delegation")
    return target !== null && (behind === null || behind.address === code.value.target || running !== null);
  if (behind === null || running === null) return false;
  return own !== null || program?.isOnlyProxy === true;
}
