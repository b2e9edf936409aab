import { describe, expect, test } from "vitest";
import { checkClaim } from "./checkClaim.js";

const resultOf = (page: string, claim: string) => checkClaim(claim, page).result;

describe("a claim that manuals say in a longer or another way is supported", () => {
  test.each([
    ["A pattern may be closed by a bracket.", "A pattern can be closed by a bracket"],
    [
      "The second column allows to choose between three colours.",
      "The second column lets you choose between three colours",
    ],
    ["The tool supports both old keys and new locks.", "The tool supports old keys"],
    [
      "The layout is an object that describes a keyboard of the mill.",
      "The layout describes a keyboard of the mill",
    ],
    [
      "The key is an integer compatible with the old lock.",
      "The key is an integer that is compatible with the old lock",
    ],
    ["Each wheel is shown by a 4 by 4 matrix, like all wheels.", "Each wheel is shown by a 4x4 matrix"],
    [
      "Special gates are only supported for selected mills.",
      "Special gates are supported only for selected mills",
    ],
    ["We use the -w option when building with gcc.", "The -w option is used when building with gcc"],
    ["If an old gate is opened it is added to the list.", "An old gate is added to the list if it is opened"],
    [
      "The mill is a third generation project based on the wheel of Ann.",
      "The mill is based on the wheel of Ann",
    ],
    ["Ohm is a program for counting lines of code.", "Ohm counts lines of code"],
    ["During tests, use keys between 1 and 90.", "Keys between 1 and 90 should be used during tests"],
    [
      "This driver for the old family of readers implements the new interface.",
      "The driver implements the new interface",
    ],
    [
      "The idea was discussed at great length on the list of Oban in 2017.",
      "The idea was discussed on the list of Oban in 2017",
    ],
    ["The gate will be called with the -f flag.", "The gate is called with the -f flag"],
    ["Xml Light is a parser & printer for letters.", "Xml Light is a parser and printer for letters"],
  ])("%s — %s", (page, claim) => expect(resultOf(page, claim)).toBe("supported"));
});

describe("and an opposite by its first letters contradicts it", () => {
  test.each([
    ["A black border denotes a documented class.", "A black border denotes an undocumented class"],
    ["The key of the mill is invalid today.", "The key of the mill is valid today"],
  ])("%s — %s", (page, claim) => expect(resultOf(page, claim)).toBe("contradicted_wording_absent"));
});

describe("but one that says more than the page is not", () => {
  test.each([
    ["The tool is written in C++ by Ann.", "The tool is written in C# by Ann"],
    ["The tool is written in C++ by Ann.", "The tool is written in C by Ann"],
    ["The gate may not open in the rain.", "The gate can not open in the rain"],
    ["The driver of the old readers implements the interface.", "The readers implement the interface"],
    ["Gates from the old mill use the new interface.", "Gates use the new interface"],
    ["The pool was open to members in 2010.", "The pool was open in 2010"],
    ["The dam was planned by Bert and built by Ann.", "The dam was planned by Ann"],
    ["The tool reads fake letters of the mill.", "The tool reads letters of the mill"],
    ["The tool reads all signed letters of the mill.", "The tool reads all letters of the mill"],
    ["Ann and Bert are married in the town.", "Ann is married in the town"],
    ["The council will open the bridge in May.", "The council opens the bridge in May"],
    ["When the plan passes, the bridge will be open.", "The bridge is open when the plan passes"],
    ["We could use the cache of the mill.", "The cache of the mill is used"],
    ["We usually use the cache of the mill.", "The cache of the mill is always used"],
    ["Users who can read the letter of Ann can vote.", "Users can read the letter of Ann"],
    ["It is a claim that swans sing in the rain.", "Swans sing in the rain"],
    ["The tool allows you to open some of the letters.", "The tool lets you open the letters"],
    ["Milk is sold here, only on Sundays.", "Milk is sold here"],
    [
      "If an old gate is opened it may be added to the list.",
      "An old gate is added to the list if it is opened",
    ],
    ["The tool is only a model based on the wheel of Ann.", "The tool is a wheel of Ann"],
  ])("%s — %s", (page, claim) => expect(resultOf(page, claim)).not.toBe("supported"));

  test("nor does a choice of words that contradicts nothing count as a denial", () =>
    expect(
      resultOf(
        "The tool takes a value as its word instead of a letter.",
        "The tool takes a value as its word",
      ),
    ).toBe("supported"));

  test("nor does a claim with two spellings of one word end the check", () =>
    expect(resultOf("The HTTP user name of Ann.", "The username is the user name for HTTP")).toBe(
      "not_found",
    ));
});
