import type { Hex, Reading } from "@assay/protocol";
import { CHAIN_ID } from "@assay/protocol/primitives";
import { decodeAbiParameters, hashDomain, parseAbiParameters } from "viem";
import type { MessageCase, Notes } from "./messageCase.js";
import { DOMAIN_FIELDS, reviveStruct, type TypedDocument } from "./typedDocument.js";

export interface DomainFindings {
  readonly hash: Hex;
  readonly chainId: string | null;
  readonly verifyingContract: Hex | null;
  readonly name: string | null;
  /** What the contract says of its own domain, compared with the one that is signed. */
  readonly stated: "same" | "other" | "nothing" | "unread";
}

/** The hash that a domain gives (EIP-712), by the fields that the document states. */
export function hashDomainOf({ types, domain }: Pick<TypedDocument, "types" | "domain">): Hex {
  return hashDomain({
    domain: reviveStruct(types, "EIP712Domain", domain) as never,
    types: { EIP712Domain: types.EIP712Domain ?? [] } as never,
  });
}

/** Whether the contract that checks the signature exists, is what it claims and belongs to this chain. */
export function judgeDomain(one: MessageCase): { notes: Notes; domain: DomainFindings | null } {
  const document = one.input.typedData;
  if (document === undefined) return { notes: [], domain: null };
  const hash = hashDomainOf(document);
  const { chainId, name } = document.domain;
  const stated = compareDomain(one, hash);
  const notes: Notes = [];
  if (chainId !== undefined && chainId !== String(CHAIN_ID)) notes.push({ code: "OTHER_CHAIN" });
  const { isOffChain } = one.meaning;
  if (chainId === undefined && !isOffChain) notes.push({ code: "CHAIN_MISSING" });
  if (one.verifier === null) {
    if (!isOffChain) notes.push({ code: "VERIFIER_MISSING" });
  } else notes.push(...judgeVerifier(one, one.verifier), ...noteStated(stated));
  return {
    notes,
    domain: {
      hash,
      chainId: typeof chainId === "string" ? chainId : null,
      verifyingContract: one.verifier,
      name: typeof name === "string" ? name : null,
      stated,
    },
  };
}

function judgeVerifier(one: MessageCase, verifier: Hex): Notes {
  const { venues, named } = one.readings;
  const published = one.meaning.venue === null ? null : venues[one.meaning.venue];
  const { kind, reading } = one.viewParty(verifier);
  const notes: Notes = [];
  if (named !== null && !named.addresses.includes(verifier)) notes.push({ code: "VERIFIER_IMITATES" });
  const code = reading?.code;
  const isEmpty = code?.status === "absent" || (code?.status === "value" && code.value.form === "empty");
  // Where nothing is, nothing can accept the signature.
  if (kind === "changed" && !isEmpty) notes.push({ code: "KNOWN_PARTY_CHANGED" });
  if (code === undefined || code.status === "unanswered" || code.status === "reverted")
    notes.push({ code: "COUNTERPARTY_UNREAD", limitation: `The code of ${verifier} was not read.` });
  else if (isEmpty) notes.push({ code: "VERIFIER_HAS_NO_CODE" });
  if (published !== null)
    notes.push({ code: published.includes(verifier) ? "VERIFIER_KNOWN" : "VERIFIER_UNKNOWN" });
  else if (!isEmpty && !isVouchedFor(one, verifier)) notes.push({ code: "VERIFIER_UNKNOWN" });
  return notes;
}

/** The name of a type binds nobody: what a contract does with it is known only of code that was published. */
function isVouchedFor(one: MessageCase, verifier: Hex): boolean {
  if (verifier === one.input.signer) return true;
  const reading = one.readings.parties.find(({ address }) => address === verifier);
  return (reading?.known != null && reading.standing !== "changed") || reading?.account != null;
}

function noteStated(stated: DomainFindings["stated"]): Notes {
  switch (stated) {
    case "same":
      return [{ code: "DOMAIN_CONFIRMED" }];
    case "other":
      return [{ code: "DOMAIN_DIFFERS" }];
    case "nothing":
      return [
        {
          code: "DOMAIN_UNSTATED",
          limitation:
            "The verifying contract has neither DOMAIN_SEPARATOR() nor eip712Domain(), so its domain was not compared.",
        },
      ];
    case "unread":
      return [
        {
          code: "DOMAIN_UNREAD",
          limitation: "No node answered what the verifying contract says of its domain.",
        },
      ];
  }
}

const description = parseAbiParameters(
  "bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions",
);

function compareDomain({ readings: { domain } }: MessageCase, hash: Hex): DomainFindings["stated"] {
  if (domain === null) return "nothing";
  const { separator, alternative, description: described } = domain;
  const stated = [wordOf(separator), wordOf(alternative), hashDescription(described)].filter(
    (one) => one !== undefined,
  );
  if (stated.length > 0 && !stated.includes(hash)) return "other";
  // Only what was read whole supports an allow.
  if ([separator, alternative, described].some(({ status }) => status === "unanswered")) return "unread";
  return stated.length > 0 ? "same" : "nothing";
}

const wordOf = (answer: Reading<Hex>): Hex | undefined =>
  answer.status === "value" && answer.value.length === 66 && BigInt(answer.value) > 0n
    ? answer.value
    : undefined;

/** The hash of the domain that ERC-5267 describes: bit n of its first byte says that field n is used. */
function hashDescription(answer: Reading<Hex>): Hex | undefined {
  if (answer.status !== "value") return undefined;
  try {
    const [bits, name, version, chainId, verifyingContract, salt] = decodeAbiParameters(
      description,
      answer.value,
    );
    const fields = DOMAIN_FIELDS.filter((_, index) => (Number(bits) >> index) & 1);
    const values: Record<string, unknown> = { name, version, chainId, verifyingContract, salt };
    return hashDomain({
      domain: Object.fromEntries(fields.map((field) => [field.name, values[field.name]])) as never,
      types: { EIP712Domain: fields } as never,
    });
  } catch {
    return undefined;
  }
}
