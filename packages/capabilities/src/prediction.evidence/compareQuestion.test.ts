import { describe, expect, test } from "vitest";
import { compareQuestion, findTextTitle, splitTitle } from "./compareQuestion.js";

const compare = (question: string, heading: string, text = "") =>
  compareQuestion(question, { headings: [heading], text });

/** What was asked, what stands there, and whether that is the same question. */
const pairs: readonly (readonly [string, string, boolean])[] = [
  ["Will ETH be < 5000?", "Will ETH be > 5000?", false],
  ["Will ETH be ≥ 5000?", "Will ETH be ≤ 5000?", false],
  ["Will it be ≠ 5?", "Will it be = 5?", false],
  ["Will it be != 5?", "Will it be = 5?", false],
  ["Will it be ! = 5?", "Will it be = 5?", false],
  ["Will it be =\u0338 5?", "Will it be = 5?", false],
  ["Will it be above -5 %?", "Will it be above 5 %?", false],
  ["Will it be above − 5 %?", "Will it be above 5 %?", false],
  ["Will it be above (5) %?", "Will it be above 5 %?", false],
  ["Will it be above +5?", "Will it be above -5?", false],
  ["Will it be above $5?", "Will it be above 5%?", false],
  ["Will it be above €5?", "Will it be above £5?", false],
  ["Will it be above ¥5?", "Will it be above 5?", false],
  ["Will it be above 5°?", "Will it be above 5?", false],
  ["Will it be above 1.000?", "Will it be above 1,000?", false],
  ["Will it be above 1,000?", "Will it be above 1000?", false],
  ["Will it be above 3.5?", "Will it be above 35?", false],
  ["Will it be above .5?", "Will it be above 5?", false],
  ["Will it be above 3.5?", "Will it be above 3 5?", false],
  ["Will it be above 10²?", "Will it be above 102?", false],
  ["Will it be above 1½?", "Will it be above 11⁄2?", false],
  ["Will it be above 5M?", "Will it be above 5m?", false],
  ["Will it be above 6'?", 'Will it be above 6"?', false],
  ["Will it be above ~5?", "Will it be above 5?", false],
  ["Will 🇺🇸 win?", "Will 🇨🇳 win?", false],
  ["Will 🐂 win?", "Will 🐻 win?", false],
  ["Will it end 2-1?", "Will it end 2:1?", false],
  ["Will the rating be A-?", "Will the rating be A?", false],
  ["Will it be above -5 %?", "WILL it be above −5%", true],
  ["Will ETH be >5,000.50?", "Will ETH be > 5,000.50", true],
  ["Will it be above $1,000?", "“Will it be above $1,000?”", true],
  ["Will the well-known lamp be lit?", "Will the well known lamp be lit?", true],
  ["Will 🇺🇸 win 10² times?", "Will 🇺🇸 win 10² times?", true],
  ["Will it, at last, rain?", "Will it at last rain!", true],
];

describe("signs and numbers count as they are written", () => {
  test.each(pairs)("%j beside %j: %j", (question, other, isSame) => {
    for (const [asked, written] of [
      [question, other],
      [other, question],
    ] as const) {
      expect(compare(asked, written)).toBe(isSame ? "heads" : "absent");
      expect(compare(asked, "", `Others ask.\n${written}\nAnd more.`)).toBe(isSame ? "within" : "absent");
    }
  });
});

describe("a question is found", () => {
  test.each([
    ["Will it rain?", "WILL IT  RAIN"],
    ["Will U.S. GDP exceed 3.5%?", "Will U.S. GDP exceed 3.5%?"],
    ["灯台は光りますか？", "灯台は光りますか?"],
  ])("%j heads %j", (question, heading) => expect(compare(question, heading)).toBe("heads"));

  test.each([
    ["Will it rain?", "Markets", "Others ask: Will it rain? And more."],
    ["Will it rain?", "Will it rain? Not so fast", "Nothing."],
  ])("%j is not what %j is headed by", (question, heading, text) =>
    expect(compare(question, heading, text)).not.toBe("heads"),
  );

  test.each([
    ["a part of a longer question", "Will it rain", "Will it rain in May?"],
    ["the end of a longer question", "it rain in May?", "Will it rain in May?"],
    ["other numbers", "Will it rain in 2027?", "Will it rain in 2028?"],
    ["signs alone", "???", "What???"],
    ["something like a pattern", "(a+)+$ .*", "aaaaaaaaaaaaaaaaaaaaaaaaaaaa"],
  ])("but not %s", (_, question, text) => expect(compare(question, "", text)).toBe("absent"));

  test("and not in a text made to be slow", () => {
    for (const text of ["\n".repeat(200_000), ".a.b".repeat(50_000), "\ufdfa".repeat(200_000)])
      expect(compare(`${"a b ".repeat(120)}c`, "", text)).toBe("absent");
  });
});

test("titles are taken out of pages and oracles' texts", () => {
  expect(splitTitle("Will it rain? | Island - Markets")).toContain("Will it rain?");
  expect(findTextTitle("q: title: Will it, or not?, description: It resolves.")).toBe("Will it, or not?");
  expect(findTextTitle("Will it?\nIt resolves.")).toBe("Will it?");
});
