import { findAgentAddress } from "@assay/protocol";
import type { FoundHidden } from "./hiddenList.js";
import type { HiddenText } from "./types.js";

const MAX_PIECES = 20;
const MAX_CHARACTERS = 500;

/** So many are read one by one; the words of all are read together. */
const MAX_JUDGED = 2_000;

/** Excerpts of what is hidden, first those that address an agent, which the judgement must not lose. */
export function boundHidden({ hidden, hiddenWords }: FoundHidden): HiddenText[] {
  const excerpts = hidden.slice(0, MAX_JUDGED).map(({ kind, text }) => ({ kind, ...excerptOf(text) }));
  const addressed = excerpts.filter(({ isAddressed }) => isAddressed);
  // A command whose words or letters are hidden here and there is one all the same.
  const spread = addressed.length === 0 ? excerptOf(hiddenWords) : undefined;
  const joined = spread?.isAddressed ? [{ kind: hidden[0]?.kind ?? "display_none", ...spread }] : [];
  const others = excerpts.filter(({ isAddressed }) => !isAddressed);
  return [...addressed, ...joined, ...others].slice(0, MAX_PIECES).map(({ kind, text }) => ({ kind, text }));
}

/** The first stretch that addresses an agent, else the beginning. */
function excerptOf(text: string): { text: string; isAddressed: boolean } {
  for (let at = 0; at === 0 || at + MAX_CHARACTERS / 2 < text.length; at += MAX_CHARACTERS / 2) {
    const stretch = text.slice(at, at + MAX_CHARACTERS);
    if (findAgentAddress(stretch) !== null)
      return { text: stretch.replaceAll(/\p{Cs}/gu, ""), isAddressed: true };
  }
  const cut = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
  return { text: cut.replaceAll(/\p{Cs}/gu, ""), isAddressed: false };
}
