import { expect, test } from "vitest";
import { hashText } from "../shared/page-text/checkClaim.js";
import { quoteResolution } from "./quoteResolution.js";

test.each([
  ["This market resolves by the log.", ["resolution"]],
  ["The outcome is decided by three keepers.", ["decider"]],
  ["The resolution source is the harbour office.", ["resolution", "source"]],
  ["Trading closes on 31 December 2027.", ["deadline"]],
  ["Disputes go to the UMA oracle before 2027-01-02.", ["decider", "deadline"]],
])("%s", (sentence, kinds) => {
  const text = `Gulls rest here. ${sentence} The mole is long.`;
  const [passage, ...others] = quoteResolution(text);
  expect(others).toEqual([]);
  expect(passage).toMatchObject({ kinds, quote: sentence, quoteHash: hashText(sentence) });
  expect(text.slice(passage?.start, passage?.end)).toBe(sentence);
});

test("what is quoted is bounded in number and in length", () => {
  const many = quoteResolution("It resolves by log. ".repeat(1000));
  expect(many).toHaveLength(4);
  const [long] = quoteResolution(`It resolves ${"by the log and ".repeat(10_000)}`);
  expect(long?.quote).toHaveLength(600);
});
