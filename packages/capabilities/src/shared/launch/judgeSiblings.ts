import { nameCreated } from "../code/nameCreated.js";
import type { SiblingReadings } from "./siblingReadings.js";

/** Named in the findings; the readings hold all of them. */
const MAX_NAMED = 8;

export interface SiblingFindings {
  readonly creator: string | null;
  readonly factory: { readonly address: string; readonly name: string } | null;
  /** Contracts among the nearest creations, and those of them with the token's code; null where they were not read. */
  readonly contracts: number | null;
  readonly sameCode: number | null;
  readonly addresses: readonly string[];
}

/** Other contracts of the creator. No verdict rests on them: an honest factory makes many that are the same. */
export function judgeSiblings(
  token: string,
  codeHash: string | null,
  { creation, factory, others }: SiblingReadings,
): { readonly findings: SiblingFindings; readonly limitations: readonly string[] } {
  const isCreator = creation !== null && nameCreated(creation.creator, creation.nonce) === token;
  const creator = isCreator ? creation.creator : null;
  if (creator === null || others?.status !== "value") {
    const limitation = "Other contracts of the token's creator were not read.";
    return {
      findings: { creator, factory, contracts: null, sameCode: null, addresses: [] },
      limitations: creator !== null && factory === null ? [limitation] : [],
    };
  }
  const same = others.value.filter((other) => other.codeHash === codeHash);
  return {
    findings: {
      creator,
      factory,
      contracts: others.value.length,
      sameCode: same.length,
      addresses: same.slice(0, MAX_NAMED).map(({ nonce }) => nameCreated(creator, nonce)),
    },
    limitations: [],
  };
}
