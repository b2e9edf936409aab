import type { Hex } from "@assay/protocol";
import { readText } from "../input.js";
import { type Meaning, mean } from "../meaning.js";
import type { FormCode } from "../reasons.js";
import { HASH, judgeWords, MAX_JUDGED, withoutHex } from "./judgeWords.js";
import { readSignIn } from "./signIn.js";
import { isCalled, isSameSite } from "./sites.js";
import { hasPurpose, holdsBlob, listHosts } from "./textWords.js";

const LETTERS = /\p{L}{3,}/gu;
/** Fewer words than this around a hash say nothing about it. */
const MIN_WORDS = 4;

/** What a text says that is signed with `personal_sign`: no contract takes it for an order of its own kind. */
export function readPersonalText(text: string, signer: Hex, origin: string | null): Meaning {
  if (/^0x([0-9a-f]{2})+$/.test(text)) return readBytes(text as Hex, signer);
  const signIn = readSignIn(text, signer, origin);
  if (signIn) return signIn;
  const bare = withoutHex(text.slice(0, MAX_JUDGED));
  const words = bare.match(LETTERS) ?? [];
  const hashes = [...text.matchAll(HASH)];
  const codes: FormCode[] = judgeWords(text, signer);
  // The prefix of ERC-191 makes a hash inside a text another one than that of a transaction or a document.
  const hidesHash = hashes.some(({ index }) => !LABELLED.test(text.slice(Math.max(0, index - 40), index)));
  if (hidesHash && words.length < MIN_WORDS) codes.push("HASH_HIDES_CONTENT");
  if (hidesHash || isDocument(text) || holdsBlob(bare)) codes.push("TEXT_HOLDS_DATA");
  if (origin !== null && namesOtherSite(bare, origin)) codes.push("TEXT_NAMES_ANOTHER_SITE");
  const isReadSoFar = codes.filter((code) => code !== "TEXT_NOT_UNDERSTOOD").length === 0;
  if (isReadSoFar && !hasPurpose(bare))
    codes.push(words.length === 0 ? "TEXT_WITHOUT_WORDS" : "TEXT_WITHOUT_PURPOSE");
  return mean({
    form: "text",
    title: "a text",
    notes: codes.length === 0 ? [{ code: "TEXT_READABLE" }] : codes.map((code) => ({ code })),
    says: [`Signs the text ${JSON.stringify(text.slice(0, 300))}${text.length > 300 ? " …" : ""}.`],
  });
}

/** What says that a hash is a number used once. */
const LABELLED = /\b(?:nonce|challenge|id|code|session|random|value)\W{0,6}$/i;

/** What a text calls the service that it logs in at. */
const SERVICE =
  /\b(?:[Ww]elcome to|[Ss]ign(?:ing)?[ -]?in (?:to|at|with)|[Ll]og(?:ging)?[ -]?in (?:to|at|with)|[Ll]ogin (?:to|at|with)) ((?:[A-Z][A-Za-z0-9]*)(?: [A-Z][A-Za-z0-9]*){0,2})/g;
/** The account that one signs in with, not the site where. */
const MEANS = /^(?:Ethereum|Wallet|Base|Web3|Your|Our|The)\b/;

/** Whether a text names sites or a service, and the one that asks is none of them. */
function namesOtherSite(text: string, origin: string): boolean {
  const asking = new URL(origin).hostname;
  const hosts = listHosts(text);
  const services = [...text.matchAll(SERVICE)]
    .map(({ 1: name = "" }) => name)
    .filter((name) => !MEANS.test(name));
  if (hosts.length > 0) return !hosts.some((host) => isSameSite(host, asking));
  return services.length > 0 && !services.some((name) => isNamed(asking, name));
}

/** By one, two or all words of the name: another word may follow it. */
const isNamed = (host: string, name: string): boolean =>
  name.split(" ").some((_, index, words) => isCalled(host, words.slice(0, index + 1).join("")));

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
