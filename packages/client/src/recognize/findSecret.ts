const SHOW_NOBODY = "show it to nobody. It was not sent anywhere.";

/** Names that programs and people give to keys. */
const NAMED =
  /(?:private|secret)[\s_-]*key|mnemonic|(?:seed|recovery|backup|secret)[\s_-]*(?:phrase|words?)|\bseed\b/i;
const KEY_DIGITS = /(?<![0-9a-f])(?:0x)?[0-9a-f]{64}(?![0-9a-f])/i;
/** Base58 without 0, O, I and l. */
const BASE58 = "[1-9A-HJ-NP-Za-km-z]";
const EXTENDED_KEY = new RegExp(`^[a-z]prv${BASE58}{100,112}$`);
/** A key as Bitcoin's wallets write it, and as Solana's do. */
const BASE58_KEY = new RegExp(`^(?:[5KL]${BASE58}{50,51}|${BASE58}{86,88})$`);

/**
 * Why a text must be shown to nobody: the keys and seed phrases that people paste by mistake. Of 32 bytes that begin with 0x nobody can
 * tell a key from a hash.
 */
export function findSecret(text: string): string | undefined {
  if (isSeedPhrase(text)) return `It may be the seed phrase of a wallet: ${SHOW_NOBODY}`;
  if (/^[0-9a-fA-F]{64}$/.test(text))
    return `64 hex digits without 0x may be a private key: ${SHOW_NOBODY} The hash of a transaction begins with 0x.`;
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text) || EXTENDED_KEY.test(text) || BASE58_KEY.test(text))
    return `It may be a private key: ${SHOW_NOBODY}`;
  if (text.startsWith("{") || text.startsWith("[")) return findInJson(text);
  const named = NAMED.exec(text);
  if (named === null) return undefined;
  const rest = text.slice(named.index + named[0].length).replace(/^["'\s]*(?:is\b)?[:=\s"']*/i, "");
  return KEY_DIGITS.test(rest) || isSeedPhrase(rest)
    ? `It holds what may be a private key or a seed phrase: ${SHOW_NOBODY}`
    : undefined;
}

/** A wallet's file, a field with the name of a key, a list of words or of a key's 64 bytes. */
function findInJson(text: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (Array.isArray(value)) {
    const isBytes =
      value.length === 64 && value.every((one) => Number.isInteger(one) && one >= 0 && one < 256);
    const isWords = value.every((one) => typeof one === "string") && isSeedPhrase(value.join(" "));
    return isBytes || isWords ? `It may be a private key or a seed phrase: ${SHOW_NOBODY}` : undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const fields = Object.entries(value);
  const isWallet = fields.some(
    ([name, inner]) =>
      name.toLowerCase() === "crypto" && typeof inner === "object" && inner !== null && "ciphertext" in inner,
  );
  if (isWallet) return `It is the file of a wallet, which holds a key: ${SHOW_NOBODY}`;
  const isNamed = fields.some(
    ([name, inner]) =>
      NAMED.test(name) && typeof inner === "string" && (KEY_DIGITS.test(inner) || isSeedPhrase(inner)),
  );
  return isNamed ? `It holds what may be a private key or a seed phrase: ${SHOW_NOBODY}` : undefined;
}

/**
 * Twelve to twenty-four short words and nothing else (BIP-39), in one case or each with a capital, numbered or not. No sentence is
 * written so.
 */
function isSeedPhrase(text: string): boolean {
  const words = text
    .trim()
    .replace(/^["'`]|["'`.]$/g, "")
    .split(/[\s,;]+/)
    .map((word) => word.replace(/^\d{1,2}[.):-]/, ""))
    .filter((word) => !/^(?:\d{1,2}[.):]?)?$/.test(word));
  const isAny = (form: RegExp) => words.every((word) => form.test(word));
  return (
    [12, 15, 18, 21, 24].includes(words.length) &&
    (isAny(/^[a-z]{3,8}$/) || isAny(/^[A-Z]{3,8}$/) || isAny(/^[A-Z][a-z]{2,7}$/))
  );
}
