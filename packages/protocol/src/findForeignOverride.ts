/** How a language orders a reader to drop earlier orders: the order, which of its orders, and what they are called. */
interface Override {
  readonly verbs: string;
  readonly which: string;
  readonly orders: string;
}

/**
 * One line for each language, as beginnings of words in lower case and without the diacritics of Latin letters. The three
 * stand in one sentence, in any order, because languages differ in it.
 */
const LATIN: readonly Override[] = [
  {
    verbs: "ignore[zr]?|oublie[zr]?",
    which: "precedent|anterieur|ci-dessus|tout|tes\\b|vos\\b",
    orders: "instruction|consigne|directive|regle|ordre",
  }, // French
  {
    verbs: "ignorier|vergiss|vergesst|vergessen sie|missacht",
    which: "vorherig|vorhergehend|bisherig|vorig|obig|fruher|vorangegangen|alle|samtlich|deine",
    orders: "anweisung|instruktion|befehl|vorgabe|regel|anordnung",
  }, // German
  {
    verbs: "ignor(?:a|e|en|ad|ar)|olvid(?:a|e|en|ad|ar)|descart(?:a|e)",
    which: "anterior|previ|de arriba|toda|tus\\b",
    orders: "instruccion|indicacion|orden|regla|directri",
  }, // Spanish
  {
    verbs: "ignor(?:a|ate|are|i)|dimentica",
    which: "precedent|sopra|tutt|tue\\b|tuoi",
    orders: "istruzion|indicazion|regol|ordin",
  }, // Italian
  {
    verbs: "ignor(?:e|a|em|ar)|esquec|desconsider",
    which: "anterior|previ|acima|toda|suas|tuas",
    orders: "instrucoes|instrucao|orientac|regra|ordens",
  }, // Portuguese
  {
    verbs: "negeer|vergeet",
    which: "vorige|eerdere|voorgaande|bovenstaande|alle",
    orders: "instructie|opdracht|regel|aanwijzing",
  }, // Dutch
  {
    verbs: "zignoruj|zapomnij|pomin",
    which: "poprzedni|wczesniej|wszystk",
    orders: "instrukcj|polece|regul|zasad",
  }, // Polish
  {
    verbs: "ignorera|ignorer|glom|glem|bortse",
    which: "tidigare|tidligere|foregaende|alla|alle",
    orders: "instruktion|instruks|instruksjon|regel|regler",
  }, // Swedish, Danish, Norwegian
  {
    verbs: "ignoruj|zapomen|zabudn",
    which: "predchoz|predosl|vsechn|vsetk",
    orders: "pokyn|instrukc|pravid|prikaz",
  }, // Czech, Slovak
  {
    verbs: "yok say|gormezden gel|unut|dikkate alma",
    which: "onceki|yukaridaki|tum|butun",
    orders: "talimat|komut|kural|yonerge",
  }, // Turkish
  {
    verbs: "abaikan|lupakan",
    which: "sebelumnya|di atas|semua|terdahulu",
    orders: "instruksi|perintah|arahan|aturan",
  }, // Indonesian, Malay
  {
    verbs: "ignora(?:ti)?|uita(?:ti)?",
    which: "anterioar|preceden|de mai sus|toate",
    orders: "instructiun|reguli|indicati",
  }, // Romanian
  {
    verbs: "hagyd figyelmen kivul|felejtsd el",
    which: "korabbi|elozo|fenti|osszes",
    orders: "utasitas|szabaly",
  }, // Hungarian
  { verbs: "ohita|unohda", which: "aiemm|edellis|kaikki", orders: "ohje|kasky|saannot" }, // Finnish
  { verbs: "bo qua|quen", which: "truoc|ben tren|tat ca", orders: "huong dan|chi dan|lenh|chi thi" }, // Vietnamese
];

const OTHER: readonly Override[] = [
  {
    verbs: "игнориру|проигнориру|забуд|не обращай внимания",
    which: "предыдущ|прежн|выше|все|ранее",
    orders: "инструкци|указани|команд|правил|распоряжени",
  }, // Russian
  {
    verbs: "ігноруй|проігноруй|забуд",
    which: "попередн|вище|усі|всі",
    orders: "інструкці|вказівк|команд|правил",
  }, // Ukrainian
  { verbs: "игнорирай|забрави", which: "предишн|горн|всички", orders: "инструкци|указани|правил" }, // Bulgarian
  {
    verbs: "αγνοησ|αγνόησ|ξεχασ|ξέχασ",
    which: "προηγουμεν|προηγούμεν|παραπανω|παραπάνω|ολεσ|όλες",
    orders: "οδηγι|οδηγί|εντολ|κανον|κανόν",
  }, // Greek
  { verbs: "تجاهل|انس", which: "السابق|أعلاه|جميع|كل", orders: "التعليمات|الأوامر|الإرشادات|تعليمات|أوامر" }, // Arabic
  { verbs: "نادیده|فراموش", which: "قبلی|پیشین|بالا|تمام|همه", orders: "دستور|دستورالعمل|قوانین" }, // Persian
  { verbs: "התעלם|התעלמו|שכח", which: "הקודמ|לעיל|כל", orders: "הוראות|ההוראות|הנחיות|ההנחיות" }, // Hebrew
  { verbs: "अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल जा", which: "पिछल|पहले|ऊपर|सभी", orders: "निर्देश|आदेश|नियम" }, // Hindi
  {
    verbs: "無視|忘れ",
    which: "以前|これまで|上記|前の|今まで|すべて|全て",
    orders: "指示|命令|プロンプト|ルール|設定",
  }, // Japanese
  {
    verbs: "忽略|无视|無視|忘记|忘記|不要理会|不要理會|忽視",
    which: "之前|以上|先前|前面|上述|此前|所有|以前",
    orders: "指令|指示|提示|命令|说明|說明|规则|規則",
  }, // Chinese
  { verbs: "무시|잊어|잊고", which: "이전|위의|앞의|모든|지금까지", orders: "지시|명령|지침|프롬프트|규칙" }, // Korean
  { verbs: "เพิกเฉย|ละเว้น|ไม่ต้องสนใจ|ลืม", which: "ก่อนหน้า|ด้านบน|ทั้งหมด", orders: "คำสั่ง|คำแนะนำ|กฎ" }, // Thai
];

/** The longest stretch that the three parts may take. */
const MAX_STRETCH = 90;
const SENTENCE_END = /[.!?。！？؟।\n]/;

const compile = (list: readonly Override[], edge: string) =>
  list.map(({ verbs, which, orders }) => ({
    verbs: new RegExp(`${edge}(?:${verbs})`, "g"),
    which: new RegExp(`${edge}(?:${which})`),
    orders: new RegExp(`${edge}(?:${orders})`),
  }));

const LATIN_PATTERNS = compile(LATIN, "\\b");
// `\b` knows Latin letters alone, and several of these scripts put no spaces between words.
const OTHER_PATTERNS = compile(OTHER, "");

/**
 * Whether a text tells its reader in a language other than English to drop earlier orders.
 *
 * @param folded - the text in lower case, without diacritics and look-alike letters
 * @param lower - the text in lower case as it is written
 */
export function findForeignOverride(folded: string, lower: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what is plain ASCII is in no other script
  const isAscii = /^[\x00-\x7f]*$/.test(lower);
  return holds(LATIN_PATTERNS, folded) || (!isAscii && holds(OTHER_PATTERNS, lower));
}

function holds(patterns: ReturnType<typeof compile>, text: string): boolean {
  return patterns.some(({ verbs, which, orders }) =>
    [...text.matchAll(verbs)].some(({ index }) => {
      const sentence = sentenceAround(text, index);
      return which.test(sentence) && orders.test(sentence);
    }),
  );
}

function sentenceAround(text: string, at: number): string {
  const before = text.slice(Math.max(at - MAX_STRETCH, 0), at);
  const after = text.slice(at, at + MAX_STRETCH);
  return `${before.split(SENTENCE_END).at(-1) ?? ""}${after.split(SENTENCE_END)[0] ?? ""}`;
}
