import { hasUnknownSentence, isDenial, splitSentences } from "./loginText.js";

/** Letters of English and of its loans. Look-alikes of other scripts and of mathematics are none of them. */
const OTHER_LETTERS = /(?![A-Za-z\u00c0-\u024f\u00aa\u00ba])\p{L}/u;
/** Not a part of a number, an identifier or a name with digits. */
const WORD = /(?<![\w-])[A-Za-z\u00c0-\u024f]+(?:'[a-z]+)?(?![\w-])/g;

/** The commonest words of English, and those that texts to sign consist of. */
const ENGLISH: ReadonlySet<string> = new Set(
  `a about above accept access account accounts action address after again agree all also am an and any app application are as
  ask asks at authenticate authentication back base be been before behalf being below between blockchain both browser but button by
  can can't challenge check click code community confirm confirming connect connected content continue cookie cost costs create date dear do
  does domain don't each email enter ether ethereum exchange expire expires fee fees first following for free from fully gas get go
  good hash have he hello help here here's hi how human i i'm id identity if in information into is isn't issued it it's its join just key keys
  know later latest like link log logged login logging logs long make may me member message more must my name need never new no nonce
  not now of off offchain on once one only open or other our out over own owner owner's owners ownership own's page password personal platform
  please policy privacy proceed profile proof proposal prove proves provide purpose read received register request requests required
  safe secure security see service services session share she should sign signature signed signing signs site so some support
  terms than thank that the their them then there these they this those time timestamp to token transaction transactions trigger
  trust under unique until up us use used user username using valid verification verified verify version view vote wallet wallet's
  want wants was we web website welcome we'll were what when which who will with within without won't would yes yet you you'll you're your yourself`.split(
    /\s+/,
  ),
);
/** A sentence of fewer words may be a name. */
const MIN_SENTENCE = 4;
/** Of the words of a sentence, in percent. */
const MIN_ENGLISH = 30;

/** Whether the text is in a language that the words below can be searched in. What is not, was not judged. */
export function isJudgedLanguage(text: string): boolean {
  if (OTHER_LETTERS.test(text)) return false;
  const sentences = withoutSites(text)
    .split(/[.!?:;\n]+/)
    .map((one) => one.toLowerCase().match(WORD) ?? []);
  const short = sentences.filter(({ length }) => length < MIN_SENTENCE).flat();
  const long = sentences.filter(({ length }) => length >= MIN_SENTENCE);
  return [...long, ...(short.length >= MIN_SENTENCE * 2 ? [short] : [])].every(isEnglish);
}

const isEnglish = (words: readonly string[]): boolean =>
  words.filter((word) => ENGLISH.has(word)).length * 100 >= words.length * MIN_ENGLISH;

/** What honest texts are for: to log in, to prove who one is, to accept terms, to greet or to vote. */
const PURPOSES =
  /\b(sign(ing)?[ -]?in|log(ging)?[ -]?in|login|authenticat(e|ion)|welcome|hello|hi|gm|good morning|thank(s| you)|verif(y|ying|ication of) (that |you|your|my|the |wallet|address|owner|identity|account)|prov(e|es|ing) (that |you|your|my|the |owner|i )|own(er)?(ship)? of|(wallet |address |prove |verify )ownership|connect (your|my|the) wallet|create a session|(sign|message) to continue|confirm (that )?it('s| is) (really )?(you|me)|(i|you) own\b|attests? that|identity|human|terms of (service|use)|(agree|accept|agreed) to the terms|accept the terms|privacy policy|i vote|my vote|one-time nonce)\b/i;

export const hasPurpose = (text: string): boolean => PURPOSES.test(text);

/** Whether sentences are left that are none of an honest text's: what one sentence is for says nothing of the others. */
export const hasUnknownSentences = (text: string): boolean => hasUnknownSentence(withoutSites(text));

/** What a server, or a court, may take as an order: to move or sell something, or to let another act. */
const ORDERS =
  /\b(withdraw\w*|send|sends|sending|sent|sell|sells|selling|sold|transfer\w*|authori[sz]\w*|autoriz\w*|permit|permits|permission|grant\w*|delegat\w*|assign\w*|approv\w*|migrat\w*|releas\w*|drain\w*|swap|redeem\w*|liquidat\w*|unstake\w*|borrow\w*|lend|give|gives|giving|donat\w*|hand over|surrender\w*|waive\w*|relinquish\w*|pledge\w*|spend\w*|pay|pays|paying|payment|payout|purchase|buy|orders?|bearer|holder of|on (my|your) behalf|for me|in my name|acts? (for|as)|everything|all (of )?(my|your)|full (control|access)|control (all|of|over)|takes? over)\b/i;
/** A change of who commands an account somewhere. */
const CHANGES =
  /\b(change|chang(ing|es)|update|add|adding|remove|replace|reset|link|bind|rotate|import|export|delete|disable|enable|install|invite|promote|make|set|connect)\b[^.\n]{0,60}\b(e-?mail|password|keys?|devices?|owners?|admins?|administrator|recovery|phone|2fa|guardians?|signers?|operators?|payout|bank|delegates?|role|full control|session)\b/i;
const LETS =
  /\b(let|lets|allow|allows|allowing|enable|enables)\b[^.\n]{0,60}\b(spend|take|move|act|trade|trading|control|manage|withdraw|key)\b/i;
const ADMINS = /\bas (an? )?(admin\w*|owner|operator|signer)\b/i;
/** An amount of money. */
const AMOUNTS =
  /[$€£]\s?\d|\b\d[\d,.]*\s?(usd[ct]?|dollars?|eth|weth|ether|btc|dai|eur|euros?|tokens?|nfts?)\b/i;

/** To let a login happen gives nothing away. */
const LOGIN_ALLOWED =
  /\bauthori[sz](?:e|es|ing) (?:the |this |your |my )?(?:login|log ?in|sign[ -]?in|authentication|session)\b|\bauthentication status will reset\b|\ballowing \w+ to (?:read|see|view) your public profile\b/gi;

/** Whether a text speaks of giving something away, or of letting others act. Only a whole sentence that denies it is left out. */
export function speaksOfGiving(text: string): boolean {
  const rest = splitSentences(withoutSites(text))
    .filter((sentence) => !isDenial(sentence))
    .join(".\n")
    .replace(LOGIN_ALLOWED, " ");
  return [ORDERS, CHANGES, LETS, ADMINS, AMOUNTS].some((pattern) => pattern.test(rest));
}

/** Programs derive keys from the signature of a fixed text: anybody who has it has the keys. */
const KEYS =
  /\b(stark ?(ex|key|net)|private key|spending key|viewing key|encryption key|session key|api key|derive|generat\w+ (your|the|a|my) .{0,60}key|seed|recovery phrase|mnemonic|secret( key)?|trading key|keys? generation|key nonce|immutable x|zksync account|create identity|enable identity)\b/i;
/** Programs that make keys warn that no other program may have the signature. */
const WARNINGS =
  /\bonly (?:ever )?sign (?:this|it|on|the)\b|\b(?:trusted client|(?:client|site|website|app|application|domain)s? (?:that )?you trust)\b|\bonlysignon\b/i;
const OPENS_ACCOUNT =
  /\baccess (?!to\b)(?:your |the |my )?(?:[\w.-]+ ){0,3}(?:account|exchange|vault|wallet|keys?)\b|\bunlock\b/i;
/** A text that is another one each time makes no key. */
const CHANGING =
  /\b(?:nonce|challenge|timestamp|issued at|one-time)\b|\d{4}-\d\d-\d\d|[0-9a-f]{8}-[0-9a-f]{4}-|\d{6,}/i;

export const makesKeys = (text: string): boolean =>
  KEYS.test(text) || WARNINGS.test(text) || (OPENS_ACCOUNT.test(text) && !CHANGING.test(text));

const URLS = /\bhttps?:\/\/[^\s<>"')\]]+/gi;
const BLOB = /[A-Za-z0-9+/_-]{24,}={0,2}/g;
/** A number that is used once says nothing, and may look like anything. */
const LABEL = /(nonce|challenge|\bid|code|token|session|timestamp|hash)\W{0,4}$/i;

/** Whether a text holds bytes in disguise (Base64), which no label says are a number used once. */
export function holdsBlob(text: string): boolean {
  const bare = text.replace(URLS, " ").replace(/0x[0-9a-fA-F]+/g, " ");
  return [...bare.matchAll(BLOB)].some(({ 0: blob, index }) => {
    const isMixed = /[a-z]/.test(blob) && /[A-Z]/.test(blob) && !/^[0-9a-fA-F-]+$/.test(blob);
    return isMixed && !LABEL.test(bare.slice(Math.max(0, index - 40), index));
  });
}

const HOSTS = /(?<![@\w.-])(?:https?:\/\/)?((?:[a-z0-9-]+\.)+[a-z]{2,})(?![\w-])/gi;
/** A name of a site has dots, which end no sentence. */
const withoutSites = (text: string): string =>
  text.replace(URLS, " ").replace(EMAILS, " name ").replace(HOSTS, " site ");
const EMAILS = /(?<![\w+.-])[\w+.-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g;

/** Names of sites in a text, in lower case; names of accounts (.eth) are none. */
export const listHosts = (text: string): string[] =>
  [...text.matchAll(HOSTS)]
    .map(({ 1: host = "" }) => host.toLowerCase())
    .filter((host) => !/\.(eth|md|txt|json|js|ts)$/.test(host));
