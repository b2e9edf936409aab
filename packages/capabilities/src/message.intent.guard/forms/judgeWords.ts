import type { Hex } from "@assay/protocol";
import type { FormCode } from "../reasons.js";
import { hidesContent } from "./hiddenContent.js";
import { hasUnknownSentences, isJudgedLanguage, makesKeys, speaksOfGiving } from "./textWords.js";

export const HASH = /(?<![0-9a-fA-F])(0x)?[0-9a-fA-F]{64}(?![0-9a-fA-F])/g;
const ADDRESS = /0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g;
/** Names of accounts. */
const ACCOUNT_NAME = /(?<![\w-])[a-z0-9-]{1,63}\.eth\b/i;

/** Characters of a text whose words are searched; nobody reads more before logging in. */
export const MAX_JUDGED = 20_000;

/** The text without hashes and addresses, in which no words are searched. */
export const withoutHex = (text: string): string => text.replace(HASH, " ").replace(ADDRESS, " ");

/** What speaks against a text, also where it is the statement of a sign-in. */
export function judgeWords(text: string, signer: Hex): FormCode[] {
  const codes: FormCode[] = [];
  const bare = withoutHex(text.slice(0, MAX_JUDGED));
  if (text.length > MAX_JUDGED) codes.push("MESSAGE_CUT");
  if (hidesContent(text)) codes.push("TEXT_OBSCURED");
  if (makesKeys(bare)) codes.push("TEXT_MAKES_KEYS");
  const strangers = (text.match(ADDRESS) ?? []).filter((one) => one.toLowerCase() !== signer);
  if (speaksOfGiving(bare)) codes.push("TEXT_SPEAKS_OF_ASSETS");
  else if (strangers.length > 0 || ACCOUNT_NAME.test(bare)) codes.push("TEXT_NAMES_ANOTHER");
  if (!isJudgedLanguage(bare)) codes.push("TEXT_LANGUAGE_UNKNOWN");
  else if (codes.length === 0 && hasUnknownSentences(bare)) codes.push("TEXT_NOT_UNDERSTOOD");
  return codes;
}
