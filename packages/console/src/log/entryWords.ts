import { canonicalClaimSchema, type LogEntry } from "@assay/protocol";
import { titleOf } from "../claims/ClaimWords.js";
import { count, shorten } from "../ui/format.js";

/** Kinds of entries that a visitor can ask for, by the names they have in the log. */
export const entryKinds = {
  receipt: "Paid answers",
  claim: "Claims",
  challenge: "Challenges",
  verdict: "Outcomes of claims",
  publication: "Published work",
  credit: "Credits",
  decision: "Decisions",
  reorg: "Undone payments",
  restoration: "Restorations",
} as const;

export interface EntryWords {
  readonly title: string;
  readonly detail: string;
  /** Its page, where it has one. */
  readonly href?: string | undefined;
  /** Whether its text is only for those who have its receipt: many such entries say the same. */
  readonly isKept?: boolean | undefined;
}

/** What stands for an entry whose text is only for those who have its receipt. */
const kept: Readonly<Record<string, EntryWords>> = {
  receipt: {
    title: "A paid answer",
    detail: "The log commits to its receipt. Whose it is, only the receipt says.",
  },
  credit: { title: "A credit", detail: "The log commits to it without saying whose it is." },
  decision: {
    title: "A decision about an obligation",
    detail: "What a buyer did with the verdict on it.",
  },
  reorg: {
    title: "A payment that the chain undid",
    detail: "A reorganisation removed its transaction.",
  },
};

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

/** An entry in plain words, from the exact text that the log has of it. */
export function describeEntry({ kind, leaf }: LogEntry): EntryWords {
  const hidden = kept[kind];
  if (leaf === null) return hidden ? { ...hidden, isKept: true } : { title: kind, detail: "" };
  const content = JSON.parse(leaf) as Readonly<Record<string, unknown>>;
  const claimId = textOf(content.claimId);
  const onClaim = { href: `/claims/${claimId}` };
  if (kind === "claim") return { ...describeClaim(content.claim), ...onClaim };
  if (kind === "challenge")
    return {
      title: `A challenge to claim ${shorten(claimId)}`,
      detail: describeResolution(content),
      ...onClaim,
    };
  if (kind === "verdict")
    return {
      title: `Claim ${shorten(claimId)} ${content.status === "falsified" ? "was proven false" : "survived"}`,
      detail: "",
      ...onClaim,
    };
  if (kind === "publication")
    return {
      title: `The code of ${shorten(textOf(content.address))} was published`,
      detail: `${count(Number(content.bytecodeBytes ?? 0), "byte")} at block ${String(content.computedAtBlock)}; recomputed: ${textOf(content.audit)}.`,
      href: `/publishers/${textOf(content.wallet)}`,
    };
  if (kind === "restoration")
    return {
      title: "The service was restored from a backup",
      detail: "The log goes on under a new name, and names the one before.",
    };
  return { title: kind, detail: "" };
}

function describeClaim(claim: unknown): EntryWords {
  const { success, data } = canonicalClaimSchema.safeParse(claim);
  if (!success) return { title: "A claim", detail: "" };
  const { kind, assertion } = data;
  const { fromBlock, toBlock } = assertion;
  return {
    title: titleOf(assertion),
    detail: `Claimed by ${kind === "obligation" ? "this service" : "a wallet"}, for ${fromBlock === toBlock ? "block" : `blocks ${fromBlock} to`} ${toBlock}.`,
  };
}

const describeResolution = ({ resolution }: Readonly<Record<string, unknown>>): string =>
  resolution === "counterexample_valid"
    ? "It proved the claim false."
    : resolution === "claim_correct"
      ? "The chain agreed with the claim."
      : "The chain did not agree with the challenge.";
