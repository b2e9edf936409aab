/**
 * Sentences that honest texts to sign consist of: to log in, to prove who one is, to accept terms, to greet, to vote. They
 * are recognised whole. One word that is none of these leaves a sentence that nobody understood, whatever else the text says.
 */
const WORDS: ReadonlySet<string> = new Set(
  `a about above accept accepting accepts account accounts action address addresses after again agree agreed agreeing am an and any app
  application are as at attest attests authenticate authenticating authentication base being below blockchain browser button by
  challenge check click code community confirm confirming confirms connect connected connecting connection continue control cookie
  dapp date day days dear discord does domain email ethereum expire expires fair first following for free
  given gm good happy hello here here's hey hi hour hours human i i'm id identity if in information into is issued it it's its join just
  later like log logged login logging logs market marketplace me member membership message minutes month months morning my name network new
  nonce now of offchain off-chain on once one one-time only or our own owned owner owner's owners ownership page person personal platform please policy
  privacy private profile proof proposal prove proved proves proving public purpose
  random read register registered request requested requests required reset rules safe secure securely security see seconds server service services session
  sign signature signatures signed signer signing signs sign-in sign-up site so status subscribe telegram terms thank thanks that the these this
  time timestamp to today twitter unique until url use's user username valid validate verification verified verifies verify verifying version
  vote voting wallet wallet's wallets want wants we we'll web web3 website week welcome when who wish with within would x year yes you you'll you're your yourself
  exchange expiration expiry request's via using log-in one's `.split(/\s+/),
);

/** Phrases whose words would mean something else elsewhere. */
const PHRASES: readonly RegExp[] = [
  /\bterms (?:of|and|&) (?:service|use|conditions)\b/g,
  /\bterms of use\b/g,
  /\bhave (?:read|proved|proven|verified|agreed)\b/g,
  /\bhave access to (?:this|the|your) (?:wallet|account|address)\b/g,
  /\bauthori[sz](?:e|es|ing) (?:the |this |your |my )?(?:login|log ?in|sign[ -]?in|authentication|session)\b/g,
  /\ballow(?:s|ing)? (?:this |the |our )?(?:site|service|app|name) to (?:read|see|view|verify) your (?:public )?(?:profile|address|identity|wallet address)\b/g,
  /\bto access (?:your|my|the) (?:account|profile)\b/g,
  /\bfrom base\b/g,
  /\bno (?:password|e-?mail) (?:is )?(?:needed|required|necessary)\b/g,
  /\bto stop hackers using your wallet\b/g,
  /\bthey can't guess\b/g,
  /\bauthentication status will reset\b/g,
  /\byour (?:session|login) will (?:expire|end)\b/g,
];

/** Where a name may stand: behind what says that a service, a person or a document is meant. */
const NAME = "[A-Z][\\w&'’-]*(?: (?:[A-Z][\\w&'’-]*|\\d+)){0,2}";
const NAMES: readonly RegExp[] = [
  new RegExp(
    `\\b([Ww]elcome to|[Ss]ign(?:ing)?[ -]?in (?:to|at|with|on)|[Ll]og(?:ging)?[ -]?in (?:to|at|with|on|for)|[Ll]ogin (?:to|at|with|on|for)|[Cc]onnect(?:ing)? (?:to|with)|[Aa]uthenticate (?:to|with|at)|[Pp]olicy of|[Ss]ervice of|[Uu]se of|[Tt]erms of|[Mm]ember of|[Ii]dentity (?:to|on|with|at)|[Uu]ser(?:name)?|[Hh]ello,?|[Hh]i,?|[Gg]m,?|[Hh]ey,?|[Dd]ear|allowing) ${NAME}`,
    "g",
  ),
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
    `^${SUBJECT}(?:at |with |without |for )?no (?:transactions?|gas|fees?|costs?|funds?)${REST}(?: (?:is|are|will be)(?: sent| needed| required| charged| made)?)?$`,
    "i",
  ),
  new RegExp(`^${SUBJECT}without (?:sending|paying|any|costing)${REST}$`, "i"),
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
  const plain = sentence.replace(/[()"]/g, " ").replace(/\b(safe|free), (?=gas-?less|safe|free)/gi, "$1 ");
  return plain.length <= MAX_SENTENCE && DENIALS.some((pattern) => pattern.test(plain.trim()));
}

/**
 * A label and its value, or a value by itself: numbers, dates, identifiers and addresses of e-mail say nothing. A word in which
 * digits stand for letters is none of them.
 */
const VALUE =
  /^(?:#?\d[\d:.,/+TZ-]*(?:st|nd|rd|th)?|(?=[a-f-]*\d)[0-9a-f-]{6,}|(?=(?:\D*\d){2})[\w-]{10,}|[\w.-]{1,64}#\d{1,6}|site|name|utc|gmt|am|pm|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|\W*)$/i;
const LABELS =
  /^(?:(?:wallet|account|eth|ethereum|user|message|request|session|one-time|chain|issued|expiration|unique|random|your|the|my) ?)*(?:address|account|wallet|nonce|challenge|id|code|timestamp|time|date|at|version|uri|url|domain|session|user|username|email|e-mail|hash|token|network|chain)$/i;
/** One word after a label may be anything that is one word. */
const ONE_VALUE = /^\S{1,128}$/;

function isLabelled(sentence: string): boolean {
  const at = sentence.indexOf(":");
  if (at < 0) return false;
  const [label, value] = [sentence.slice(0, at).trim(), sentence.slice(at + 1).trim()];
  return LABELS.test(label) && (ONE_VALUE.test(value) || value.split(" ").every((one) => VALUE.test(one)));
}

const lowerNames = (sentence: string): string =>
  NAMES.reduce((left, pattern) => left.replace(pattern, "$1 name"), sentence);

/** Ownership that is said to be another's. */
const GIVES_AWAY =
  /\b(?:you|we|they|he|she|name|site) (?:\w+ )?(?:own|owns|control|controls)\b[^.]*\bmy\b|\bmy \w+ (?:is|are) (?:now )?(?:your|yours|our|their|name)\b|\bown(?:er|ed|ership)?\b[^.]*\b(?:is|are|by|to|as) (?:now )?name\b/;

/** Whether every part of a sentence is one that honest texts have. */
export function isUnderstood(sentence: string): boolean {
  if (sentence.length > MAX_SENTENCE) return false;
  if (isLabelled(sentence) || isDenial(sentence)) return true;
  const named = lowerNames(sentence).toLowerCase().replace(/’/g, "'");
  if (GIVES_AWAY.test(named)) return false;
  const rest = PHRASES.reduce((left, pattern) => left.replace(pattern, " "), named);
  const words = rest
    .split(/[\s,;:()"“”[\]<>|/—–]+/)
    .map((one) => one.replace(/^[^\p{L}\p{N}@#]+|[^\p{L}\p{N}]+$/gu, ""));
  return words.every(
    (one) => one === "" || one === "name" || one === "site" || WORDS.has(one) || VALUE.test(one),
  );
}

/** No honest text has more sentences, and each of them takes time. */
const MAX_SENTENCES = 200;

/** Whether a text, without names of sites, has sentences that are none of an honest text's. */
export function hasUnknownSentence(text: string): boolean {
  const sentences = splitSentences(text);
  return sentences.length > MAX_SENTENCES || !sentences.every(isUnderstood);
}
