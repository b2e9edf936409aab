import { findAgentInstruction } from "@assay/protocol";
import type { FoundHidden } from "./hiddenList.js";
import type { HiddenText } from "./types.js";

const MAX_PIECES = 20;
const MAX_CHARACTERS = 500;

/** Pieces that are searched one by one; the words of all pieces are searched together. */
const MAX_SEARCHED = 2_000;

/** Excerpts of hidden text. Those that address an agent come first, because the verdict depends on them. */
export function boundHidden({ hidden, hiddenWords }: FoundHidden): HiddenText[] {
  const excerpts = hidden.slice(0, MAX_SEARCHED).map(({ kind, text }) => ({ kind, ...excerptOf(text) }));
  const addressed = excerpts.filter(({ isAddressed }) => isAddressed);
  // A command may be spread over many hidden pieces, by words or by letters.
  const spread = addressed.length === 0 ? excerptOf(hiddenWords) : undefined;
  const joined = spread?.isAddressed ? [{ kind: hidden[0]?.kind ?? "display_none", ...spread }] : [];
  const others = excerpts.filter(({ isAddressed }) => !isAddressed);
  return [...addressed, ...joined, ...others].slice(0, MAX_PIECES).map(({ kind, text }) => ({ kind, text }));
}

/** The first part that addresses an agent, or else the beginning. */
function excerptOf(text: string): { text: string; isAddressed: boolean } {
  for (let at = 0; at === 0 || at + MAX_CHARACTERS / 2 < text.length; at += MAX_CHARACTERS / 2) {
    const part = text.slice(at, at + MAX_CHARACTERS);
    if (findAgentInstruction(part) !== null)
      return { text: part.replaceAll(/\p{Cs}/gu, ""), isAddressed: true };
  }
  const cut = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
  return { text: cut.replaceAll(/\p{Cs}/gu, ""), isAddressed: false };
}
