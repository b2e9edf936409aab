import type { Verdict } from "@assay/protocol";

/** What one reason means for the verdict, and the sentence a person reads. */
export interface Reason {
  readonly verdict: Verdict;
  readonly sentence: string;
}

/** The reasons of a rule by their codes. A code's meaning never changes; a new meaning gets a new code. */
export type Reasons<Code extends string = string> = Readonly<Record<Code, Reason>>;

type Sentences = Readonly<Record<string, string>>;

type CodeIn<Groups> = { [Name in keyof Groups]: Extract<keyof Groups[Name], string> }[keyof Groups];

/** Makes a table of reasons from sentences that are grouped by verdict. */
export function defineReasons<Groups extends Readonly<Partial<Record<Verdict, Sentences>>>>(
  sentences: Groups,
): Reasons<CodeIn<Groups>> {
  const entries = Object.entries(sentences).flatMap(([verdict, group]) =>
    Object.entries(group ?? {}).map(([code, sentence]) => [code, { verdict, sentence }]),
  );
  return Object.fromEntries(entries);
}
