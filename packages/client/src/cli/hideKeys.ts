/** Nothing between an address (40 digits) and a key or hash (64) has a meaning: what is longer than the first may be a key. */
const MAYBE_KEY = /(0x)?[0-9a-f]{48,}/gi;

/** What somebody typed, as it may be repeated on a screen or in a log: a key in the wrong place is not shown. */
export const hideKeys = (text: string): string => text.replace(MAYBE_KEY, "<hex not shown>");

/** Whole: the path of a file may hold a digest. */
export const looksLikeKey = (text: string): boolean => /^(0x)?[0-9a-f]{48,}$/i.test(text.trim());
