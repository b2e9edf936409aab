/** An address has 40 hex digits, a key or hash 64. Anything clearly longer than an address may be a mistyped key. */
const MAYBE_KEY = /(0x)?[0-9a-f]{48,}/gi;

/** Makes typed text safe for a screen or a log: a key in the wrong place is not shown. */
export const hideKeys = (text: string): string => text.replace(MAYBE_KEY, "<hex not shown>");

/** The whole text: the path of a file may contain a digest. */
export const mayBeKey = (text: string): boolean => /^(0x)?[0-9a-f]{48,}$/i.test(text.trim());
