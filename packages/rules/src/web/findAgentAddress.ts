import { removeHiddenCharacters } from "../hiddenCharacters.js";
import { lookAlikeCharacters } from "../lookAlikeCharacters.js";

/** What a text wants of a machine that reads it. */
export type AgentAddress = keyof typeof patterns;

const MACHINE =
  "(?:a\\.?i\\.? ?)?(?:assistants?|agents?|bots?|crawlers?|chatbots?|models?|copilots?)|ais?|a\\.i\\.|llms?|(?:large )?language models?|chatgpt|gpt-?[345][a-z]*|claude|gemini|copilot|llama";
const NAMED_MACHINE =
  "ai (?:assistants?|agents?|bots?|models?|systems?|crawlers?)|llms?|(?:large )?language models?|chatgpt|gpt-?[345][a-z]*|claude|autonomous agents?";
const SECRET =
  "system prompt|(?:private|secret|api|signing) keys?|seed phrase|recovery phrase|mnemonic|credentials|passwords?";

/**
 * In English, over text in lowercase with single spaces. Each asks for the words of a command and not for a topic, so
 * that a page may write about agents and wallets; a gap never reaches over the end of a sentence.
 */
const patterns = {
  overrides_instructions: [
    /\b(?:ignore|disregard|forget|override|bypass|discard|do not follow|don't follow)\b[^.!?]{0,40}\b(?:previous|prior|above|earlier|preceding|existing|original|all|any|your|other|system)\b[^.!?]{0,30}\b(?:instructions?|prompts?|rules|guidelines|directions|directives|messages|context|commands?|guardrails|training)\b/,
    /\b(?:new|updated|revised|real|actual) (?:system )?(?:instructions?|prompt|task) ?:/,
    /\bsystem ?(?:prompt|message|override|notice|instruction)s? ?[:>\]]/,
    /<\|(?:im_start|system|user|endoftext)\|>|\[\/?inst\]|<<sys>>/,
    /\b(?:you are now|from now on,? you|pretend (?:to be|that you)|act as (?:if you|an? unrestricted)|enter developer mode)\b/,
  ],
  addresses_machine: [
    new RegExp(
      `\\b(?:dear|attention|hey|hello|note (?:to|for)|message (?:to|for)|instructions? (?:to|for)|important for) (?:any |all |the |every |other )?(?:${MACHINE})\\b`,
    ),
    new RegExp(
      `\\bif (?:you(?:'re| are)|this is(?: being)? read by|you(?:'re| are) being read by) (?:an? |the |any )?(?:${MACHINE})\\b`,
    ),
    new RegExp(
      `\\b(?:${NAMED_MACHINE})\\b[^.!?]{0,60}\\b(?:must|should|shall|need to|have to|are (?:required|instructed|asked|told) to|do not|don't|never|please)\\b`,
    ),
    new RegExp(`\\b(?:as|you are|you're) an? (?:helpful |unrestricted )?(?:${NAMED_MACHINE})\\b`),
  ],
  conceals_from_user: [
    /\b(?:do not|don't|never|without) (?:tell|telling|inform|informing|mention|mentioning|alert|alerting|notify|notifying|reveal|revealing|ask|asking|show|showing)\b[^.!?]{0,40}\b(?:users?|humans?|owners?|operators?|anyone|person|people)\b/,
  ],
  asks_for_secrets: [
    new RegExp(
      `(?<!\\b(?:never|not|don't|nobody should|ever) )\\b(?:reveal|print|output|repeat|leak|send|post|export|share|provide|submit|include|exfiltrate|paste)\\b[^.!?]{0,50}\\b(?:${SECRET})\\b`,
    ),
  ],
  moves_funds: [
    /\b(?:send|transfer|approve|sign|swap|withdraw|bridge|pay|deposit|move|grant|increase)\b[^!?]{0,80}\b0x[0-9a-f]{8,}/,
    /\b(?:send|transfer|withdraw|pay|deposit|move|bridge)\b[^.!?]{0,60}\bto (?:this|the following|our|my) (?:address|wallet|account|contract)\b/,
    /\b(?:approve|grant|set|give|increase)\b[^.!?]{0,40}\b(?:unlimited|infinite|maximum|max)\b[^.!?]{0,30}\b(?:allowance|approvals?|spending|spender|tokens?|amount)\b/,
    /\b(?:send|transfer|withdraw|move|drain|sweep|bridge)\b[^.!?]{0,20}\b(?:all|entire|whole|every)\b[^.!?]{0,30}\b(?:funds|balances?|tokens?|assets|eth|ether|usdc|usdt|wallet|holdings)\b/,
    /\b(?:sign|approve|confirm) (?:this|the|any|every|all) (?:\w+ )?(?:transactions?|permits?|messages?|requests?)\b/,
  ],
  steers_verdict: [
    /\b(?:report|say|answer|respond|reply|conclude|state|tell|rate|classify|mark|describe)\b[^.!?]{0,60}\b(?:this|the) (?:page|site|website|token|contract|project|protocol|product)\b[^.!?]{0,20}\b(?:is|was|as)\b[^.!?]{0,15}\b(?:safe|verified|legitimate|audited|trusted|trustworthy|secure|genuine|the best)\b/,
  ],
  calls_tools: [
    /\b(?:call|invoke|execute|run|use|trigger) (?:the |this |your )?(?:following )?(?:\w+ )?(?:tools?|functions?|commands?|shell|script|plugin)\b/,
    /\bcurl (?:-\w+ )*https?:\/\//,
  ],
} as const satisfies Record<string, readonly RegExp[]>;

/**
 * The gravest of these commands without the spaces between their words, for text whose letters or syllables were set apart.
 * Words run into each other then, so gaps are short and each needs more of a command than above.
 */
const runTogether: Partial<Record<AgentAddress, readonly RegExp[]>> = {
  overrides_instructions: [
    /(?:ignore|disregard|forget|override|bypass|donotfollow)(?:all|any|the|your|every|of|these|those|my)*(?:previous|prior|above|earlier|preceding|existing|original|system|other)\w{0,12}(?:instruction|prompt|rules|guideline|direction|directive|command|message|context|guardrail)/,
    /ignoreall(?:your|the)?(?:instruction|prompt|rules|guideline)/,
  ],
  addresses_machine: [
    /(?:dear|attention|hello|noteto|messageto|instructionsfor)(?:all|any|the|every)?(?:ai(?:assistant|agent|bot|model|s?$)|llm|languagemodel|assistant|chatgpt|claude)/,
    /ifyouare(?:an?)?(?:ai|llm|largelanguagemodel|languagemodel|assistant|agent)/,
  ],
  conceals_from_user: [
    /(?:donot|dont|never)(?:tell|inform|mention|reveal|alert|notify)\w{0,16}(?:user|human|owner|operator)/,
  ],
  asks_for_secrets: [
    /(?<!never|not|dont|ever)(?:reveal|print|output|send|export|share|leak)\w{0,16}(?:privatekey|seedphrase|recoveryphrase|mnemonic|systemprompt|apikey)/,
  ],
  moves_funds: [
    /(?:send|transfer|approve|pay|withdraw)\w{0,40}0x[0-9a-f]{40}/,
    /(?:send|transfer|withdraw|drain|sweep)(?:all|entire|whole|every)\w{0,10}(?:funds|balance|tokens|assets|eth|usdc|usdt)/,
    /(?:approve|grant|set)(?:an?)?(?:unlimited|infinite|maximum|max)(?:token|spending)?(?:allowance|approval|spend)/,
  ],
};

/**
 * Ordinary on pages that people read: documentation names commands to run. Asking for funds or for a verdict is not left
 * out, because a style that is not understood makes hidden text look visible.
 */
const ORDINARY_IN_SIGHT: ReadonlySet<AgentAddress> = new Set(["calls_tools"]);
/** Descriptions of pages about wallets and keys speak of sending and of secrets. */
const ORDINARY_IN_METADATA: ReadonlySet<AgentAddress> = new Set([
  "calls_tools",
  "moves_funds",
  "asks_for_secrets",
  "steers_verdict",
]);
/** "What AI agents should know": what is said about machines and not to them. */
const ABOUT_MACHINES = patterns.addresses_machine[2];

/** How the text commands a machine, or null. */
export function findAgentAddress(text: string): AgentAddress | null {
  const plain = foldText(text);
  return findIn(plain) ?? findRunTogether(plain);
}

/** The same for text in plain sight, where only what no writer says to people counts. */
export function findAgentAddressInSight(text: string): AgentAddress | null {
  const plain = foldText(text);
  const spelled = plain.match(SPELLED_OUT)?.join(".") ?? "";
  return findIn(plain, ORDINARY_IN_SIGHT) ?? (spelled === "" ? null : findRunTogether(spelled));
}

/**
 * The same for what stands beside a page's text: comments, labels, attributes. Programmers tell each other there which
 * function to call, so only tools count.
 */
export function findAgentAddressAside(text: string): AgentAddress | null {
  const kind = findAgentAddress(text);
  return kind === "calls_tools" && !/\btools?\b/i.test(text) ? null : kind;
}

/** The same for what describes a page to search engines and previews. */
export function findAgentAddressInMetadata(text: string): AgentAddress | null {
  const plain = foldText(text);
  const kind = findIn(plain, ORDINARY_IN_METADATA);
  const others = patterns.addresses_machine.filter((pattern) => pattern !== ABOUT_MACHINES);
  return kind === "addresses_machine" && !others.some((pattern) => pattern.test(plain)) ? null : kind;
}

function findIn(plain: string, except: ReadonlySet<AgentAddress> = new Set()): AgentAddress | null {
  const names = (Object.keys(patterns) as AgentAddress[]).filter((name) => !except.has(name));
  return names.find((name) => patterns[name].some((pattern) => pattern.test(plain))) ?? null;
}

/** Eight letters or more, each by itself. */
const SPELLED_OUT = /(?:(?<![a-z0-9])[a-z0-9][^a-z0-9]{1,3}){8,}[a-z0-9]?(?![a-z0-9])/g;

function findRunTogether(plain: string): AgentAddress | null {
  const letters = plain.replaceAll(/[^a-z0-9]+/g, "");
  const names = Object.keys(runTogether) as AgentAddress[];
  return names.find((name) => runTogether[name]?.some((pattern) => pattern.test(letters))) ?? null;
}

/** Without case, marks, invisible characters and look-alike letters, which would spell a word past a pattern. */
function foldText(text: string): string {
  const spaced = text.replaceAll(/\s+/g, " ").replaceAll(/[\u2018\u2019\u02bc]/g, "'");
  const shapes = Array.from(spaced.normalize("NFKC"), (character) =>
    character > "\u007f" ? (lookAlikeCharacters.get(character) ?? character) : character,
  ).join("");
  return removeHiddenCharacters(shapes.normalize("NFKD").replaceAll(/\p{Mn}/gu, "")).toLowerCase();
}
