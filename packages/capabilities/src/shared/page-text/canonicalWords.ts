import { rephrase } from "./rephrase.js";

const UNITS: Readonly<Record<string, number>> = Object.fromEntries(
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
    .split(" ")
    .map((word, value) => [word, value]),
);
const TENS: Readonly<Record<string, number>> = Object.fromEntries(
  "twenty thirty forty fifty sixty seventy eighty ninety"
    .split(" ")
    .map((word, index) => [word, 20 + 10 * index]),
);
const SCALES: Readonly<Record<string, number>> = {
  hundred: 1e2,
  thousand: 1e3,
  million: 1e6,
  millions: 1e6,
  billion: 1e9,
  trillion: 1e12,
  mn: 1e6,
  mln: 1e6,
  bn: 1e9,
  tn: 1e12,
};

/** Units of measurement: the one they are turned into, and how many of it they are. */
const MEASURES: Readonly<Record<string, readonly [unit: string, factor: number]>> = Object.fromEntries(
  [
    "mm,millimetre,millimeter mm 1",
    "cm,centimetre,centimeter mm 10",
    "metre,meter mm 1000",
    "km,kilometre,kilometer mm 1000000",
    "mg,milligram,milligramme mg 1",
    "g,gram,gramme mg 1000",
    "kg,kilo,kilogram,kilogramme mg 1000000",
    "tonne mg 1000000000",
    "ml,millilitre,milliliter ml 1",
    "litre,liter ml 1000",
    "kw,kilowatt kw 1",
    "mw,megawatt kw 1000",
    "hr,hour hour 1",
    "min,minute minute 1",
    "sec,second second 1",
    "mile mile 1",
    "foot,feet,ft foot 1",
    "lb,pound pound 1",
  ].flatMap((line) => {
    const [names = "", unit = "", factor = ""] = line.split(" ");
    return names.split(",").flatMap((name) => {
      const entry = [unit, Number(factor)] as const;
      return [
        [name, entry],
        [`${name}s`, entry],
      ] as const;
    });
  }),
);
const FRACTIONS: Readonly<Record<string, number>> = {
  third: 3,
  thirds: 3,
  quarter: 4,
  quarters: 4,
  fifth: 5,
  fifths: 5,
};

/** Currencies by name, as signs. A pound is also a weight. */
const CURRENCIES: Readonly<Record<string, string>> = {
  euro: "€",
  euros: "€",
  eur: "€",
  dollar: "$",
  dollars: "$",
  usd: "$",
  yen: "¥",
};

/** Words with one notation for each number: "seven" is 7, "2.1 million" 2100000, "two thirds" 2/3, "45 percent" 45%. */
export function canonicalWords(spelled: readonly string[]): string[] {
  const words = rephrase(spelled);
  const found: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const [sign, length] = readBound(words, at);
    const read = readNumber(words, at + length);
    if (read === undefined) {
      found.push(words[at] ?? "");
      continue;
    }
    // "Rose by 5%" and "rose 5%" are one statement.
    if (found.at(-1) === "by" && read.text.endsWith("%")) found.pop();
    found.push(`${sign}${read.text}`);
    at += length + read.length - 1;
  }
  return found;
}

const BOUNDS: readonly (readonly [phrase: string, sign: string])[] = [
  ["at least", "≥"],
  ["no less than", "≥"],
  ["no fewer than", "≥"],
  ["more than", ">"],
  ["over", ">"],
  ["above", ">"],
  ["at most", "≤"],
  ["up to", "≤"],
  ["no more than", "≤"],
  ["fewer than", "<"],
  ["less than", "<"],
  ["under", "<"],
  ["below", "<"],
];

/** "At least 40" is not 40: a bound becomes part of the number behind it. */
function readBound(words: readonly string[], at: number): readonly [sign: string, length: number] {
  for (const [phrase, sign] of BOUNDS) {
    const own = phrase.split(" ");
    if (own.every((word, index) => words[at + index] === word)) return [sign, own.length];
  }
  return ["", 0];
}

function readNumber(words: readonly string[], at: number): { text: string; length: number } | undefined {
  const [word = "", next = "", third = ""] = words.slice(at, at + 3);
  const [, sign = "", digits] = /^(-?[$€£¥]?)(\d+(?:\.\d+)?)$/.exec(word) ?? [];
  const spelled = UNITS[word] ?? TENS[word];
  if (digits === undefined && spelled === undefined) return undefined;
  const over = FRACTIONS[next];
  if (spelled !== undefined && over !== undefined) return { text: `${spelled}/${over}`, length: 2 };
  let value = digits === undefined ? (spelled ?? 0) : Number(digits);
  let length = 1;
  if (TENS[word] !== undefined && (UNITS[next] ?? 10) < 10) {
    value += UNITS[next] ?? 0;
    length += 1;
  }
  for (
    let scale = SCALES[words[at + length] ?? ""];
    scale !== undefined;
    scale = SCALES[words[at + length] ?? ""]
  ) {
    value *= scale;
    length += 1;
  }
  if (words[at + length] === "percent") return { text: `${sign}${digits ?? value}%`, length: length + 1 };
  if (next === "per" && third === "cent") return { text: `${sign}${digits ?? value}%`, length: 3 };
  const currency = sign === "" ? CURRENCIES[words[at + length] ?? ""] : undefined;
  if (currency !== undefined)
    return { text: `${currency}${Number(value.toPrecision(12))}`, length: length + 1 };
  const [unit, factor] =
    (digits === undefined || sign === "" ? MEASURES[words[at + length] ?? ""] : undefined) ?? [];
  if (unit !== undefined && factor !== undefined)
    return { text: `${Number((value * factor).toPrecision(12))}${unit}`, length: length + 1 };
  // Alone it is as often a pronoun: "before one agreed".
  if (word === "one" && length === 1) return undefined;
  const text = length === 1 && digits !== undefined ? digits : String(Number(value.toPrecision(12)));
  return { text: `${sign}${text}`, length };
}
