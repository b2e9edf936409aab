import type { Hex, Reading } from "@assay/protocol";
import type { Note } from "../shared/verdict/note.js";
import { readLeadingWord } from "../shared/words/readLeadingWord.js";
import type { ContractInterfaceReadings } from "./readings.js";
import { DECIMALS_SELECTOR, type StandardInterface, standardInterfaces } from "./standardInterfaces.js";

export type StandardCode =
  | "ERC20_DETECTED"
  | "ERC721_DETECTED"
  | "ERC1155_DETECTED"
  | "ERC165_DETECTED"
  | "NO_STANDARD_DETECTED"
  | "STANDARD_UNCERTAIN"
  | "INTERFACE_PROBE_UNREAD"
  | "ERC165_NOT_FOLLOWED"
  | "ERC165_CLAIM_WITHOUT_SELECTORS"
  | "SELECTORS_WITHOUT_ERC165_CLAIM"
  | "PROBE_CONTRADICTS_SELECTORS";

type Notes = Note<StandardCode>[];
type Probes = ContractInterfaceReadings["probes"];
/** `yes`: by all the evidence there is. `probable`: by a part of it. `unknown`: not read, or it contradicts itself. */
type Implements = "yes" | "no" | "probable" | "unknown";
type Standard = keyof typeof standardInterfaces;

export interface StandardFinding {
  readonly implements: Implements;
  /** Mandatory functions whose selectors were found and not found; null when there was no scan. */
  readonly selectorsFound: number | null;
  readonly selectorsMissing: readonly string[] | null;
  /** Whether the contract claims it by ERC-165; null where the standard asks for no claim. */
  readonly claim: Claim | null;
}

interface StandardsJudgement {
  readonly notes: Notes;
  readonly standards: Readonly<Record<Standard, StandardFinding>>;
  readonly probes: Readonly<Record<keyof Probes, string>>;
}

/** An account without code implements nothing. */
export function describeNoStandards(): Readonly<Record<Standard, StandardFinding>> {
  const nothing: StandardFinding = {
    implements: "no",
    selectorsFound: null,
    selectorsMissing: null,
    claim: null,
  };
  return { erc165: nothing, erc20: nothing, erc721: nothing, erc721Metadata: nothing, erc1155: nothing };
}

/**
 * Which standards the contract appears to implement, by the selectors in the code that runs and by what the
 * address answers, and where the two disagree. Without a scan `selectors` is null.
 */
export function judgeStandards(probes: Probes, selectors: ReadonlySet<string> | null): StandardsJudgement {
  const read = readProbes(probes);
  const erc165 = judgeErc165(read, selectors);
  const claims = {
    erc721: findClaim(erc165.claim, read.supportsErc721),
    erc721Metadata: findClaim(erc165.claim, read.supportsErc721Metadata),
    erc1155: findClaim(erc165.claim, read.supportsErc1155),
  };
  const standards = {
    erc165,
    erc20: judgeErc20(read, selectors),
    erc721: judgeClaimed("erc721", claims.erc721, selectors),
    erc721Metadata: judgeClaimed("erc721Metadata", claims.erc721Metadata, selectors),
    erc1155: judgeClaimed("erc1155", claims.erc1155, selectors),
  };
  return {
    standards,
    probes: read,
    notes: [
      ...noteDetected(standards),
      ...noteUnread(read),
      ...noteClaims(standards, read),
      ...noteContradictions(read, selectors),
    ],
  };
}

/** `refused`: the call reverted or returned nothing. `malformed`: it returned something of another type. */
type WordAnswer = "answered" | "refused" | "malformed" | "unread";
type BooleanAnswer = "yes" | "no" | "refused" | "malformed" | "unread";
type ReadProbes = Readonly<
  Record<Exclude<keyof Probes, "totalSupply" | "balanceOf" | "decimals">, BooleanAnswer> &
    Record<"totalSupply" | "balanceOf" | "decimals", WordAnswer>
>;

const MAX_UINT256 = 2n ** 256n - 1n;
const MAX_UINT8 = 255n;

function readProbes(probes: Probes): ReadProbes {
  return {
    supportsErc165: readBoolean(probes.supportsErc165),
    supportsInvalid: readBoolean(probes.supportsInvalid),
    supportsErc721: readBoolean(probes.supportsErc721),
    supportsErc721Metadata: readBoolean(probes.supportsErc721Metadata),
    supportsErc1155: readBoolean(probes.supportsErc1155),
    totalSupply: readUint(probes.totalSupply, MAX_UINT256),
    balanceOf: readUint(probes.balanceOf, MAX_UINT256),
    decimals: readUint(probes.decimals, MAX_UINT8),
  };
}

function readUint(reading: Reading<Hex>, max: bigint): WordAnswer {
  const word = readAnswer(reading);
  if (typeof word !== "bigint") return word;
  return word <= max ? "answered" : "malformed";
}

function readBoolean(reading: Reading<Hex>): BooleanAnswer {
  const word = readAnswer(reading);
  if (typeof word !== "bigint") return word;
  return word === 1n ? "yes" : word === 0n ? "no" : "malformed";
}

function readAnswer(reading: Reading<Hex>): bigint | "refused" | "malformed" | "unread" {
  if (reading.status === "unanswered") return "unread";
  if (reading.status !== "value") return "refused";
  return readLeadingWord(reading) ?? "malformed";
}

type Claim = "made" | "not_made" | "unread";

/** ERC-165, "How to Detect if a Contract Implements ERC-165": yes to its own id and no to 0xffffffff. */
function judgeErc165(probes: ReadProbes, selectors: ReadonlySet<string> | null): StandardFinding {
  const { supportsErc165, supportsInvalid } = probes;
  const claim: Claim =
    supportsErc165 === "unread" || (supportsErc165 === "yes" && supportsInvalid === "unread")
      ? "unread"
      : supportsErc165 === "yes" && supportsInvalid === "no"
        ? "made"
        : "not_made";
  const found = findSelectors("erc165", selectors);
  if (claim !== "made") return { implements: claim === "unread" ? "unknown" : "no", ...found, claim };
  return { implements: found.selectorsMissing?.length === 0 ? "yes" : "probable", ...found, claim };
}

/** A claim counts only where ERC-165 itself is followed. */
function findClaim(erc165: Claim | null, answer: BooleanAnswer): Claim {
  if (erc165 === "not_made") return "not_made";
  if (erc165 !== "made" || answer === "unread") return "unread";
  return answer === "yes" ? "made" : "not_made";
}

function judgeClaimed(
  standard: Standard,
  claim: Claim,
  selectors: ReadonlySet<string> | null,
): StandardFinding {
  const found = findSelectors(standard, selectors);
  return { implements: weigh(found.selectorsMissing, claim), ...found, claim };
}

function weigh(missing: readonly string[] | null, claim: Claim): Implements {
  if (missing === null) return claim === "made" ? "probable" : "unknown";
  if (missing.length === 0) return claim === "made" ? "yes" : "probable";
  return claim === "not_made" ? "no" : "unknown";
}

/** By its six mandatory selectors, and by the two of them that anyone may call. */
function judgeErc20(probes: ReadProbes, selectors: ReadonlySet<string> | null): StandardFinding {
  const answers = [probes.totalSupply, probes.balanceOf];
  const isUnread = answers.includes("unread");
  const isAnswered = answers.every((answer) => answer === "answered");
  const found = { ...findSelectors("erc20", selectors), claim: null };
  if (found.selectorsMissing === null) return { implements: isAnswered ? "probable" : "unknown", ...found };
  if (found.selectorsMissing.length === 0)
    return { implements: isAnswered ? "yes" : isUnread ? "probable" : "unknown", ...found };
  if (isUnread) return { implements: "unknown", ...found };
  // Functions that answer although the scan did not see them: it may have missed the others as well.
  const { "totalSupply()": totalSupply, "balanceOf(address)": balanceOf } =
    standardInterfaces.erc20.functions;
  const wereSeen = selectors?.has(totalSupply) && selectors.has(balanceOf);
  return { implements: isAnswered && !wereSeen ? "probable" : "no", ...found };
}

function findSelectors(standard: Standard, selectors: ReadonlySet<string> | null) {
  if (selectors === null) return { selectorsFound: null, selectorsMissing: null };
  const { functions }: StandardInterface = standardInterfaces[standard];
  const all = Object.entries(functions);
  const selectorsMissing = all.filter(([, selector]) => !selectors.has(selector)).map(([name]) => name);
  return { selectorsFound: all.length - selectorsMissing.length, selectorsMissing };
}

const DETECTED = {
  erc165: "ERC165_DETECTED",
  erc20: "ERC20_DETECTED",
  erc721: "ERC721_DETECTED",
  erc1155: "ERC1155_DETECTED",
} as const;

function noteDetected(standards: Readonly<Record<Standard, StandardFinding>>): Notes {
  const notes: Notes = (Object.keys(DETECTED) as (keyof typeof DETECTED)[])
    .filter((standard) => standards[standard].implements === "yes")
    .map((standard) => ({ code: DETECTED[standard] }));
  const unsure = Object.entries(standards).filter(([, { implements: answer }]) =>
    ["probable", "unknown"].includes(answer),
  );
  if (unsure.length > 0) {
    const names = unsure.map(([name, { implements: answer }]) => `${name} (${answer})`).join(", ");
    notes.push({ code: "STANDARD_UNCERTAIN", limitation: `Not decided by all the evidence: ${names}.` });
  }
  if (notes.length === 0) notes.push({ code: "NO_STANDARD_DETECTED" });
  return notes;
}

function noteUnread(probes: ReadProbes): Notes {
  const unread = Object.entries(probes).filter(([, answer]) => answer === "unread");
  if (unread.length === 0) return [];
  const names = unread.map(([name]) => name).join(", ");
  return [{ code: "INTERFACE_PROBE_UNREAD", limitation: `Calls not read, no node answered: ${names}.` }];
}

function noteClaims(standards: Readonly<Record<Standard, StandardFinding>>, probes: ReadProbes): Notes {
  const notes: Notes = [];
  const saysYes = [
    probes.supportsErc165,
    probes.supportsInvalid,
    probes.supportsErc721,
    probes.supportsErc721Metadata,
    probes.supportsErc1155,
  ].includes("yes");
  if (saysYes && standards.erc165.claim === "not_made") {
    const limitation = "What the contract says by supportsInterface() was not believed.";
    notes.push({ code: "ERC165_NOT_FOLLOWED", limitation });
  }
  for (const name of ["erc721", "erc721Metadata", "erc1155"] as const) {
    const { claim, selectorsMissing } = standards[name];
    if (selectorsMissing === null) continue;
    if (claim === "made" && selectorsMissing.length > 0) {
      const limitation = `${name} is claimed, but not found in the code: ${selectorsMissing.join(", ")}.`;
      notes.push({ code: "ERC165_CLAIM_WITHOUT_SELECTORS", limitation });
    }
    if (claim === "not_made" && selectorsMissing.length === 0) {
      const limitation = `The code has every function of ${name}, but does not claim it by ERC-165.`;
      notes.push({ code: "SELECTORS_WITHOUT_ERC165_CLAIM", limitation });
    }
  }
  return notes;
}

/** A function in the code that gives no usable answer, or an answer from a function the scan did not see. */
function noteContradictions(probes: ReadProbes, selectors: ReadonlySet<string> | null): Notes {
  if (selectors === null) return [];
  const { erc20, erc165 } = standardInterfaces;
  const probed: [name: string, selector: Hex, answer: WordAnswer | BooleanAnswer][] = [
    ["totalSupply()", erc20.functions["totalSupply()"], probes.totalSupply],
    ["balanceOf(address)", erc20.functions["balanceOf(address)"], probes.balanceOf],
    ["decimals()", DECIMALS_SELECTOR, probes.decimals],
    ["supportsInterface(bytes4)", erc165.functions["supportsInterface(bytes4)"], probes.supportsErc165],
  ];
  const disagreeing = probed.flatMap(([name, selector, answer]) => {
    const isUsable = ["answered", "yes", "no"].includes(answer);
    return answer === "unread" || selectors.has(selector) === isUsable ? [] : [`${name} (${answer})`];
  });
  if (disagreeing.length === 0) return [];
  const limitation = `Answers that do not fit the functions found in the code: ${disagreeing.join(", ")}.`;
  return [{ code: "PROBE_CONTRADICTS_SELECTORS", limitation }];
}
