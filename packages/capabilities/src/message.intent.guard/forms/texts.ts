import type { Hex } from "@assay/protocol";
import { readText } from "../input.js";
import { type Meaning, mean } from "../meaning.js";
import type { FormCode } from "../reasons.js";
import { readSignIn } from "./signIn.js";

/** Invisible characters, and those that turn the direction of text. */
const OBSCURING =
  /\u00ad|\u034f|\u061c|\u115f|\u1160|\u17b4|\u17b5|\u180e|[\u200b-\u200c]|\u200d|[\u200e-\u200f\u202a-\u202e]|[\u2060-\u2064\u2066-\u206f]|\ufeff|[\ufff9-\ufffb]/;
const HASH = /(?<![0-9a-fA-F])(0x)?[0-9a-fA-F]{64}(?![0-9a-fA-F])/g;
const ADDRESS = /0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g;
const LETTERS = /\p{L}{3,}/gu;
/** Fewer words than this around a hash say nothing about it. */
const MIN_WORDS = 4;
const GIVES =
  /\b(approve|authori[sz]e|permit|transfer|withdraw|send|grant|delegate|migrate|release|sell|drain|own(ership)?)\b/i;
const ASSETS =
  /\b(tokens?|assets?|nfts?|funds?|balances?|wallets?|usdc|weth|eth|ether|coins?|collections?|permissions?|allowances?)\b/i;
/** Programs derive keys from the signature of a fixed text: anybody who has it has the keys. */
const KEYS =
  /\b(stark ?(ex|key)|private key|spending key|viewing key|derive|generate (your|the|a) .*key|seed phrase|recovery phrase|mnemonic|secret key|trading key)\b/i;

/** What a text says that is signed with `personal_sign`: no contract takes it for an order of its own kind. */
export function readPersonalText(text: string, signer: Hex, origin: string | null): Meaning {
  if (/^0x([0-9a-f]{2})+$/.test(text)) return readBytes(text as Hex, signer);
  const signIn = readSignIn(text, signer, origin);
  if (signIn) return signIn;
  const words = text.replace(HASH, " ").replace(ADDRESS, " ").match(LETTERS) ?? [];
  const hashes = text.match(HASH) ?? [];
  const codes: FormCode[] = [];
  if (hashes.length > 0 && words.length < MIN_WORDS) codes.push("HASH_HIDES_CONTENT");
  if (OBSCURING.test(text)) codes.push("TEXT_OBSCURED");
  if (KEYS.test(text)) codes.push("TEXT_MAKES_KEYS");
  const strangers = (text.match(ADDRESS) ?? []).filter((one) => one.toLowerCase() !== signer);
  if (GIVES.test(text) && ASSETS.test(text)) codes.push("TEXT_SPEAKS_OF_ASSETS");
  else if (strangers.length > 0) codes.push("TEXT_NAMES_ANOTHER");
  if (isDocument(text)) codes.push("TEXT_HOLDS_DATA");
  if (words.length === 0 && codes.length === 0) codes.push("TEXT_WITHOUT_WORDS");
  return mean({
    form: "text",
    title: "a text",
    notes: codes.length === 0 ? [{ code: "TEXT_READABLE" }] : codes.map((code) => ({ code })),
    says: [`Signs the text ${JSON.stringify(text.slice(0, 300))}${text.length > 300 ? " …" : ""}.`],
  });
}

function isDocument(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function readBytes(data: Hex, signer: Hex): Meaning {
  const inner = readText(data);
  return mean({
    form: data.length === 66 ? "hash" : "bytes",
    title: data.length === 66 ? "a hash" : "bytes that are no text",
    owner: signer,
    notes: [{ code: "HASH_HIDES_CONTENT" }],
    says: [
      inner === null
        ? "Signs bytes that are no text: they may be the hash of a transaction, an order or a permission."
        : `Signs the hex digits ${inner.slice(0, 80)}, which may be the hash of something else.`,
    ],
  });
}
