import type { AddressSight } from "@assay/protocol";
import type { AskedPaste } from "./askPasted.js";

/** What was pasted, by what stands at its address: the question that fits comes first, and none that does not fit is left. */
export function fitToSight({ questions, ...asked }: AskedPaste, sight: AddressSight): AskedPaste {
  const forTokens = questions.filter(({ isForTokens }) => isForTokens);
  const forAll = questions.filter(({ isForTokens }) => !isForTokens);
  const title = describeSight(sight);
  switch (sight.kind) {
    case "account":
      return { ...asked, title, questions: [] };
    case "token":
      // What everybody knows can be sold; who may change it is what decides.
      return { ...asked, title, questions: sight.name === null ? [...forTokens, ...forAll] : questions };
    default:
      return { ...asked, title, questions: forAll };
  }
}

export function describeSight({ kind, name, pools }: AddressSight): string {
  const published = name === null ? "" : `${name}, `;
  switch (kind) {
    case "account":
      return `${published}an account of a person or a program, without code`;
    case "delegated":
      return `${published}an account that runs the code of a contract`;
    case "token":
      return `${published}${name === null ? "a token that is not well known" : "a published token"}${describePools(pools)}`;
    default:
      return `${published}a contract${name === null ? " that is not well known" : ""}`;
  }
}

function describePools(pools: number | null): string {
  if (pools === null) return "";
  if (pools === 0) return ", with no pool in which it could be sold";
  return `, sold in ${pools} ${pools === 1 ? "pool" : "pools"}`;
}
