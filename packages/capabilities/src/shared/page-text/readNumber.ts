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
  dozen: 12,
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
    "sec,second sec 1",
    "min,minute sec 60",
    "hr,hour sec 3600",
    "day sec 86400",
    "week sec 604800",
    "month month 1",
    "year month 12",
    "decade month 120",
    "mile mile 1",
    "kb,kilobyte kb 1",
    "mb,megabyte mb 1",
    "gb,gigabyte gb 1",
    "tb,terabyte tb 1",
    "ms,millisecond ms 1",
    "hz,hertz hz 1",
    "khz,kilohertz khz 1",
    "mhz,megahertz mhz 1",
    "ghz,gigahertz ghz 1",
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
  tenth: 10,
  tenths: 10,
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

interface ReadNumber {
  readonly text: string;
  /** In words. */
  readonly length: number;
}

/** A number with its percent sign, currency or unit in one notation, from digits or words. */
export function readNumber(words: readonly string[], at: number): ReadNumber | undefined {
  const [word = "", next = ""] = words.slice(at, at + 2);
  const [, sign = "", digits] = /^(-?[$€£¥]?)(\d+(?:\.\d+)?)$/.exec(word) ?? [];
  const spelled = digits === undefined ? readSpelled(words, at) : undefined;
  if (digits === undefined && spelled === undefined) return undefined;
  const over = FRACTIONS[next];
  if (spelled?.length === 1 && spelled.value < 20 && over !== undefined)
    return { text: writeFraction(spelled.value, over), length: 2 };
  let value = digits === undefined ? (spelled?.value ?? 0) : Number(digits);
  let length = spelled?.length ?? 1;
  const isHalf = words.slice(at + length, at + length + 3).join(" ") === "and a half";
  if (isHalf) {
    value += 0.5;
    length += 3;
  }
  for (
    let scale = SCALES[words[at + length] ?? ""];
    scale !== undefined;
    scale = SCALES[words[at + length] ?? ""]
  ) {
    value *= scale;
    length += 1;
  }
  // A number without a unit keeps its digits, because "1.10" may be a version.
  const isPlain = length === 1 && digits !== undefined;
  return readKind(words, at, { sign, value, length, plain: isPlain ? digits : undefined });
}

interface Counted {
  readonly sign: string;
  readonly value: number;
  readonly length: number;
  readonly plain: string | undefined;
}

/** What a number counts: percent, money or a unit behind it. */
function readKind(
  words: readonly string[],
  at: number,
  { sign, value, length, plain }: Counted,
): ReadNumber | undefined {
  const [unitName = "", second = ""] = words.slice(at + length, at + length + 2);
  const short = String(Number(value.toPrecision(12)));
  if (unitName === "percent") return { text: `${sign}${plain ?? short}%`, length: length + 1 };
  if (unitName === "per" && second === "cent")
    return { text: `${sign}${plain ?? short}%`, length: length + 2 };
  const currency = sign === "" ? CURRENCIES[unitName] : undefined;
  if (currency !== undefined) return { text: `${currency}${short}`, length: length + 1 };
  const [unit, factor] = (sign === "" || sign === "-" ? MEASURES[unitName] : undefined) ?? [];
  if (unit !== undefined && factor !== undefined)
    return { text: `${sign}${Number((value * factor).toPrecision(12))}${unit}`, length: length + 1 };
  // Alone it is as often a pronoun: "before one agreed".
  if (words[at] === "one" && length === 1) return undefined;
  return { text: `${sign}${plain ?? short}`, length };
}

/** A fourth, fifth or tenth is a whole number of percent. */
const writeFraction = (value: number, over: number) =>
  100 % over === 0 ? `${(100 * value) / over}%` : `${value}/${over}`;

/** "Two hundred and twelve": a number in words without a scale that follows digits too. */
function readSpelled(words: readonly string[], at: number): { value: number; length: number } | undefined {
  const small = readBelowHundred(words, at);
  if (small === undefined) return undefined;
  let { value, length } = small;
  for (const scale of [1e3, 1e2]) {
    if (SCALES[words[at + length] ?? ""] !== scale) continue;
    const skipped = words[at + length + 1] === "and" ? 2 : 1;
    const rest = readRest(words, at + length + skipped, scale);
    if (rest === undefined) return { value, length };
    value = value * scale + rest.value;
    length += skipped + rest.length;
  }
  return { value, length };
}

/** What follows "thousand" or "hundred" in one number. */
function readRest(
  words: readonly string[],
  at: number,
  scale: number,
): { value: number; length: number } | undefined {
  const rest = readBelowHundred(words, at);
  if (rest === undefined || scale === 1e2) return rest;
  if (words[at + rest.length] !== "hundred") return rest;
  const skipped = words[at + rest.length + 1] === "and" ? 2 : 1;
  const last = readBelowHundred(words, at + rest.length + skipped);
  return {
    value: rest.value * 100 + (last?.value ?? 0),
    length: rest.length + (last === undefined ? 1 : skipped + last.length),
  };
}

function readBelowHundred(
  words: readonly string[],
  at: number,
): { value: number; length: number } | undefined {
  const [word = "", next = ""] = words.slice(at, at + 2);
  const tens = TENS[word];
  if (tens === undefined) {
    const value = UNITS[word];
    return value === undefined ? undefined : { value, length: 1 };
  }
  const unit = UNITS[next] ?? 10;
  return unit > 0 && unit < 10 ? { value: tens + unit, length: 2 } : { value: tens, length: 1 };
}

// "Constructor" and the like are words of pages, and no numbers.
for (const table of [UNITS, TENS, SCALES, MEASURES, FRACTIONS, CURRENCIES])
  Object.setPrototypeOf(table, null);
