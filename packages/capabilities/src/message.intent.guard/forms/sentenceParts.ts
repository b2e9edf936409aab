/**
 * What honest texts to sign say, as parts that have a meaning of their own. Single words would not do: "owner", "wallet", "you"
 * and "is" occur in every login, and in a text that gives the wallet away.
 */

/** What a signer is said to own. */
const owned = (whose: string) =>
  `(?:(?:the|this|that|${whose}|a|an|own|following|given|connected|current|public|ethereum|eth|evm|base|web3|crypto) )*(?:wallet address|account address|ethereum address|wallets?|accounts?|address(?:es)?|identity)(?: (?:above|below|(?:that )?(?:you are|you're|i am|i'm) connecting))?`;
const OWNED = owned("your|my");
/** Where one logs in. A name stands only behind what says that a service is meant. */
const PLACE =
  "(?:(?:the|our|this|your|my) )*(?:name (?:app|application|platform|website|service|community|marketplace|server)|name|site|app|application|platform|website|web3|dapp|dashboard|marketplace|market|exchange|community|service|game|portal|server|account|profile|page)";
const IN_PLACE = `(?:(?: (?:to|at|with|on|into|in|via|using))+ (?:${PLACE}|ethereum|base|(?:(?:your|my|ethereum|web3) )*wallet)){0,2}`;
const TEXT_NAMED =
  "(?:(?:the|this|that|your|my|a|an|following|short|simple|unique|random|free|off-chain|offchain|personal|plain) )*(?:message|request|signature|text|statement|challenge|nonce)";
const OWNERSHIP = `(?:(?:the|your|my) )?(?:address |wallet |account )?(?:ownership|owner|possession|control)(?: (?:of|over) ${OWNED})?`;
const TITLE = "(?:(?:indeed|really|truly|the|rightful|sole|legal|true|real|current) )*";
/** Whose it is that signs. The two voices never mix: "my wallet is yours" is no claim. */
const claimOf = (subject: string, be: string, whose: string) =>
  `(?:${subject}(?:'${be.slice(-2)}|'m| ${be}) ${TITLE}(?:owners?|holder|controller|owner/creator) of ${owned(whose)}|${subject} (?:really |truly |indeed )?(?:own|control|have access to|have control of|have control over) ${owned(whose)})`;
const MY_CLAIM = claimOf("i", "am", "my");
const YOUR_CLAIM = claimOf("you", "are", "your");
const HUMAN = "(?:i am|i'm|you are|you're) (?:a |an )?(?:human|real person|unique human)";
const PROVE =
  "(?:(?:to |let us |help us |you are |you're |i am |i'm |i |hereby )*(?:verify|verifying|verifies|verification of|confirm|confirming|confirms|prove|proves|proving|proof of|validate|validating|attest|attests|authenticate|authenticating|demonstrate|be sure|know|proved)(?: (?:to us|here))?(?: that)?)";
const PROVED = `(?:${MY_CLAIM}|${YOUR_CLAIM}|${OWNERSHIP}|${HUMAN}|(?:your|my|the|this) (?:login|sign[ -]?in|session)|(?:that )?it(?:'s| is) (?:really )?(?:you|me)|who (?:you are|i am)|${OWNED})`;
const DOCUMENT =
  "(?:(?:the|our|your|its|these|all|name|site|name's|site's) )*(?:terms (?:of|and|&) (?:service|use|conditions)|terms|conditions|tos|privacy (?:policy|notice)|cookie (?:policy|notice)|policy|policies|user agreement|community (?:rules|guidelines)|(?:market |fair |safe )?rules|guidelines|code of conduct|disclaimer)(?: (?:of|at|on|for) (?:the )?(?:name|site|service|platform|market|website|app))?";
const TIME = "(?:num|one|an?|the)(?: (?:seconds?|minutes?|hours?|days?|weeks?))?";

const whole = (pattern: string): RegExp => new RegExp(`(?<![\\w·'-])(?:${pattern})(?![\\w·'-])`, "g");

/** In the order in which they are found: what holds other parts comes first. */
export const PARTS: readonly RegExp[] = [
  // Sentences of sign-in services, whole.
  "signing is the only way we can truly know that you are the owner of the wallet you are connecting",
  "please ensure that the domain above matches the url of the current website",
  "here's a unique message id they can't guess|to stop hackers using your wallet",
  "this is a unique and random value that proves that you own this wallet",
  `(?:your|the) (?:authentication status|session|login) will (?:reset|expire|end) (?:after|in|on|at) ${TIME}`,
  "allow(?:s|ing)? (?:this |the |our )?(?:site|service|app|name) to (?:read|see|view|verify) your (?:public )?(?:profile|address|identity|wallet address)",
  "authori[sz](?:e|es|ing) (?:the |this |your |my )?(?:login|log ?in|sign[ -]?in|authentication)(?: to name)?",
  "no (?:password|e-?mail) (?:is )?(?:needed|required|necessary)",
  "(?:will )?costs? (?:you )?(?:0|zero|no|nothing)(?: (?:gas|fees?|ether|eth))*",
  // Consent to documents, and to nothing else.
  `(?:(?:i|you) (?:confirm|acknowledge|certify|declare) that )?(?:(?:i|you|we) )?(?:am |are |hereby |have |also )*(?:(?:read|understood|reviewed)(?: and)? )*(?:agree|agreed|agreeing|agrees|accept|accepted|accepting|accepts|acknowledge|consent|have read)(?: to| with)? ${DOCUMENT}(?:(?: and| or| &| as well as) ${DOCUMENT})*`,
  `(?:i am|i'm|you are|you're) (?:at least|over) num years (?:old|of age)`,
  // Votes on a proposal that has a number.
  "(?:i|my)(?: hereby)? votes?(?: (?:is|yes|no|for|against|abstain|on|in favou?r of))* (?:the )?proposal num(?: (?:of|by) (?:the )?(?:community|name|site|dao))?(?: (?:yes|no|for|against|abstain))?",
  // Proof of who signs.
  `${PROVE} ${PROVED}(?:(?: and| or) (?:${OWNERSHIP}|${OWNED}))?(?: (?:with|at|on|to) (?:name|site))?`,
  `${TEXT_NAMED} (?:attests|proves|confirms|verifies|shows)(?: that)? ${PROVED}`,
  MY_CLAIM,
  `(?:i am|i'm) (?:a |an )?(?:human|real person|unique human)`,
  "(?:a )?one-time (?:code|nonce|password) num",
  "(?:nonce|challenge|code|id|request id|message id|session id|timestamp|date|time|chain id|version) num",
  // Logging in.
  "(?:complete|completing|finish|finishing) (?:your |my |the )?(?:login|sign[ -]?in|authentication|verification)",
  "(?:we'll|we will|we|and) log you in",
  `(?:(?:name|site|i|you|we|it) )?(?:(?:am|are|want|wants|would like|wish|wishes|ask|asks|is asking|need|needs|have|'d like)(?: you)?(?: to)? )?(?:please |kindly )?(?:log|sign|logging|signing)[ -]?(?:in|up)${IN_PLACE}`,
  `(?:(?:i|you|we) (?:want|would like|wish|need) to )?login(?: request)?${IN_PLACE}`,
  `(?:authenticate|authenticating|authentication)(?: (?:yourself|myself|your session))?${IN_PLACE}`,
  `(?:connect|authenticate)(?:ing)?(?: ${OWNED})?(?: (?:to|with) ${PLACE})?`,
  `(?:create|start|begin|open)(?:ing)? (?:(?:a|your|the|new|secure) )*session`,
  `(?:continue|proceed|get started)${IN_PLACE}`,
  `(?:use|using) (?!(?:my|your) (?:account|profile))${PLACE}|(?:access|accessing|enter|entering|join|joining|visit|visiting|view|see|explore) (?:${PLACE}|(?:your|my) (?:public )?profile)`,
  "become (?:a )?member|membership|one-time",
  // What is signed.
  `(?:(?:i|you|we|name|site)(?: am| are| is|'m|'re|'ll| will| must)? )?(?:(?:want|wants|would like|wish|ask|asks|asking|need|needs|have)(?: you)? to )?(?:please |kindly |hereby |just )*(?:sign|signing|signed|signs)(?! ?[-]?(?:in|up)\\b)(?: ${TEXT_NAMED})?(?: (?:below|above|here|now))?(?: (?:with|in|from|using) ${OWNED})?`,
  "(?:click|press|tap)(?: (?:on|the|this|button|below|above|here))*",
  `${TEXT_NAMED} (?:is|will be|remains|was) (?:only |just |solely )*(?:valid|used|needed|required|requested|free|safe|secure|off-chain|offchain|gasless|gas-less)?(?: (?:for|until|in|by|once))*(?: ${TIME})?`,
  `(?:${TEXT_NAMED} )?(?:expires?|expiring)(?: (?:in|after|on|at|within))? ${TIME}`,
  `valid (?:for|until|within) ${TIME}`,
  "(?:it's|it is|this is|is|completely|totally) (?:only |just )*(?:free|safe|secure|off-chain|offchain|gasless|gas-less)",
  // Greetings.
  `welcome(?: back)?(?: to (?:${PLACE}|you))?|welcome,? you`,
  "(?:hello|hi|hey|gm|gn|good (?:morning|day|evening|afternoon)|dear)(?: (?:there|again|everyone|all|name))*(?: from (?:name|site|base))?",
  "(?:thanks|thank you|thank)(?: (?:you|for (?:using|joining|visiting|choosing) (?:name|site|us)))*|have a (?:good|nice|great|happy) day|happy day",
  "to our site",
].map(whole);

/** What may be left between the parts. None of these words says who does what to whom. */
export const FILLERS: ReadonlySet<string> = new Set(
  `· num site please kindly to and by the for in order so that it its is this will be on with hereby just simply then also a an of at
  via using now today here only once as or yes below above when within again first finally utc gmt ok okay message request signature
  purposes purpose security reasons`.split(/\s+/),
);

/** A login that speaks to its reader claims nothing in the first person. */
export const SPEAKS_TO_YOU = whole(
  `${PROVE} (?:${YOUR_CLAIM}|(?:that )?it(?:'s| is) (?:really )?you|who you are)`,
);
const FIRST = "(?<![\\w'-])(?:i|i'm|i'd|i'll|i've|my|me|mine|myself)(?![\\w-])";
export const SPEAKS_OF_ME = new RegExp(FIRST);
/** One says "I", and another one says "you": only documents may be the reader's. */
export const MIXES_VOICES = new RegExp(
  `^(?=.*${FIRST})(?=.*(?<![\\w'-])(?:you|you're|yours|your(?! (?:terms|privacy|policy|policies|rules|cookie|community|user agreement|tos)))(?![\\w-]))`,
);
