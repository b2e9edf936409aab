import type { CapabilityResult, Hex, Verdict } from "@assay/protocol";
import type { Found } from "./found.js";
import type { TokenBook } from "./tokenBook.js";

export type Tone = "good" | "warn" | "bad";

/** One figure with its name, in words. Addresses in it are whole: who shows it shortens them. */
export interface Line {
  readonly name: string;
  readonly text: string;
  readonly tone?: Tone | undefined;
}

export interface Section {
  readonly title: string;
  readonly lines: readonly Line[];
  /** Whether it is folded until somebody asks: the decision does not depend on it. */
  readonly isMinor?: boolean | undefined;
}

/** What becomes of one balance or allowance. */
export interface Change extends Line {
  /** Before and after, where both were measured, in smallest units. */
  readonly measured?: { readonly before: bigint; readonly after: bigint } | undefined;
  /** What is held afterwards in dollars, where a price is known. */
  readonly worthAfter?: string | undefined;
  readonly symbol: string;
  /** Undefined where the token does not say how many there are. */
  readonly decimals: number | undefined;
}

/** A reason in words, with its weight. */
export interface WeighedReason {
  readonly code: string;
  readonly sentence: string;
  readonly verdict: Verdict;
}

/** What an answer says, in the order in which a person wants it; the same for every surface. */
export interface News {
  /** The one thing to know, in a sentence or two. */
  readonly headline: string;
  /** What follows it, in sentences. */
  readonly detail: string;
  /** What leaves and what comes. */
  readonly changes: readonly Change[];
  /** Who may take or change something afterwards. */
  readonly powers: readonly Line[];
  readonly sections: readonly Section[];
  /** The heaviest first. */
  readonly reasons: readonly WeighedReason[];
  /** Whether a doubt or a refusal follows from what is to be signed alone: no later block makes it better. */
  readonly isTimeless: boolean;
  /** Names of the addresses that the answer knows, by lowercase address. */
  readonly names: ReadonlyMap<string, string>;
}

/** What a capability reads its news from. Nothing in it has a certain shape: an answer may be older, or anybody's. */
export interface NewsSource {
  readonly verdict: Verdict;
  readonly result: CapabilityResult["result"];
  readonly input: Found;
  readonly findings: Found;
  readonly evidence: Found;
  readonly tokens: TokenBook;
  /** What the summary says before its reasons. */
  readonly lead: string;
}

/** What a capability knows to say; the rest is made of its summary and reasons. */
export interface OwnNews {
  /** Shown where nothing speaks against it. */
  readonly headline?: string | undefined;
  /** Shown with every other verdict; the heaviest reason stands there otherwise. */
  readonly warning?: string | undefined;
  readonly detail?: string | undefined;
  readonly changes?: readonly Change[] | undefined;
  readonly powers?: readonly Line[] | undefined;
  readonly sections?: readonly Section[] | undefined;
  /** Whether nothing was run or measured: what is said follows from the bytes alone. */
  readonly isFromBytes?: boolean | undefined;
  readonly names?: readonly (readonly [address: Hex, name: string])[] | undefined;
}

export type WriteNews = (source: NewsSource) => OwnNews;
