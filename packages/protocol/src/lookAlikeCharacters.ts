/** Characters that can be mistaken for each letter. Diacritics, sizes and styles are removed before. */
const SHAPES: Readonly<Record<string, string>> = {
  a: "АаΑαɑᴀᎪꓮȺⱥ4@",
  b: "ВвЬьΒβʙᏴꓐɃƀ8ß฿₿",
  c: "СсϹϲςᴄᏟꓚȻȼ¢©Ⲥⲥ",
  d: "ԁԀᴅᎠꓓÐðĐđⅾ",
  e: "ЕеЄєΕεᴇᎬꓰɆɇ3€ƐɛℯЭэ",
  f: "ꜰꓝƒϜϝ",
  g: "ԌԍɡɢᏀꓖց9",
  h: "НнҺһΗհʜᎻꓧĦħⲎ",
  // The upright stroke: a capital i, a one and a bar are identical in many typefaces.
  i: "IІіЇїΙιɩıɪӀӏꓲ1|!¡ǀⲒ∣",
  j: "ЈјʝᴊᎫꓙ",
  k: "КкΚκᴋᏦꓗⲔ",
  l: "ʟᏞꓡŁłԼ",
  m: "МмΜᴍᎷꓟⲘ",
  n: "ΝηոɴꓠпИиⲚ",
  o: "ОоΟοσՕօᴏꓳØø0○◯ⲞⲟѲѳΘθ",
  p: "РрΡρᴘᏢꓑⲢⲣÞþ",
  q: "ԛԚզ",
  r: "ГгʀᎡꓣя",
  s: "ЅѕՏꜱᏚꓢ5$ƽ§",
  t: "ТтΤτᴛᎢꓔŦŧ7₮†",
  u: "ՍսυᴜꓴµμЦц∪",
  v: "ѴѵνᴠᏙꓦ∨",
  w: "ԜԝωᴡᎳꓪ₩ШшѡѠ",
  x: "ХхΧχꓫ×Ⲭ",
  y: "УуҮүΥγϒʏꓬ¥",
  z: "ΖᴢᏃꓜƵƶ2",
};

/** Runs of twenty-six letters that Unicode does not declare equal to A to Z, or not in every version. */
const ALPHABETS: readonly number[] = [
  0x1f150, // negative circled
  0x1f170, // negative squared
  0x1f1e6, // regional indicators
  0x1ccd6, // outlined
];

/** Maps a character to the lowercase letter it can be mistaken for. */
export const lookAlikeCharacters: ReadonlyMap<string, string> = new Map([
  ...Object.entries(SHAPES).flatMap(([letter, shapes]) =>
    [...shapes].map((shape): [string, string] => [shape, letter]),
  ),
  ...ALPHABETS.flatMap((first) =>
    Array.from({ length: 26 }, (_, index): [string, string] => [
      String.fromCodePoint(first + index),
      String.fromCodePoint(0x61 + index),
    ]),
  ),
]);
