import { describe, expect, test } from "vitest";
import { compareQuestion, findTextTitle, splitTitle } from "./compareQuestion.js";

const compare = (question: string, heading: string, text = "") =>
  compareQuestion(question, { headings: [heading], text });

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
