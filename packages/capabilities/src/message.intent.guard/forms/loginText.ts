import { FILLERS, MIXES_VOICES, PARTS, SPEAKS_OF_ME, SPEAKS_TO_YOU } from "./sentenceParts.js";

/** Where a name may stand: behind what says that a service, a person or a document is meant. */
const NAME = "[A-Z][\\w&'’-]*(?: (?:[A-Z][\\w&'’-]*|\\d+)){0,2}";
const NAMES: readonly RegExp[] = [
  new RegExp(
    `\\b([Ww]elcome to|[Ss]ign(?:ing)?[ -]?in (?:to|at|with|on)|[Ll]og(?:ging)?[ -]?in (?:to|at|with|on)|[Ll]ogin (?:to|at|with|on)|[Cc]onnect(?:ing)? (?:to|with)|[Cc]ontinue (?:to|on|with)|(?:wallet|account|address) (?:to|with)|[Aa]uthenticate (?:to|with|at)|[Pp]olicy of|[Ss]ervice of|[Uu]se of|[Tt]erms of|[Mm]ember of|[Ii]dentity (?:to|on|with|at)|[Uu]ser(?:name)?|[Hh]ello,?|[Hh]i,?|[Gg]m,?|[Hh]ey,?|[Dd]ear|allowing) ${NAME}`,
    "g",
  ),
  new RegExp(`\\b(give|grant|authori[sz]e|allow) ${NAME}(?= (?:any )?(?:permission|access)\\b)`, "g"),
  new RegExp(
    `\\b([Tt]he|[Yy]our|[Oo]ur) ${NAME}(?= (?:[Tt]erms|[Pp]rivacy|[Aa]pp|[Pp]latform|[Ww]ebsite|[Ss]ite|[Cc]ommunity|[Tt]eam|[Nn]etwork|[Pp]rofile|[Ss]erver|[Mm]arketplace|[Ss]ervice)\\b)`,
    "g",
  ),
];

/** What is said not to happen, behind who does not do it. Nothing may follow that begins another thought. */
const SUBJECT =
  "(?:(?:this|the|it|and|is|a|an|signing|signature|sign|signed|request|message|action|transaction|login|verification|process|free|safe|gas-less|gasless|that|which|your|you|we|by|site|name|please|note) )*";
const NEGATION =
  "(?:(?:will|does|do|can|shall|would|is|are)(?:n't| ?not| never)|won't|can't|cannot|never)(?: (?:it|this|ever|be|require|need|to|used|in any way|able|a|an|any))*";
const DENIED =
  "(?:trigger|cost|initiate|send|authori[sz]e|give|grant|move|transfer|approve|allow|permit|pay|spend|withdraw|change|access|charge|require|incur)(?:s|ed|ing)?";
const REST =
  "(?: (?:you|us|me|site|name|a|an|any|the|your|this|or|of|in|on|to|from|with|out|for|by|perform|make|blockchain|transactions?|gas|fees?|costs?|ether|eth|anything|money|funds?|tokens?|assets?|wallets?|accounts?|permissions?|access|approvals?|action|on-chain|onchain|network|trigger|cost|send|transfer|move|spend|incur|sending|spending|moving|private|keys?|password))*";
const DENIALS: readonly RegExp[] = [
  new RegExp(`^${SUBJECT}${NEGATION} ${DENIED}${REST}$`, "i"),
  new RegExp(
    `^${SUBJECT}(?:at |with |without |for )?no (?:transactions?|gas|fees?|costs?|funds?)${REST}(?: (?:is|are|will be))?(?: (?:sent|needed|required|charged|made))?$`,
    "i",
  ),
  new RegExp(`^${SUBJECT}without (?:sending|paying|any|costing)${REST}$`, "i"),
  /^(?:this|it|signing) (?:is|does) not (?:a |an |make a )?(?:blockchain |on-?chain )?transaction$/i,
];

/** Longer than any sentence of an honest text; the patterns above would take long. */
const MAX_SENTENCE = 400;

export const splitSentences = (text: string): string[] =>
  text
    .split(/[.!?\n]+/)
    .map((one) => one.replace(/\s+/g, " ").trim())
    .filter((one) => one !== "");

/** Found before the patterns above are tried, which take longer. */
const NEGATIVE = /n't|\bnot\b|\bnever\b|\bcannot\b|\bno\b|\bwithout\b/i;

/** Whether a sentence says as a whole that nothing is moved, paid or given. A comma begins another thought. */
export function isDenial(sentence: string): boolean {
  if (!NEGATIVE.test(sentence)) return false;
  const plain = lowerNames(sentence)
    .replace(/[()"]/g, " ")
    .replace(/\b(safe|free), (?=gas-?less|safe|free)/gi, "$1 ");
  return plain.length <= MAX_SENTENCE && DENIALS.some((pattern) => pattern.test(plain.trim()));
}

/**
 * A label and its value, or a value by itself: numbers, dates, identifiers and addresses of e-mail say nothing. A word in which
 * digits stand for letters is none of them.
 */
const VALUE =
  /^(?:#?\d[\d:.,/+TZ-]*(?:st|nd|rd|th)?|(?=[a-f-]*\d)[0-9a-f-]{6,}|(?=(?:\D*\d){2})[\w-]{10,}|[\w.-]{1,64}#\d{1,6}|site|name|utc|gmt|am|pm|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|\W*)$/i;
const LABELS =
  /^(?:(?:wallet|account|eth|ethereum|user|message|request|session|one-time|verification|login|chain|issued|expiration|unique|random|your|the|my) ?)*(?:address|addr|account|wallet|nonce|challenge|id|code|timestamp|time|date|at|version|uri|url|domain|session|token|network|chain)$/i;
/** One word after a label may be anything that is one word, but where the label is of somebody. */
const ONE_VALUE = /^\S{1,128}$/;
const OF_SOMEBODY = /\b(?:address|addr|account|wallet|user|id|session|code)$/i;

function isLabelled(sentence: string): boolean {
  const at = sentence.indexOf(":");
  if (at < 0) return false;
  const [label, value] = [sentence.slice(0, at).trim(), sentence.slice(at + 1).trim()];
  const isOne = ONE_VALUE.test(value) && (!OF_SOMEBODY.test(label) || /\d/.test(value));
  return LABELS.test(label) && (isOne || value.split(" ").every((one) => VALUE.test(one)));
}

const lowerNames = (sentence: string): string =>
  NAMES.reduce((left, pattern) => left.replace(pattern, "$1 name"), sentence);

/** Dates, times, numbers and identifiers, which say nothing. */
const NUMBER =
  /^(?:#?\d[\d:.,/+TZ-]*(?:st|nd|rd|th|z)?|(?=[a-f-]*\d)[0-9a-f-]{6,}|(?=(?:\D*\d){2})[\w-]{10,}|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)$/i;

/** In lower case, names and numbers as such, and without marks. */
function normalize(sentence: string): string {
  const words = lowerNames(sentence)
    .toLowerCase()
    .replace(/’/g, "'")
    .split(/[\s,;:()"“”[\]<>|—–]+/)
    .map((one) => one.replace(/^[^\p{L}\p{N}@#&]+|[^\p{L}\p{N}&]+$/gu, ""))
    .filter((one) => one !== "");
  return words.map((one) => (NUMBER.test(one) && one !== "0" ? "num" : one)).join(" ");
}

/** An account that a number names is another one than the signer's. */
const NUMBERED = /\b(?:wallets?|accounts?|users?|members?) #?\d/i;

/** Whether a sentence consists of parts that honest texts have, and of nothing else. */
export function isUnderstood(sentence: string): boolean {
  if (sentence.length > MAX_SENTENCE) return false;
  const bare = sentence.replace(/^(?:msg|message|purpose|statement): /i, "");
  if (bare !== sentence) return isUnderstood(bare);
  if (isLabelled(sentence) || isDenial(sentence)) return true;
  const plain = normalize(sentence);
  if (MIXES_VOICES.test(plain) || NUMBERED.test(sentence)) return false;
  const rest = PARTS.reduce((left, pattern) => left.replace(pattern, "·"), plain);
  return rest.split(" ").every((one) => one === "" || FILLERS.has(one));
}

/** A comma may divide what is asked from what is said not to happen. */
const isUnderstoodByParts = (sentence: string): boolean =>
  isUnderstood(sentence) ||
  sentence.split(/, (?:and )?| - | and (?=this |it |will |won't |does |doesn't |no )/).every(isUnderstood);

/** No honest text has more sentences, and each of them takes time. */
const MAX_SENTENCES = 200;

/** Whether a text, without names of sites, has sentences that are none of an honest text's. */
export function hasUnknownSentence(text: string): boolean {
  const sentences = splitSentences(text);
  if (sentences.length > MAX_SENTENCES || !sentences.every(isUnderstoodByParts)) return true;
  const all = sentences.map(normalize);
  const speaksToYou = all.some((one) => one.search(SPEAKS_TO_YOU) >= 0);
  return speaksToYou && all.some((one) => SPEAKS_OF_ME.test(one));
}
