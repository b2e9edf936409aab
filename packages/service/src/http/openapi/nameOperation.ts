/** An operation's id from a verb and dotted names, such as `getWebCompileQuote` from get, web.compile and quote. */
export const nameOperation = (verb: string, ...names: readonly string[]): string =>
  [verb, ...names.flatMap((name) => name.split(".")).map(capitalize)].join("");

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
