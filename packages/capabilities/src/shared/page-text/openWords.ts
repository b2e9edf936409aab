import { DENIALS, NEGATIONS } from "./denials.js";
import { setOf } from "./setOf.js";

/** A sentence with one of these before a wording does not state the wording. */
export const CONDITIONS = setOf("if whether unless suppose supposing assuming imagine would bydefault");
/** The same, in the wording's own part of the sentence only. */
export const HEDGES = setOf(
  "without might may could perhaps maybe possibly probably likely presumably potentially apparently seemingly allegedly",
  "reportedly supposedly purportedly ostensibly rumoured rumored seem seems seemed appear appears appeared should almost",
  "nearly until till",
);
/** Words after a wording that withdraw part of it. */
export const QUALIFIERS = setOf(
  "bydefault if unless except provided when only perhaps maybe possibly probably allegedly reportedly supposedly",
);
/** Verbs by which somebody else says it. */
const SAYING =
  "say|says|said|saying|claim|claims|claimed|claiming|report|reports|reported|allege|alleges|alleged|believe|believes|believed|think|thinks|thought|argue|argues|argued|suggest|suggests|suggested|estimate|estimates|estimated|expect|expects|expected|predict|predicts|predicted|assume|assumes|assumed|assert|asserts|asserted|insist|insists|insisted|announce|announces|announced|tells?|t[o]ld|hope|hopes|hoped|plan|plans|planned|intend|intends|intended|promise|promises|promised|propose|proposes|proposed|warn|warns|warned|fear|fears|feared|feel|feels|felt|rumour|rumours|rumor|rumors|according|boast|boasts|boasted|wish|wishes|wished|suspect|suspects|suspected|guess|guesses|guessed|speculate|speculates|speculated|imagined|imagines|contend|contends|contended|declare|declares|declared|testify|testifies|testified|reckon|reckons|reckoned|pray|prays|prayed|stated|states|stating|conclude|concludes|concluded|remarked|advertise|advertises|advertised";
export const SAYS = new RegExp(`^(?:${SAYING})$`);
/** "…, said the mayor", "…, according to her", "…, the mayor says". */
export const SAID_AFTER = new RegExp(
  `^(?:(?:or|and) so )?(?:as )?(?:the (?:story|legend) goes|(?:[\\p{L}']+ ){0,4}?(?:${SAYING})\\b)`,
  "u",
);

const ADVERBS =
  "(?:(?:also|both|clearly|completely|entirely|just|now|of|course|plainly|quite|simply|totally|to|be|an?) )*";
const DENIED =
  "(?:false|fake|bogus|untrue|wrong|incorrect|mistaken|inaccurate|lie|myth|hoax|misconception|falsehood|fiction|nonsense|denied|refuted|debunked|disproved|disproven|disputed|rejected|unfounded|fabricated|misleading|not (?:true|correct|right|so|the case|accurate))";
const SUBJECT =
  "(?:(?:but|and|yet|though|although) )?(?:(?:an?|the|this|that) (?:claim|statement|assertion|story|rumour|rumor) )?(?:(?:which|that|this|it|these) )?";
const VERB = "(?:is|was|are|were|has been|have been|had been|proved|turned out|remains) ";
/** Text after the wording that denies it: "…, which is wrong", "… is a myth". */
export const DENIED_AFTER = new RegExp(`^${SUBJECT}${VERB}${ADVERBS}${DENIED}\\b`);
/** A sentence of its own that denies the one before it. */
export const DENIES_LAST = new RegExp(
  `^(?:(?:but |yet )?(?:this|that|it|which) ${VERB})?${ADVERBS}${DENIED}$`,
);
/** "False: …", "It is a lie: …": a part that does nothing but deny what follows. */
export const ANNOUNCES_DENIAL = new RegExp(`^(?:(?:this|that|it|which) ${VERB})?${ADVERBS}${DENIED}$`);

/** Conditions of more than one word. */
export const RESTRICTED =
  /\b(?:on (?:the )?condition|subject to|as long as|so long as|in case|in the event|pending|other than|apart from|excluding|at (?:most|least)|or (?:so|more|less|fewer)|depending|permitting|(?:if|where|when) possible|(?:up)?on request)\b/;
/** What a made-up story says, or somebody holds for an opinion, is not what the page says. */
export const IN_A_STORY =
  /\b(?:in|from|to) (?:my|our|his|her|their) (?:\w+ )?(?:opinion|view|eyes|experience|knowledge|judge?ment|point of view)\b|\b(?:imho|imo|afaik|arguably|personally)\b|\bin (?:the|an?|his|her|this|its|their|one) (?:\w+ )?(?:novel|film|movie|book|story|legend|myth|play|poem|game|series|dream|episode|comic|opera|song|tale|fable|simulation|scenario|example|joke)\b/;
/** What follows a wording and lets it hold only then. */
export const RESTRICTED_AFTER =
  /^(?:(?:on|at|in|during) (?:the )?(?:\w+days|weekends?|winter|summer|spring|autumn|season|nights?|holidays|public holidays|school holidays|feast days)|during|a (?:second|minute|hour|day|night|week|month|year|person|head)|at night|by appointment|to (?:some|one|an?|a certain|the) (?:\w+ )?(?:extent|degree)|in parts?$|(?:from|until|till) (?:early |late |mid )?(?:january|february|march|april|maymonth|june|july|august|september|october|november|december|noon|midnight|dawn|dusk|spring|summer|autumn|winter|\d)|(?:for|to) (?:members|residents|students|children|pensioners|seniors|guests|subscribers|those|anyone|people|visitors|customers))\b/;

/** A word that denies, limits or attributes what is said beside it. */
export const isLimiting = (word: string) =>
  NEGATIONS.has(word) ||
  DENIALS.has(word) ||
  CONDITIONS.has(word) ||
  HEDGES.has(word) ||
  QUALIFIERS.has(word) ||
  SAYS.test(word);
