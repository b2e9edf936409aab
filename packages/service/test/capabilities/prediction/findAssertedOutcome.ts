/** Words by which a sentence would tell how a question ends. "No" alone is an ordinary word and counts only as an answer. */
const ASSERTIONS: readonly RegExp[] = [
  /\byes\b/i,
  /\b(?:won|wins|winner|winning|lost|loses|loser)\b/i,
  /\b(?:answer|outcome|result) (?:is|was|will be) (?!proposed\b|asserted\b|not\b)/i,
  /\b(?:is|was|to|as|be) (?:a )?["'“‘]?no["'”’]?\s*(?:[.,;]|$)/i,
  /\bresolve[sd]? (?:to|as|in favou?r)\b/i,
  /\b(?:likely|unlikely|probabl[ey]|expected|true|false|happen(?:s|ed)?)\b/i,
];

/** What tells how a question ends in the first of these sentences that does. */
export function findAssertedOutcome(sentences: readonly string[]): string | undefined {
  const found = sentences.flatMap((sentence) =>
    ASSERTIONS.flatMap((pattern) => pattern.exec(sentence)?.[0] ?? []),
  );
  return found[0];
}
