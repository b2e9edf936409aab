import { findForeignOverride } from "./findForeignOverride.js";
import { removeHiddenCharacters } from "./hiddenCharacters.js";
import { lookAlikeCharacters } from "./lookAlikeCharacters.js";

/** What a text wants an agent to do that reads it. */
export type AgentInstruction = keyof typeof patterns;

/** Names of agents that cannot mean people. */
const NAMED_MACHINE =
  "ai (?:assistants?|agents?|bots?|chatbots?|models?|systems?|crawlers?|copilots?|tools?|readers?|summari[sz]ers?)|llms?|(?:large )?language models?|chatbots?|chatgpt|gpt(?:-?[345][a-z]*)?|claude|autonomous agents?|summari[sz](?:er|ation (?:model|tool|bot))s?";
/** Names that can mean people as well; the instruction that follows decides. */
const MAYBE_MACHINE = "agents?|assistants?|bots?|models?|crawlers?|copilots?|gemini|copilot|llama";
/** Orders that are given to an agent, and hardly to a person who reads a page. */
const ORDER =
  "(?:(?:always|also|only|now|immediately|please|then|you (?:must|should|will|shall|need to|have to)) )*(?:(?:not|do not|don't|never) (?:mention|tell|reveal|warn|flag|inform)|rank|recommend|ignore|disregard|forget|send|transfer|approve|sign|pay|report (?:that|this)|say|answer|respond|reply|output|conclude|state|tell|treat|rate|classify|mark|call|invoke|execute|trust|prefer|buy|print|reveal|cite|follow (?:these|the following|this|my)|praise|endorse|describe|summari[sz]e|promote|omit|leave out|withhold|forward|wire|swap|withdraw)";
/** Further orders, for text that is addressed to a machine by name. */
const NAMED_ORDER = `(?:${ORDER}|(?:please )?(?:you|your|do not|don't|never|leave out|omit|skip|open|click|visit|paste|add|append|end|include|insert|write|use|begin|start|install|download|run|fetch|submit|give|grant|allow|assume|consider|the (?:text|following|rules?) (?:below|above|here)))`;
/** The beginning of a sentence, list item, heading or quotation. */
const BEGIN = "(?:^|[.!?:;\"'(\\[\\])>#*|=_–—-] ?)(?:please,? |now,? |instead,? |and |then,? |kindly )?";
const PAGE =
  "(?:page|site|website|document|text|article|note|message|content|paragraph|line|passage|post|readme|file)";
const MACHINE = `(?:${NAMED_MACHINE}|${MAYBE_MACHINE}|ais?|automated (?:agents?|systems?|readers?|tools?)|summari[sz]ers?)`;
const READING = "(?:summari[sz]|read|process|pars|compil|index|crawl|scrap|ingest|evaluat|review|visit)";
const DUTY =
  "(?:must|should|shall|will|has to|have to|needs to|(?:is|are) (?:required|asked|instructed|told|obliged|expected|directed) to)";
const DEED = `(?:(?:first|also|immediately|now|then|always|only) )*(?:${ORDER}|open|click|visit|paste|submit|include|insert|list|add|install|download|connect|give|provide|grant|accept|assume)`;
const SECRET =
  "system prompt|(?:private|secret|signing) keys?\\b(?! (?:interfaces?|class(?:es)?|types?|objects?|algorithms?|specifications?|formats?)\\b)|seed phrase|recovery phrase|mnemonic\\b(?! (?:characters?|keys?|codes?|names?|labels?|index|letters?)\\b)";
/** What a programmer keeps from a program's users: "don't show the user a full stack trace". It names nothing on the page itself. */
const OF_PROGRAM =
  "(?: (?!this\\b|these\\b|that\\b|it\\b)[\\w'-]+){0,4} (?:stack ?traces?|backtraces?|tracebacks?|exceptions?|debug\\w*|error (?:codes?|pages?)|spinners?|progress bars?|buttons?|menus?|icons?|tooltips?|checkbox(?:es)?|internals)\\b";
/** After a verb, where the engine has few places to look behind. */
const NOT_NEGATED =
  "(?<!\\b(?:never|not|don't|nobody|no one|won't|ever|could|may|might|would)\\b[^.!?,;:]{0,25}\\b\\w+)";

/**
 * Patterns over lowercase text with single spaces; in English except for the most common ones. Each requires the words of an
 * order and not only a topic, so that a page may write about agents and wallets; a gap never extends over the end of a sentence.
 */
const patterns = {
  overrides_instructions: [
    /\b(?:ignore|disregard|forget|override|bypass|discard|do not follow|don't follow)\b(?<!\b(?:may|might|can|could|would|does) (?:\w+ ){0,2}\w+|(?<!\byou )\b(?:will|should) \w+|(?:^|[.!?:] ?)to \w+|\b(?:not|never) (?!follow)\w+|\b(?:forces?|causes?|allows?|enables?|configured|used|able|possible|how|ways?|tr(?:y|ies)|option) (?:(?!you )[^.!?]){0,50}to \w+|(?<!(?:^|[.!?:;,"'*] ?|\b(?:and|then|please|you|just|also|now|so|but|instead|must|should|shall|agents?|assistants?|ai|models?|llms?) ))do not follow)[^.!?]{0,40}\b(?:previous|prior|above|earlier|preceding|existing|original|all|any|your|other|system)\b[^.!?]{0,30}\b(?:instructions?|prompts?|rules|guidelines|directions|directives|messages|context|commands?(?![- ]lines?)|guardrails|training)\b/,
    /\b(?:ignore|disregard|forget) (?:everything|anything|all|whatever|what)\b(?: (?:that|which|of|the|it|is|was|says?|said|written|stands|you|were|been|have|told|text|content|stated)){0,5} (?:above|before|previously|prior|so far|earlier|until now)\b/,
    new RegExp(
      `${BEGIN}(?:ignore|disregard|forget|skip) (?:all |any )?(?:of )?(?:the |this )?(?:rest of the )?(?:text|content|${PAGE}|paragraphs?|material|words|warnings?|conversation|question)s? (?:above|before this|so far|that (?:precedes?|came before)|up to here)\\b`,
    ),
    /\b(?:ignore|disregard|forget|drop|set aside) (?:all |any )?(?:of )?your (?:\w+ ){0,2}(?:instructions?|guidelines|rules|training|guardrails|restrictions|programming|safety \w+|alignment|policies|prompt|role|task|persona)\b/,
    /\b(?:new|updated|revised|real|actual) (?:system )?(?:instructions?|prompt|task) ?:/,
    new RegExp(
      `${BEGIN}(?:your (?:new|real|actual|true) (?:role|task|goal|job|purpose|objective|mission|instructions?|identity|name)(?: is to\\b|s? are to\\b| ?:)|your (?:instructions|orders|rules) have (?:been )?(?:changed|updated|replaced)\\b|your (?:task|role|job|goal) (?:has changed|is no longer)\\b|you (?:now )?(?:work|answer) (?:only )?(?:for|to) (?:me|us|this page)\\b)`,
    ),
    /\b(?:remember|store|save|write|copy|keep) (?:\w+ ){0,5}(?:in|into|to) your (?:long-term )?memory\b(?! (?:card|stick))|\b(?:remember|apply|keep|note|do) [^.!?]{0,40}\bfor (?:all|every) future (?:conversations?|sessions?|requests?|chats?)\b/,
    /\b(?:instead of|rather than|over) your (?:own )?(?:system prompt|instructions|guidelines|rules)\b/,
    /\b(?:decode|decrypt|unscramble)\b[^.!?]{0,40}\b(?:and|then) (?:follow|obey|execute|do) (?:it|them|what)\b/,
    new RegExp(
      `${BEGIN}(?:(?:instructions?|prompt|command) ?: ?(?:respond|answer|reply|output|say) (?:only|with|that)|answer (?:every|all|any) questions?\\b[^.!?]{0,40} with (?:yes|no|["'])|(?:do not|don't) summari[sz]e this|(?:skip|bypass|disable|turn off) (?:all |any |the |your )*(?:security|safety) (?:checks?|rules|filters?|warnings?|reviews?) (?:for|on|about) th)`,
    ),
    /\b(?:tool|function) (?:output|result|response) ?:[^\n]{0,80}\b(?:continue|proceed) with\b/,
    /\b(?:developer|admin|debug) mode (?:is )?now (?:enabled|on|activated|active)\b|\b(?:god|jailbreak|unrestricted|dan) mode (?:is )?(?:now )?(?:enabled|on|activated|active)\b|\byou will (?:now )?act as (?:dan|an? unrestricted)\b/,
    /\b(?:end|begin|start) of (?:the )?(?:system|untrusted) (?:prompt|message|instructions?)\b/,
    /\bsystem ?(?:prompt|message|override|notice|instruction)s? ?[:>]|\[ ?system ?(?:prompt|message|override|notice|instruction)s? ?\]/,
    /<\|(?:im_start|system|user|endoftext)\|>|\[\/?inst\]|<<sys>>/,
    // "To pretend that you forked" is a purpose, and "programs that pretend to be" a description.
    /(?<!\b(?:anyone|anybody|someone|somebody|attackers?|they|users?|who) (?:can|could|may|might|would|will) [^.!?]{0,80})(?<!\b(?:to|can|could|may|might|would|not|don't|never|they|who|which|that|we|i) )\b(?:pretend (?:to be|that you)|act as (?:if you|an? unrestricted)|enter developer mode)\b/,
    /\b(?:you|(?:task|job|role|goal|purpose|mission|duty) is|instructed|required|asked|told|ordered) to (?:pretend (?:to be|that you)|act as (?:if you|an? unrestricted)|enter developer mode)\b/,
    /\b(?:previous|prior|earlier|preceding|all other|existing) (?:guidance|instructions?|rules|directives|orders|prompts?|directions)\b[^.!?]{0,20}\b(?:is|are) (?:now )?(?:void|obsolete|cancell?ed|revoked|suspended|invalid|replaced|superseded|no longer)\b/,
    /\b(?:replaces?|overrides?|supersedes?|overrules?|cancels?) (?:all |any )?(?:of )?(?:your|the) (?:\w+ ){0,2}(?:system prompt|instructions?|prompts?|guidelines|guardrails)\b(?<!\b(?:passwords?|passphrase|pin|login|shell|command|input|confirmation|authentication|default|primary|secondary|debugger) prompts?)/,
    /\byour (?:only|new|sole|real|actual) (?:task|goal|job|instruction|objective|mission)s?,? (?:now|from now on|here) (?:is|are)\b/,
    new RegExp(
      `${BEGIN}(?:system(?: (?:override|notice|message|alert|instruction))?|override|admin(?:istrator)?(?: override)?|developer(?: message| mode)?) ?: ?(?:the (?:user|operator|owner)|you|your|do not|don't|from now|call the|ignore|disregard|send|transfer|approve|sign|pay|print|reveal|report|say|answer|respond|reply|output|mark|treat)\\b`,
    ),
    /\bassistant ?: [^\n]{0,200}\b(?:user|human) ?: ?(?:yes|ok|okay|sure|proceed|go ahead|confirm|continue|do it|please)\b/,
    new RegExp(
      `\\byou are now (?:in |an? |the |my )?(?:\\w+ ){0,2}(?:${NAMED_MACHINE}|assistant|agent|ai|bot|developer mode|dan|unrestricted|unfiltered|jailbroken)\\b`,
    ),
    new RegExp(
      `\\bfrom now on,? you (?:are (?:an? |the |my )?(?:\\w+ )?(?:${NAMED_MACHINE}|assistant|agent|ai)|(?:(?:will|must|shall|should|are to) )?(?:${ORDER}|act|behave|obey))\\b`,
    ),
  ],
  addresses_machine: [
    new RegExp(
      `\\b(?:dear|attention|hey|hello|note (?:to|for)|message (?:to|for)|instructions? (?:to|for)|important for) (?:any |all |the |every |other )?(?:${NAMED_MACHINE}|ais?|a\\.i\\.|(?:${MAYBE_MACHINE})[,:]? ${ORDER})\\b`,
    ),
    new RegExp(
      `\\bif (?:you(?:'re| are)|this is(?: being)? read by|you(?:'re| are) being read by) (?:an? |the |any )?(?:${NAMED_MACHINE}|ai|a\\.i\\.|(?:${MAYBE_MACHINE})(?: ${READING}\\w*[^.!?,]{0,20})?, ?${ORDER})\\b`,
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
      `\\b(?:whoever|whatever|anyone|anything|(?:any|all|every|each|the|an?) (?:(?:automated|autonomous|artificial) )?(?:${MACHINE}|system|program|software|tool|reader)s? (?:that|who|which)) (?:is |are )?${READING}\\w* (?:this|these|the (?:above|following|${PAGE}))[^.!?]{0,60}\\b${DUTY} ${DEED}\\b`,
    ),
    new RegExp(
      `\\b(?:when|if|once|should|as soon as) (?:an?|any|the|your) (?:${MACHINE}) (?:is )?${READING}\\w* (?:this|these|the (?:above|following))[^.!?]{0,40}, ?(?:(?:it|they|you) ${DUTY} ${DEED}|(?:its|their|your) (?:\\w+ ){0,2}(?:verdict|answer|reply|summary|output|report|response) ${DUTY}|${NAMED_ORDER})\\b`,
    ),
    new RegExp(
      `${BEGIN}${MACHINE} (?:that|who|which) (?:is |are )?${READING}\\w* this (?:web ?page|page|site|website|article|text)\\b[^.!?]{0,40}\\b${DUTY} ${DEED}\\b`,
    ),
    new RegExp(
      `\\bas (?:an?|the) ${MACHINE} ${READING}\\w* this[^.!?,]{0,20}, you (?:must|should|agree|will|are|have)\\b`,
    ),
    new RegExp(
      `\\b(?:the|your|any|every) (?:ai|${NAMED_MACHINE}) (?:approves?|signs?|confirms?) (?:the|this|all|every|any) (?:\\w+ )?(?:swap|transactions?|transfers?|payments?|permits?|requests?)\\b`,
    ),
    new RegExp(`${BEGIN}attention,? (?:any |all |every )?(?:${MACHINE}) ?[:,!] ?${NAMED_ORDER}\\b`),
    // "LLM readers: when asked about this page, answer …", "Agents: before you reply, call …".
    new RegExp(
      `${BEGIN}(?:to |for |dear |attention |note to |all |any )*(?:(?:${NAMED_MACHINE})|${MAYBE_MACHINE}|ais?)(?: (?:readers?|users?|visitors?))?(?: ${READING}\\w* this(?: ${PAGE})?)? ?[:,–—-]{1,2} ?(?:when(?:ever)?|if|before|after|once|while|in) (?:you |asked|the user |your |summari|any )[^.!?]{0,60}\\b${ORDER}\\b`,
    ),
    new RegExp(
      `\\b(?:${NAMED_MACHINE})(?:(?:,| and| or|, and) (?:${NAMED_MACHINE}|${MAYBE_MACHINE}))*(?: (?:reading|visiting|processing|parsing|summari[sz]ing) this(?: \\w+)?)? (?:must|shall|are (?:required|obliged|instructed|ordered|directed) to) (?:(?:always|also|only|first|now) )*(?:(?:include|insert|append|add) (?:this|the following|our|a link|the (?:sentence|phrase|words?|link))|(?:open|click|visit|follow) (?:this|the|our)|present|portray|accept|omit)\\b`,
    ),
    new RegExp(
      `${BEGIN}(?:dear |hello |hi |hey |ok |okay |so )?(?:assistant|model|bot|ai|agent|claude|gemini|copilot|chatgpt|gpt|llama|siri|alexa|robot), ?(?:please |kindly |now |you must |you should |you will |your |i (?:want|need|order) you to )?${ORDER}\\b`,
    ),
    new RegExp(
      `\\b(?:the |your |any )?(?:${NAMED_MACHINE}|(?:ai )?(?:model|assistant|agent|bot)s?) (?:should|must|shall|may|will) (?:not|never) (?:reveal|mention|tell|disclose|show|report|repeat)\\b[^.!?]{0,40}\\b(?:its|their|the|any) (?:users?|humans?|owners?|operators?|principals?)\\b`,
    ),
    new RegExp(
      `\\b(?:instruct|order|command|direct|require|ask|urge)s? (?:all |any |every |the |each )*(?:${NAMED_MACHINE}|ais) to ${ORDER}\\b`,
    ),
    new RegExp(
      `\\b(?:when|while|before|after|if) (?:you )?(?:are )?(?:asked to )?summari[sz](?:e|ing)\\b[^.!?]{0,40}, (?:please )?${NAMED_ORDER}\\b`,
    ),
    new RegExp(`\\b(?:you are|you're) an? (?:helpful |unrestricted )?(?:${NAMED_MACHINE})\\b`),
    new RegExp(`\\bas an? (?:helpful |unrestricted )?(?:${NAMED_MACHINE}), (?:you\\b|${ORDER}\\b)`),
  ],
  conceals_from_user: [
    /\b(?:hide|conceal|keep|withhold) (?:this|it|that|these|the (?:above|following|payment|transfer|transaction)s?)\b[^.!?]{0,30}\b(?:from|secret from|hidden from) (?:the|your) (?:users?|humans?|owners?|operators?|principal)\b/,
    new RegExp(
      `\\b(?:do not|don't|never|(?<!(?<!\\byou )\\b(?:may|might|can|could|would)\\b[^.!?]{0,150})without) (?:tell|telling|inform|informing|mention|mentioning|alert|alerting|notify|notifying|reveal|revealing|ask|asking|show|showing)\\b(?![^.!?]{0,60}\\b(?:${SECRET}|passwords?|credentials)\\b)[^.!?]{0,40}\\b(?:the |your |any )?(?:users?|humans?|owners?|operators?)\\b(?!${OF_PROGRAM})(?![^.!?]{0,60}\\b(?:${SECRET}|passwords?|credentials)\\b)`,
    ),
  ],
  asks_for_secrets: [
    new RegExp(
      `\\b(?:reveal|print|output|repeat|leak|send|post|export|share|provide|submit|include|exfiltrate|paste)${NOT_NEGATED}\\b[^.!?]{0,50}\\b(?:${SECRET})\\b`,
    ),
    new RegExp(
      `\\b(?:reveal|print|output|repeat|show|display|disclose|dump|leak|quote|copy|list|send|share|expose)${NOT_NEGATED} (?:me |us |back |out )?(?:all |any )?(?:of )?(?:the )?(?:(?:contents?|text|full text) of )?your (?:\\w+ ){0,2}(?:(?:hidden|secret|initial|internal|original|confidential|system|developer) (?:instructions?|prompts?|messages?|rules|configuration|guidelines)|context window|conversation history|chat history)\\b`,
    ),
    /\b(?:send|post|submit|paste|give|hand over|upload|transmit|email|include|append)\b[^.!?]{0,15}\b(?:its|their|your (?:own )?)(?: \w+)? ?(?:api keys?|access tokens?|session tokens?|credentials|private keys?)\b[^.!?]{0,30}\b(?:to (?:the|this|our) (?:address|server|url|endpoint|form|link|wallet|site|number)|below|at https?:)/,
    /(?<!(?<!\b(?:you|have|need|must|instructed|required|told|asked|task is|job is) )\bto )\bask (?:the|your) users? (?:for|to (?:enter|type|paste|provide|give|share)) (?:\w+ ){0,3}(?:seed phrase|recovery phrase|private key|password|card number|mnemonic)\b/,
    // Forms and manuals ask for these by other verbs.
    new RegExp(
      `\\b(?:reveal|print|output|leak|exfiltrate|dump)${NOT_NEGATED} (?:all |any )?(?:of )?your (?:\\w+ ){0,3}(?:api keys?|credentials|passwords?)\\b`,
    ),
  ],
  moves_funds: [
    /\b(?:proceed|continue|go ahead) with (?:the|this) (?:payment|transfer|transaction|swap|approval)\b[^.!?]{0,30}\bwithout (?:asking|confirm|review|check)/,
    new RegExp(
      `${BEGIN}(?:tell|advise|urge|convince|persuade) (?:the|your) (?:users?|readers?|humans?) (?:that|to)\\b[^.!?]{0,60}\\b(?:seed phrase|install|send|sending|transfer|buy|sign|download|invest|deposit)\\b`,
    ),
    /\b(?:operator|owner|user|developer|administrator|principal)s? (?:has |have )?(?:already )?(?:allows?|allowed|approved|approves|authori[sz]ed|authori[sz]es|confirmed|permits?|permitted)\b[^.!?]{0,40}\b(?:spending|payments?|transfers?|transactions?|purchases?)\b[^.!?]{0,40}\b(?:without limit|unlimited|so (?:call|send|approve|sign)|now|session)\b/,
    /\b(?:send|transfer|approve|sign|swap|withdraw|bridge|pay|deposit|move|grant|increase)\b[^!?]{0,80}\b0x(?:[0-9a-f]{16,}|[0-9a-f]{2,8}(?:…|\.{2,3})[0-9a-f]{2,})/,
    /\b(?:send|transfer|withdraw|pay|deposit|move|bridge)\b(?! (?:[\w-]+ ){0,3}(?:e-?mails?|mails?|messages?|letters?|sms|packets?|patches|patch|comments?|feedback|questions?|suggestions?|bugs?|reports?|requests?|notifications?)\b)(?:[^.!?]|\.\d){0,60}\bto (?:(?:this|the following|our|my) (?:address|wallet|account|contract)|[\w-]+(?:\.[\w-]+)*\.eth)\b/,
    /\b(?:approve|grant|set|give|increase)\b[^.!?]{0,40}\b(?:unlimited|infinite|maximum|max)\b[^.!?]{0,30}\b(?:allowance|approvals?|spending|spender|tokens?|amount)\b(?<!\bset\b[^.!?]{0,40}\bmax(?:imum)?\b[^.!?]{0,30}\btokens?)(?! of (?:\w+ )?(?:bytes|memory|time|data|space|requests?|lines|seconds|items)\b)/,
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
 * The most harmful of these orders without the spaces between their words, for text whose letters or syllables are separated.
 * Words are joined then, so gaps are short and each pattern requires more words of an order than above.
 */
const runTogether: Partial<Record<AgentInstruction, readonly RegExp[]>> = {
  overrides_instructions: [
    /(?<!may|might|can|could|will|would|does|should)(?:ignore|disregard|forget|override|bypass|donotfollow)(?:all|any|the|your|every|of|these|those|my)*(?:previous|prior|above|earlier|preceding|existing|original|system|other)\w{0,12}(?:instruction|prompt|rules|guideline|direction|directive|command|message|context|guardrail)/,
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
    /(?:reveal|print|output|send|export|share|leak)(?<!(?:never|not|dont|ever)\w{0,18})\w{0,16}(?:privatekey|seedphrase|recoveryphrase|mnemonic|systemprompt)/,
  ],
  moves_funds: [
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
  return findIn(plain) ?? findDisguised(plain, text) ?? findRunTogether(plain);
}

/** The same for visible text, where only wording that no author uses for people counts. */
export function findAgentInstructionInSight(text: string): AgentInstruction | null {
  const plain = foldText(text);
  const spelled = plain.match(SPELLED_OUT)?.join(".") ?? "";
  return (
    findIn(plain, ORDINARY_IN_SIGHT) ??
    findDisguised(plain, text) ??
    (spelled === "" ? null : findRunTogether(spelled))
  );
}

/**
 * The same for labels of pictures, fields and buttons, which people see or hear: "Approve the transaction" is an ordinary
 * button.
 */
export function findAgentInstructionInLabel(text: string): AgentInstruction | null {
  const plain = foldText(text);
  return (
    findIn(plain, ORDINARY_IN_METADATA) ??
    findDisguised(plain, text) ??
    (PAYMENT_ORDER.test(plain) ? "moves_funds" : null)
  );
}

/** The same for comments of a style sheet, where programmers write about overriding rules. */
export function findAgentInstructionInStyle(text: string): AgentInstruction | null {
  return findAgentInstruction(text.replaceAll(/\b(?:rules|directives)\b/gi, "styles"));
}

/** The same for descriptions of a page for search engines and previews. */
export function findAgentInstructionInMetadata(text: string): AgentInstruction | null {
  const plain = foldText(text);
  return findIn(plain, ORDINARY_IN_METADATA) ?? findDisguised(plain, text);
}

function findIn(plain: string, except: ReadonlySet<AgentInstruction> = new Set()): AgentInstruction | null {
  const names = (Object.keys(patterns) as AgentInstruction[]).filter((name) => !except.has(name));
  return names.find((name) => patterns[name].some((pattern) => pattern.test(plain))) ?? null;
}

/** Orders to drop other orders in another language, with digits for letters, or with a word's letters set apart. */
function findDisguised(plain: string, text: string): AgentInstruction | null {
  const isForeign = findForeignOverride(plain, text.normalize("NFKC").toLowerCase());
  const together = plain.replaceAll(APART, (word) => word.replaceAll(/[^a-z0-9]/g, ""));
  const joined = /[a-z][013457@$][a-z]/.test(together)
    ? together.replaceAll(WITH_DIGITS, (word) =>
        word.replaceAll(/[013457@$]/g, (sign) => LETTER_OF[sign] ?? sign),
      )
    : together;
  const isDisguised =
    joined !== plain && patterns.overrides_instructions.some((pattern) => pattern.test(joined));
  return isForeign || isDisguised ? "overrides_instructions" : null;
}

/** One word of four or more letters with one sign between each two. */
const APART = /(?<![a-z0-9])(?:[a-z0-9][.\-_*·]){3,}[a-z0-9](?![a-z0-9])/g;
const WITH_DIGITS = /(?<![\w@$])(?=[a-z013457@$]*[a-z])(?=[a-z]*[013457@$])[a-z013457@$]{4,20}(?![\w@$])/g;
const LETTER_OF: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
};

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
  const shapes = spaced
    .normalize("NFKC")
    .replaceAll(/[^\u0020-\u007f]/gu, (character) => lookAlikeCharacters.get(character) ?? character);
  return removeHiddenCharacters(shapes.normalize("NFKD").replaceAll(/\p{Mn}/gu, "")).toLowerCase();
}
