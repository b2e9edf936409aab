import {
  findAgentAddress,
  findAgentAddressInLabel,
  findAgentAddressInMetadata,
  findAgentAddressInStyle,
} from "@assay/protocol";
import { removeInvisible } from "./invisibleCharacters.js";
import type { Aside, AsideUse } from "./listAsides.js";
import type { HiddenKind } from "./styles/look.js";
import type { HiddenText } from "./types.js";

/** Collects what people are not shown, as a reader of the document would come upon it. */
export interface HiddenList {
  /**
   * Joined to what was hidden just before in the same way: a sentence may be spread over elements. The words of a skip link
   * count only if they command a machine, by themselves or with everything else that is hidden.
   */
  add(kind: HiddenKind, text: string, isSkipLink?: boolean): void;
  addWhole(kind: HiddenKind, text: string): void;
  /** Counts only if it commands a machine, by itself or with others of its kind right before it. */
  addAside(aside: Aside): void;
  /** A block or a line begins or ends: what follows is another word. */
  separate(): void;
  /** Something is seen: what follows is another piece. */
  endPiece(): void;
  finish(): FoundHidden;
}

interface Part {
  readonly text: string;
  readonly isSkipLink: boolean;
}

interface Run {
  readonly parts: string[];
  characters: number;
}

export interface FoundHidden {
  readonly hidden: readonly HiddenText[];
  /** All of it in order, with what is too little to count by itself. */
  readonly hiddenWords: string;
}

/** Comments or labels that follow one another are read together once they are so long, and at their end. */
const MAX_RUN_CHARACTERS = 20_000;
/** So much of them is read again with what follows: more than the longest wording of a command. */
const OVERLAP_CHARACTERS = 2_000;
/** The shortest wording of a command has more. */
const MIN_COMMAND_CHARACTERS = 8;
/** A dot or an arrow between two links says nothing. */
const MIN_LETTERS = 3;

const FIND: Readonly<Record<AsideUse, (text: string) => string | null>> = {
  metadata: findAgentAddressInMetadata,
  label: findAgentAddressInLabel,
  style: findAgentAddressInStyle,
  other: findAgentAddress,
};

export function createHiddenList(): HiddenList {
  const pieces: { kind: HiddenKind; parts: Part[] }[] = [];
  const runs = new Map<Aside["carrier"], Run>();
  let isOpen = false;

  const addWhole = (kind: HiddenKind, text: string) => {
    pieces.push({ kind, parts: [{ text, isSkipLink: false }] });
    isOpen = false;
  };
  /** Whether they command a machine together. */
  const readRun = ({ parts }: Run): boolean => {
    if (parts.length < 2) return false;
    const joined = [parts.join(""), parts.join(" ")].find(
      (text) => findAgentAddressInMetadata(text) !== null,
    );
    if (joined !== undefined) addWhole("comment_like", joined);
    return joined !== undefined;
  };
  const endRuns = () => {
    for (const run of runs.values()) readRun(run);
    runs.clear();
  };

  return {
    add(kind, text, isSkipLink = false) {
      const last = pieces.at(-1);
      if (isOpen && last?.kind === kind) last.parts.push({ text, isSkipLink });
      else if (text.trim() !== "") {
        pieces.push({ kind, parts: [{ text, isSkipLink }] });
        isOpen = true;
      }
    },
    addWhole,
    addAside({ carrier, text, use }) {
      if (text === "") return;
      if (text.length >= MIN_COMMAND_CHARACTERS && FIND[use](text) !== null) {
        runs.delete(carrier);
        addWhole("comment_like", text);
        return;
      }
      const run = runs.get(carrier) ?? { parts: [], characters: 0 };
      run.parts.push(text);
      run.characters += text.length;
      if (run.characters <= MAX_RUN_CHARACTERS) runs.set(carrier, run);
      else if (readRun(run)) runs.delete(carrier);
      else runs.set(carrier, keepEnd(run));
    },
    separate() {
      if (isOpen) pieces.at(-1)?.parts.push({ text: " ", isSkipLink: false });
    },
    endPiece() {
      isOpen = false;
      endRuns();
    },
    finish() {
      endRuns();
      const words = pieces.map(({ parts }) => writePiece(parts));
      const hasSkipLinks = pieces.some(({ parts }) => parts.some(({ isSkipLink }) => isSkipLink));
      // Once as one text, and once as sentences that have nothing to do with each other.
      const isCommand = hasSkipLinks && [" ", ". "].some((gap) => findAgentAddress(words.join(gap)) !== null);
      const counted = pieces.map(({ kind, parts }) => ({
        kind,
        text: writePiece(isCommand ? parts : parts.filter(({ isSkipLink }) => !isSkipLink)),
      }));
      return {
        hidden: counted.filter(({ text }) => (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= MIN_LETTERS),
        hiddenWords: words.join(" "),
      };
    },
  };
}

/** The last parts of a run, of which the first may be cut. */
function keepEnd({ parts }: Run): Run {
  const kept: Run = { parts: [], characters: 0 };
  for (const part of parts.toReversed()) {
    const end = part.slice(-(OVERLAP_CHARACTERS - kept.characters));
    kept.parts.unshift(end);
    kept.characters += end.length;
    if (kept.characters >= OVERLAP_CHARACTERS) break;
  }
  return kept;
}

function writePiece(parts: readonly Part[]): string {
  const text = parts.map((part) => part.text).join("");
  return removeInvisible(text).replaceAll(/\s+/g, " ").trim();
}
