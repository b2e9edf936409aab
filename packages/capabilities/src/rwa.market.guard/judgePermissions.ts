import type { Hex, Reading } from "@assay/protocol";
import type { Note } from "../shared/verdict/note.js";
import { addressInWord, isAddressWord, isZeroWord } from "../shared/words/addressInWord.js";
import { readFlag } from "../shared/words/readFlag.js";
import { readOneWord } from "../shared/words/readOneWord.js";
import { readLabel } from "./listLookAlikeAssets.js";
import type { RwaMarketReadings } from "./readings.js";

export type PermissionCode =
  | "ERC3643_TOKEN"
  | "ERC3643_INCOMPLETE"
  | "ERC1404_TOKEN"
  | "NOT_PERMISSIONED"
  | "PERMISSION_PROBE_UNREAD"
  | "PERMISSION_CONTRACT_MISSING"
  | "PERMISSION_CONTRACT_UNREAD"
  | "COMPLIANCE_BOUND_ELSEWHERE"
  | "REGISTRY_ADMITS_ANYONE";
type Notes = Note<PermissionCode>[];
type Erc3643 = RwaMarketReadings["erc3643"];

/** Functions in the code that show which standard it implements. */
const SELECTORS = {
  identityRegistry: "0x134e18f4",
  compliance: "0x6290865d",
  detectTransferRestriction: "0xd4ce1415",
} as const;

interface PermissionJudgement {
  readonly notes: Notes;
  /** Whether a transfer between accounts that were never admitted must fail. */
  readonly isRestricted: boolean;
  readonly permissions: {
    readonly erc3643: { readonly identityRegistry: Hex | null; readonly compliance: Hex | null } | null;
    readonly erc1404: { readonly restriction: number; readonly message: string | null } | null;
  };
}

/** The address that a call returned, zero included; null for anything that is no address. */
export function namedBy(answer: Reading<string>): Hex | null {
  return answer.status === "value" && isAddressWord(answer.value as Hex)
    ? addressInWord(answer.value as Hex)
    : null;
}

/**
 * Judges which standard of permissioned tokens this is, and whether the contracts it depends on exist. Code that answers
 * every call must not count as a standard, so where the code was scanned it must also have the functions.
 */
export function judgePermissions(
  address: Hex,
  readings: RwaMarketReadings,
  selectors: readonly Hex[] | null,
  isNative: boolean,
): PermissionJudgement {
  const has = (...names: Hex[]) => selectors === null || names.every((name) => selectors.includes(name));
  const { erc3643, erc1404 } = readings;
  const registry = has(SELECTORS.identityRegistry) ? findNamed(erc3643.identityRegistry) : null;
  const compliance = has(SELECTORS.compliance) ? findNamed(erc3643.compliance) : null;
  const isErc3643 = registry !== null || compliance !== null;
  const code = readOneWord(erc1404.restriction);
  const isErc1404 = has(SELECTORS.detectTransferRestriction) && code !== null && code < 256n;
  const unanswered = noteUnanswered(readings);
  const notes: Notes = [
    ...unanswered,
    ...(isErc3643 ? noteErc3643(address, erc3643, registry, compliance) : []),
    ...(isErc1404 ? [{ code: "ERC1404_TOKEN" } as const] : []),
  ];
  // Without all answers, nothing is known.
  if (!isErc3643 && !isErc1404 && !isNative && unanswered.length === 0)
    notes.push({ code: "NOT_PERMISSIONED" });
  return {
    notes,
    isRestricted: isErc3643 || (isErc1404 && code !== 0n),
    permissions: {
      erc3643: isErc3643 ? { identityRegistry: registry, compliance } : null,
      erc1404: isErc1404
        ? {
            restriction: Number(code),
            message: erc1404.message && readLabel(erc1404.message as Reading<Hex>),
          }
        : null,
    },
  };
}

/** The zero address is no answer: code that does not know the question returns it too. */
export function findNamed(answer: Reading<string>): Hex | null {
  const named = namedBy(answer);
  return named === null || isZeroWord(named) ? null : named;
}

function noteUnanswered({ erc3643, erc1404 }: RwaMarketReadings): Notes {
  const unansweredCalls = Object.entries({
    "identityRegistry()": erc3643.identityRegistry,
    "compliance()": erc3643.compliance,
    "detectTransferRestriction()": erc1404.restriction,
  }).flatMap(([name, { status }]) => (status === "unanswered" ? [name] : []));
  if (unansweredCalls.length === 0) return [];
  const limitation = `Not read, because no node answered: ${unansweredCalls.join(", ")}.`;
  return [{ code: "PERMISSION_PROBE_UNREAD", limitation }];
}

function noteErc3643(address: Hex, erc3643: Erc3643, registry: Hex | null, compliance: Hex | null): Notes {
  const notes: Notes = [];
  const isZero = (answer: Reading<string>) => namedBy(answer) !== null && findNamed(answer) === null;
  if (isZero(erc3643.identityRegistry) || isZero(erc3643.compliance))
    notes.push({ code: "PERMISSION_CONTRACT_MISSING" });
  notes.push(
    registry !== null && compliance !== null ? { code: "ERC3643_TOKEN", limitation: AGENTS } : INCOMPLETE,
  );
  for (const [named, account] of [
    [registry, erc3643.registry],
    [compliance, erc3643.rules],
  ] as const) {
    if (named !== null) notes.push(...notePart(named, account));
  }
  if (erc3643.registry && readFlag(erc3643.registry.verifiesStranger as Reading<Hex>) === "yes")
    notes.push({ code: "REGISTRY_ADMITS_ANYONE" });
  // Compliance contracts older than the modular ones do not answer this, which means nothing.
  const boundTo = erc3643.rules && namedBy(erc3643.rules.boundTo);
  if (boundTo !== null && boundTo !== address) notes.push({ code: "COMPLIANCE_BOUND_ELSEWHERE" });
  return notes;
}

const AGENTS =
  "Agents of an ERC-3643 token cannot be listed from its state: who besides the owner freezes, seizes and mints was not read.";
const INCOMPLETE: Note<PermissionCode> = {
  code: "ERC3643_INCOMPLETE",
  limitation: "Of identityRegistry() and compliance() only one names a contract.",
};

function notePart(named: Hex, account: Erc3643["registry"] | Erc3643["rules"]): Notes {
  const answer = account && ("boundTo" in account ? account.boundTo : account.verifiesStranger);
  if (account?.address !== named || account.code.status !== "value" || answer?.status === "unanswered") {
    const limitation = `What stands at ${named}, which decides who may hold the token, was not all read.`;
    return [{ code: "PERMISSION_CONTRACT_UNREAD", limitation }];
  }
  return account.code.value.form === "empty" ? [{ code: "PERMISSION_CONTRACT_MISSING" }] : [];
}
