import {
  findAgentInstruction,
  findAgentInstructionInLabel,
  findAgentInstructionInMetadata,
  findAgentInstructionInStyle,
} from "@assay/protocol";
import { removeInvisible } from "./invisibleCharacters.js";
import type { Aside, AsideUse } from "./listAsides.js";
import { createSeenRemover } from "./removeSeen.js";
import type { HiddenKind } from "./styles/appearance.js";
import type { HiddenText } from "./types.js";

/** Collects what people are not shown, in the order of the document. */
export interface HiddenList {
  /**
   * Adds text to the piece before it if that was hidden in the same way: a sentence may be spread over elements. The words of
   * a skip link count only if they address an agent, by themselves or with everything else that is hidden.
   */
  add(kind: HiddenKind, text: string, isSkipLink?: boolean): void;
  /** Adds a piece that is complete by itself. */
  addWhole(kind: HiddenKind, text: string): void;
  /** An aside counts only if it addresses an agent, by itself or with others of its carrier right before it. */
  addAside(aside: Aside): void;
  /** A block or a line begins or ends: the next text is another word. */
  separate(): void;
  /** Visible text follows: the next hidden text is another piece. */
  endPiece(): void;
  /** `seen` is what people are shown: the same sentences are not hidden, wherever else they stand. */
  finish(seen: string): FoundHidden;
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
  /** All hidden words in order, including pieces that are too short to count by themselves. */
  readonly hiddenWords: string;
}

/** Consecutive comments or labels are searched together when they have become this long, and at their end. */
const MAX_RUN_CHARACTERS = 20_000;
/** The part that is searched again together with what follows; longer than any wording of a command. */
const OVERLAP_CHARACTERS = 2_000;
/** Shorter than any wording of a command. */
const MIN_COMMAND_CHARACTERS = 8;
/** Longer texts are not repeated. */
const MAX_LABEL_CHARACTERS = 200;
/** A piece with fewer is only a dot or an arrow between two links. */
const MIN_LETTERS = 3;

const FIND: Readonly<Record<AsideUse, (text: string) => string | null>> = {
  metadata: findAgentInstructionInMetadata,
  label: findAgentInstructionInLabel,
  style: findAgentInstructionInStyle,
  other: findAgentInstruction,
};

export function createHiddenList(): HiddenList {
  const pieces: { kind: HiddenKind; parts: Part[] }[] = [];
  const runs = new Map<Aside["carrier"], Run>();
  let isOpen = false;
  /** Labels that address no agent; a page repeats most of them. */
  const harmless = new Set<string>();

  const isCommand = (text: string, use: AsideUse): boolean => {
    const key = `${use} ${text}`;
    if (text.length < MIN_COMMAND_CHARACTERS || harmless.has(key)) return false;
    if (FIND[use](text) !== null) return true;
    if (text.length <= MAX_LABEL_CHARACTERS) harmless.add(key);
    return false;
  };
  const addWhole = (kind: HiddenKind, text: string) => {
    pieces.push({ kind, parts: [{ text, isSkipLink: false }] });
    isOpen = false;
  };
  /** Whether the parts of a run address an agent together; if so, they are added. */
  const readRun = ({ parts }: Run): boolean => {
    if (parts.length < 2) return false;
    const joined = [parts.join(""), parts.join(" ")].find(
      (text) => findAgentInstructionInMetadata(text) !== null,
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
      if (isCommand(text, use)) {
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
    finish(seen) {
      endRuns();
      const removeSeen = createSeenRemover(seen);
      const write = (parts: readonly Part[]) => removeSeen(writePiece(parts));
      const words = pieces.map(({ parts }) => write(parts));
      const hasSkipLinks = pieces.some(({ parts }) => parts.some(({ isSkipLink }) => isSkipLink));
      // Searched once as one text, and once as separate sentences.
      const isSpread =
        hasSkipLinks && [" ", ". "].some((gap) => findAgentInstruction(words.join(gap)) !== null);
      const counted = pieces.map(({ kind, parts }) => ({
        kind,
        text: write(isSpread ? parts : parts.filter(({ isSkipLink }) => !isSkipLink)),
      }));
      return {
        hidden: counted.filter(({ text }) => (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= MIN_LETTERS),
        hiddenWords: words.join(" "),
      };
    },
  };
}

/** The end of a run; its first part may be cut. */
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
