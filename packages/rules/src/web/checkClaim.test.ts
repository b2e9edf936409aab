import { describe, expect, test } from "vitest";
import { checkClaim, readWords } from "./checkClaim.js";

const page = [
  "The bridge opened in 1998 and carries 12,500 cars a day.",
  "It is not true that the bridge has a toll. Is the bridge safe in storms? The council doesn't own the ferry.",
  "If the river floods, the lower road is closed.",
  "橋は一九九八年に開通しました。通行料はかかりません。",
  "The tower is 45 metres high. Others say the tower is 54 metres high.",
].join("\n\n");

const resultOf = (claim: string) => checkClaim(claim, page).result;

describe("a claim compared with a page's wording", () => {
  test.each([
    ["the same words", "The bridge opened in 1998"],
    ["the same words in other case and punctuation", "the bridge opened, in 1998!"],
    ["a number with other separators", "carries 12500 cars a day"],
    ["a script without spaces", "一九九八年に開通しました"],
    ["two sentences that both stand there", "The bridge opened in 1998. The council does not own the ferry."],
  ])("%s support it", (_, claim) => expect(resultOf(claim)).toBe("supported"));

  test.each([
    ["another number", "The bridge opened in 1989"],
    ["a negation around the wording", "the bridge has a toll"],
    ["a negation in other words", "The council owns the ferry"],
  ])("%s contradicts it", (_, claim) => expect(resultOf(claim)).toBe("contradicted_wording_absent"));

  test.each([
    ["nothing about it", "The bridge is painted green"],
    ["a question", "the bridge safe in storms"],
    ["a condition", "the river floods"],
    ["words over the end of a sentence", "a day it is"],
    ["no words at all", "…"],
  ])("%s is no finding", (_, claim) => expect(resultOf(claim)).toBe("not_found"));

  test("passages are quoted where they stand, those for and those against", () => {
    const { result, passages } = checkClaim("The tower is 45 metres high", page);
    expect(result).toBe("supported");
    expect(passages.map(({ relation }) => relation)).toEqual(["supports", "contradicts"]);
    for (const { start, end, quote } of passages) expect(page.slice(start, end)).toBe(quote);
  });

  test("words are taken without case, style and punctuation", () => {
    expect(readWords("Ｆull-width CAN’T, 1,234.5 % 東京")).toEqual([
      "full",
      "width",
      "can",
      "not",
      "1234.5",
      "東",
      "京",
    ]);
  });
});
