/** What a "that" behind these introduces is so. */
const FACTIVE =
  /(?:^|\b(?:facts?|so|such|now|in|given|true|clear|certain|sure|evident|known|knows?|knew|shows?|showed|shown|proves?|proved|proven|means?|meant|doubt|despite|learn(?:s|ed|t)?|discover(?:s|ed)?|remember(?:s|ed)?|notes?|noticed?|reveals?|revealed|aware|mind|turn(?:s|ed) out|(?:is|was)(?: also)?))$/;

/**
 * Whether the words before a wording end in a "that" by which somebody finds, wants or orders it: "the auditors found that | the bank
 * sold the mill".
 */
export function isEmbedded(before: readonly string[]): boolean {
  let end = before.length;
  while (/^(?:the|an?|its|their|his|her|our|all)$/.test(before[end - 1] ?? "")) end--;
  return before[end - 1] === "that" && !FACTIVE.test(before.slice(0, end - 1).join(" "));
}
