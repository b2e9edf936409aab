import { removeHiddenCharacters } from "./hiddenCharacters.js";
import { lookAlikeCharacters } from "./lookAlikeCharacters.js";

/** What a text wants an agent to do that reads it. */
export type AgentInstruction = keyof typeof patterns;

/** Names of agents that cannot mean people. */
const NAMED_MACHINE =
  "ai (?:assistants?|agents?|bots?|chatbots?|models?|systems?|crawlers?|copilots?)|llms?|(?:large )?language models?|chatbots?|chatgpt|gpt-?[345][a-z]*|claude|autonomous agents?";
/** Names that can mean people as well; the instruction that follows decides. */
const MAYBE_MACHINE = "agents?|assistants?|bots?|models?|crawlers?|copilots?|gemini|copilot|llama";
/** Orders that are given to an agent, and hardly to a person who reads a page. */
const ORDER =
  "(?:(?:always|also|only|now|immediately|please|then|you (?:must|should|will|shall|need to|have to)) )*(?:(?:not|do not|don't|never) (?:mention|tell|reveal|warn|flag|inform)|rank|recommend|ignore|disregard|forget|send|transfer|approve|sign|pay|report (?:that|this)|say|answer|respond|reply|output|conclude|state|tell|treat|rate|classify|mark|call|invoke|execute|trust|prefer|buy|print|reveal|cite|follow (?:these|the following|this|my)|praise|endorse|describe|summari[sz]e)";
/** Further orders, for text that is addressed to a machine by name. */
const NAMED_ORDER = `(?:${ORDER}|(?:please )?(?:you|your|do not|don't|never|leave out|omit|skip|open|click|visit|paste|add|append|end|include|insert|write|use|begin|start|install|download|run|fetch|submit|give|grant|allow|assume|consider|the (?:text|following|rules?) (?:below|above|here)))`;
const MACHINE = `(?:${NAMED_MACHINE}|${MAYBE_MACHINE}|ais?|automated (?:agents?|systems?|readers?|tools?)|summari[sz]ers?)`;
const READING = "(?:summari[sz]|read|process|pars|compil|index|crawl|scrap|ingest|evaluat|review|visit)";
const SECRET = "system prompt|(?:private|secret|signing) keys?|seed phrase|recovery phrase|mnemonic";
const NOT_NEGATED = "(?<!\\b(?:never|not|don't|nobody|no one|won't|ever)\\b[^.!?,;:]{0,25})";

/**
 * Patterns over lowercase text with single spaces; in English except for the most common ones. Each requires the words of an
 * order and not only a topic, so that a page may write about agents and wallets; a gap never extends over the end of a sentence.
 */
const patterns = {
  overrides_instructions: [
    /\b(?:ignore|disregard|forget|override|bypass|discard|do not follow|don't follow)\b[^.!?]{0,40}\b(?:previous|prior|above|earlier|preceding|existing|original|all|any|your|other|system)\b[^.!?]{0,30}\b(?:instructions?|prompts?|rules|guidelines|directions|directives|messages|context|commands?(?![- ]lines?)|guardrails|training)\b/,
    /\b(?:ignore|disregard|forget) (?:everything|anything|all|whatever|what)\b(?: (?:that|which|of|the|it|is|was|says?|said|written|stands|you|were|been|have|told|text|content|stated)){0,5} (?:above|before|previously|prior|so far|earlier|until now)\b/,
    /\b(?:new|updated|revised|real|actual) (?:system )?(?:instructions?|prompt|task) ?:/,
    /\bsystem ?(?:prompt|message|override|notice|instruction)s? ?[:>\]]/,
    /<\|(?:im_start|system|user|endoftext)\|>|\[\/?inst\]|<<sys>>/,
    /\b(?:pretend (?:to be|that you)|act as (?:if you|an? unrestricted)|enter developer mode)\b/,
    /\b(?:previous|prior|earlier|preceding|all other|existing) (?:guidance|instructions?|rules|directives|orders|prompts?|directions)\b[^.!?]{0,20}\b(?:is|are) (?:now )?(?:void|obsolete|cancell?ed|revoked|suspended|invalid|replaced|superseded|no longer)\b/,
    /\b(?:replaces?|overrides?|supersedes?|overrules?|cancels?) (?:all |any )?(?:of )?(?:your|the) (?:\w+ ){0,2}(?:system prompt|instructions?|prompts?|guidelines|guardrails)\b/,
    /\byour (?:only|new|sole|real|actual) (?:task|goal|job|instruction|objective|mission)s?,? (?:now|from now on|here) (?:is|are)\b/,
    /(?:^|[.!?:"'\])] ?)(?:system(?: (?:override|notice|message|alert))?|override|admin(?:istrator)?(?: override)?|developer(?: message| mode)?) ?: ?(?:the (?:user|operator|owner)|you|your|ignore|disregard|call|do not|don't|send|transfer|approve|print|reveal|from now)\b/,
    new RegExp(
      `\\byou are now (?:in |an? |the |my )?(?:\\w+ ){0,2}(?:${NAMED_MACHINE}|assistant|agent|ai|bot|developer mode|dan|unrestricted|unfiltered|jailbroken)\\b`,
    ),
    new RegExp(
      `\\bfrom now on,? you (?:are (?:an? |the |my )?(?:\\w+ )?(?:${NAMED_MACHINE}|assistant|agent|ai)|(?:(?:will|must|shall|should|are to) )?(?:${ORDER}|act|behave|obey))\\b`,
    ),
    // French, German, Spanish, without diacritics, which are removed before.
    /\b(?:ignore[zr]?|oublie[zr]?) (?:toutes )?(?:les |tes |vos |ces )?(?:instructions|consignes|directives) (?:precedentes|anterieures|ci-dessus)/,
    /\b(?:ignorier(?:e|en|t)?|vergiss|vergesst|vergessen|missachte[nt]?) (?:sie )?(?:bitte )?(?:alle |samtliche |die |deine |ihre )*(?:vorherigen|vorhergehenden|bisherigen|vorigen|obigen|fruheren|vorangegangenen) (?:anweisungen|instruktionen|befehle|vorgaben|regeln)/,
    /\b(?:ignor(?:a|e|en|ad|ar)|olvid(?:a|e|en|ad|ar)) (?:todas )?(?:las |tus |sus )?(?:instrucciones|indicaciones|ordenes|reglas) (?:anteriores|previas|de arriba)/,
    /\bignor(?:a|ate|are) (?:tutte )?(?:le )?(?:istruzioni|indicazioni|regole) (?:precedenti|sopra)/,
    /\bignor(?:e|a|em|ar) (?:todas )?(?:as )?(?:instrucoes|orientacoes|regras) (?:anteriores|previas|acima)/,
    /\bnegeer (?:alle )?(?:vorige|eerdere|voorgaande|bovenstaande) (?:instructies|opdrachten|regels)/,
    /\b(?:zignoruj|zapomnij) (?:o )?(?:wszystkie |wszystkich )?(?:poprzednie|wczesniejsze|poprzednich|wczesniejszych) (?:instrukcje|polecenia|instrukcjach|poleceniach)/,
    /(?:以前|これまで|上記|前)の?(?:すべての|全ての)?(?:指示|命令|プロンプト|ルール)を?(?:すべて|全て)?(?:無視|忘れ)/,
    /(?:忽略|无视|無視|忘记|忘記|不要理会).{0,8}(?:之前|以上|先前|前面|上述|此前|所有).{0,8}(?:指令|指示|提示|命令|说明|說明|规则|規則)/,
  ],
  addresses_machine: [
    new RegExp(
      `\\b(?:dear|attention|hey|hello|note (?:to|for)|message (?:to|for)|instructions? (?:to|for)|important for) (?:any |all |the |every |other )?(?:${NAMED_MACHINE}|ais?|a\\.i\\.|(?:${MAYBE_MACHINE})[,:]? ${ORDER})\\b`,
    ),
    new RegExp(
      `\\bif (?:you(?:'re| are)|this is(?: being)? read by|you(?:'re| are) being read by) (?:an? |the |any )?(?:${NAMED_MACHINE}|ai|a\\.i\\.|(?:${MAYBE_MACHINE})[^.!?]{0,20}, ?${ORDER})\\b`,
    ),
    new RegExp(
      `\\b(?:${NAMED_MACHINE})\\b[^.!?]{0,60}\\b(?:must|should|shall|need to|have to|are (?:required|instructed|asked|told) to|please)(?:,)? ${ORDER}\\b`,
    ),
    new RegExp(
      `\\b(?:${NAMED_MACHINE})(?: (?:reading|visiting|processing|parsing) this(?: \\w+)?)?[,:] ${ORDER}\\b`,
    ),
    new RegExp(
      `(?:^|[.!?:"'(\\[] ?)(?:(?:to|for|attention|note (?:to|for)|message (?:to|for)|dear) )?(?:any |all |the |every |other )?${MACHINE}(?:(?:,| and| or) ${MACHINE})*(?: (?:that |who |which )?(?:is |are )?${READING}\\w*[^.!?:,]{0,30})?: ?${NAMED_ORDER}\\b`,
    ),
    new RegExp(
      `\\b(?:to|for) (?:any|all|the|every) ${MACHINE} (?:that |who |which )?(?:is |are )?${READING}\\w* (?:this|these|the)[^.!?:]{0,30}[:,] ?${NAMED_ORDER}\\b`,
    ),
    new RegExp(
      `\\b(?:whoever|whatever|anyone|anything|any (?:system|program|software|tool|agent|bot|model)|an? (?:automated|autonomous|artificial) (?:agent|system|reader|program|tool)) (?:that |who |which )?(?:is |are )?${READING}\\w* (?:this|these|the)[^.!?]{0,60}\\b(?:must|should|shall|has to|have to|needs to|(?:is|are) (?:required|asked|instructed|told|obliged|expected) to)\\b`,
    ),
    new RegExp(
      `\\bwhen (?:you )?(?:are )?summari[sz](?:e|ing)\\b[^.!?]{0,40}, (?:please )?${NAMED_ORDER}\\b`,
    ),
    new RegExp(`\\b(?:you are|you're) an? (?:helpful |unrestricted )?(?:${NAMED_MACHINE})\\b`),
    new RegExp(`\\bas an? (?:helpful |unrestricted )?(?:${NAMED_MACHINE}), (?:you\\b|${ORDER}\\b)`),
  ],
  conceals_from_user: [
    new RegExp(
      `\\b(?:do not|don't|never|without) (?:tell|telling|inform|informing|mention|mentioning|alert|alerting|notify|notifying|reveal|revealing|ask|asking|show|showing)\\b(?![^.!?]{0,60}\\b(?:${SECRET}|passwords?|credentials)\\b)[^.!?]{0,40}\\b(?:the |your |any )?(?:users?|humans?|owners?|operators?)\\b(?![^.!?]{0,60}\\b(?:${SECRET}|passwords?|credentials)\\b)`,
    ),
  ],
  asks_for_secrets: [
    new RegExp(
      `${NOT_NEGATED}\\b(?:reveal|print|output|repeat|leak|send|post|export|share|provide|submit|include|exfiltrate|paste)\\b[^.!?]{0,50}\\b(?:${SECRET})\\b`,
    ),
    // Forms and manuals ask for these by other verbs.
    new RegExp(
      `${NOT_NEGATED}\\b(?:reveal|print|output|leak|exfiltrate|dump) (?:all |any )?(?:of )?your (?:\\w+ ){0,3}(?:api keys?|credentials|passwords?)\\b`,
    ),
  ],
  moves_funds: [
    /\b(?:operator|owner|user|developer|administrator|principal)s? (?:has |have )?(?:already )?(?:allows?|allowed|approved|approves|authori[sz]ed|authori[sz]es|confirmed|permits?|permitted)\b[^.!?]{0,40}\b(?:spending|payments?|transfers?|transactions?|purchases?)\b[^.!?]{0,40}\b(?:without limit|unlimited|so (?:call|send|approve|sign)|now|session)\b/,
    /\b(?:send|transfer|approve|sign|swap|withdraw|bridge|pay|deposit|move|grant|increase)\b[^!?]{0,80}\b0x[0-9a-f]{8,}/,
    /\b(?:send|transfer|withdraw|pay|deposit|move|bridge)\b(?:[^.!?]|\.\d){0,60}\bto (?:(?:this|the following|our|my) (?:address|wallet|account|contract)|[\w-]+(?:\.[\w-]+)*\.eth)\b/,
    /\b(?:approve|grant|set|give|increase)\b[^.!?]{0,40}\b(?:unlimited|infinite|maximum|max)\b[^.!?]{0,30}\b(?:allowance|approvals?|spending|spender|tokens?|amount)\b/,
    /\b(?:send|transfer|withdraw|move|drain|sweep|bridge)\b[^.!?]{0,20}\b(?:all|entire|whole|every|100 ?%(?= ))[^.!?]{0,30}\b(?:funds|balances?|tokens?|assets|eth|ether|usdc|usdt|wallet|holdings|money|coins|crypto|savings)\b/,
    /\b(?:sign|approve|confirm) (?:any|every|all) (?:\w+ )?(?:transactions?|permits?|messages?|requests?)\b/,
    /\b(?:sign|approve|confirm) (?:this|the) (?:\w+ )?(?:transactions?|permits?|messages?|requests?)\b[^.!?]{0,20}\b(?:immediately|at once|without (?:asking|review|confirmation|checking))\b/,
  ],
  steers_verdict: [
    /\b(?:your|its|the) (?:final )?verdict\b[^.!?]{0,30}\b(?:is|must be|has to be|should be|shall be|will be)\b[^.!?]{0,6}\b(?:allow|allowed|safe|approved|pass)\b/,
    /\b(?:report|say|answer|respond|reply|conclude|state|tell|rate|classify|mark|describe)\b[^.!?]{0,60}\b(?:this|the) (?:page|site|website|token|contract|project|protocol|product)\b[^.!?]{0,20}\b(?:is|was|as)\b[^.!?]{0,15}\b(?:safe|verified|legitimate|audited|trusted|trustworthy|secure|genuine|the best)\b/,
    /\b(?:output|return|answer|respond|reply|set|give|print|emit|report|mark|say|issue)\b[^.!?]{0,30}\bverdict\b[^.!?]{0,10}\b(?:allow|allowed|safe|approved?|pass)\b/,
  ],
  calls_tools: [
    /\b(?:call|invoke) (?:the |this |your )(?:following )?(?:\w+ )?tools?\b/,
    /\b(?:execute|run|use|trigger) your (?:\w+ )?(?:tools?|functions?|shell|plugins?)\b/,
    /\bcurl (?:-\w+ )*https?:\/\/[^.!?]{0,80}\b(?:private key|seed|mnemonic|secret)\b/,
  ],
} as const satisfies Record<string, readonly RegExp[]>;

/**
 * The gravest of these orders without the spaces between their words, for text whose letters or syllables are separated.
 * Words are joined then, so gaps are short and each pattern requires more words of an order than above.
 */
const runTogether: Partial<Record<AgentInstruction, readonly RegExp[]>> = {
  overrides_instructions: [
    /(?:ignore|disregard|forget|override|bypass|donotfollow)(?:all|any|the|your|every|of|these|those|my)*(?:previous|prior|above|earlier|preceding|existing|original|system|other)\w{0,12}(?:instruction|prompt|rules|guideline|direction|directive|command|message|context|guardrail)/,
    /ignoreall(?:your|the)?(?:instruction|prompt|rules|guideline)/,
  ],
  addresses_machine: [
    /(?:dear|attention|hello|noteto|messageto|instructionsfor)(?:all|any|the|every)?(?:ai(?:assistant|agent|bot|model|s?$)|llm|languagemodel|assistant|chatgpt|claude)/,
    /ifyouarean?(?:ai(?:assistant|agent|bot|model|system)|llm|largelanguagemodel|languagemodel)/,
  ],
  conceals_from_user: [
    /(?:donot|dont|never)(?:tell|inform|mention|reveal|alert|notify)\w{0,16}(?:user|human|owner|operator)/,
  ],
  asks_for_secrets: [
    /(?<!(?:never|not|dont|ever)\w{0,12})(?:reveal|print|output|send|export|share|leak)\w{0,16}(?:privatekey|seedphrase|recoveryphrase|mnemonic|systemprompt)/,
  ],
  moves_funds: [
    /\b(?:operator|owner|user|developer|administrator|principal)s? (?:has |have )?(?:already )?(?:allows?|allowed|approved|approves|authori[sz]ed|authori[sz]es|confirmed|permits?|permitted)\b[^.!?]{0,40}\b(?:spending|payments?|transfers?|transactions?|purchases?)\b[^.!?]{0,40}\b(?:without limit|unlimited|so (?:call|send|approve|sign)|now|session)\b/,
    /(?:send|transfer|approve|pay|withdraw)\w{0,40}0x[0-9a-f]{40}/,
    /(?:send|transfer|withdraw|drain|sweep)(?:all|entire|whole|every)\w{0,10}(?:funds|balance|tokens|assets|eth|usdc|usdt)/,
    /(?:approve|grant|set)(?:an?)?(?:unlimited|infinite|maximum|max)(?:token|spending)?(?:allowance|approval|spend)/,
  ],
};

/**
 * Ordinary on pages that people read: documentation names commands to run. Requests for funds or for a verdict still count,
 * because hidden text counts as visible where a style is not understood.
 */
const ORDINARY_IN_SIGHT: ReadonlySet<AgentInstruction> = new Set(["calls_tools"]);
/** Descriptions of pages about wallets and keys mention transfers and secrets. */
const ORDINARY_IN_METADATA: ReadonlySet<AgentInstruction> = new Set([
  "calls_tools",
  "moves_funds",
  "asks_for_secrets",
  "steers_verdict",
]);
/** A complete order to pay, which no label of a button or field is. */
const PAYMENT_ORDER = /\b(?:send|transfer|pay) (?:\d[\d.,]*|all)\b[^.!?]{0,30}\bto 0x[0-9a-f]{40}\b/;

/** What the text orders an agent to do, or null. */
export function findAgentInstruction(text: string): AgentInstruction | null {
  const plain = foldText(text);
  return findIn(plain) ?? findRunTogether(plain);
}

/** The same for visible text, where only wording that no author uses for people counts. */
export function findAgentInstructionInSight(text: string): AgentInstruction | null {
  const plain = foldText(text);
  const spelled = plain.match(SPELLED_OUT)?.join(".") ?? "";
  return findIn(plain, ORDINARY_IN_SIGHT) ?? (spelled === "" ? null : findRunTogether(spelled));
}

/**
 * The same for labels of pictures, fields and buttons, which people see or hear: "Approve the transaction" is an ordinary
 * button.
 */
export function findAgentInstructionInLabel(text: string): AgentInstruction | null {
  const plain = foldText(text);
  return findIn(plain, ORDINARY_IN_METADATA) ?? (PAYMENT_ORDER.test(plain) ? "moves_funds" : null);
}

/** The same for comments of a style sheet, where programmers write about overriding rules. */
export function findAgentInstructionInStyle(text: string): AgentInstruction | null {
  return findAgentInstruction(text.replaceAll(/\b(?:rules|directives)\b/gi, "styles"));
}

/** The same for descriptions of a page for search engines and previews. */
export function findAgentInstructionInMetadata(text: string): AgentInstruction | null {
  return findIn(foldText(text), ORDINARY_IN_METADATA);
}

function findIn(plain: string, except: ReadonlySet<AgentInstruction> = new Set()): AgentInstruction | null {
  const names = (Object.keys(patterns) as AgentInstruction[]).filter((name) => !except.has(name));
  return names.find((name) => patterns[name].some((pattern) => pattern.test(plain))) ?? null;
}

/** Eight or more separate letters. */
const SPELLED_OUT = /(?:(?<![a-z0-9])[a-z0-9][^a-z0-9]{1,3}){8,}[a-z0-9]?(?![a-z0-9])/g;

function findRunTogether(plain: string): AgentInstruction | null {
  const letters = plain.replaceAll(/[^a-z0-9]+/g, "");
  const names = Object.keys(runTogether) as AgentInstruction[];
  return names.find((name) => runTogether[name]?.some((pattern) => pattern.test(letters))) ?? null;
}

/** The text without case, diacritics, invisible characters and look-alike letters, which would evade a pattern. */
function foldText(text: string): string {
  // Nearly all text is plain, and nothing in it needs more.
  if (/^[\t\n\r\x20-\x7e]*$/.test(text)) return text.replaceAll(/\s+/g, " ").toLowerCase();
  const spaced = text.replaceAll(/\s+/g, " ").replaceAll(/[\u2018\u2019\u02bc]/g, "'");
  const shapes = Array.from(spaced.normalize("NFKC"), (character) =>
    character > "\u007f" ? (lookAlikeCharacters.get(character) ?? character) : character,
  ).join("");
  return removeHiddenCharacters(shapes.normalize("NFKD").replaceAll(/\p{Mn}/gu, "")).toLowerCase();
}
