import { describe, expect, test } from "vitest";
import { checkLines } from "./testing/checkLines.js";

const LIST = ["The tool is found in:", "- Every Mac", "- Most cars", "- Not in trains", "It has a clock."];

describe("an introduction and an item of its list say something together", () => {
  test("which supports a claim, with both as passages", () => {
    const { result, passages } = checkLines("The tool is found in every Mac", LIST);
    expect(result).toBe("supported");
    expect(passages).toMatchObject([{ quote: "The tool is found in:" }, { quote: "Every Mac" }]);
  });

  test.each([
    ["an item that the list has not", "The tool is found in every car", LIST],
    ["an item that denies", "The tool is found in trains", LIST],
    ["what stands behind the list", "The tool is found in a clock", [...LIST.slice(0, -1), "A clock"]],
    [
      "a list of what is not so",
      "The tool is found in every Mac",
      ["The tool is not found in:", "- Every Mac"],
    ],
    [
      "a list of alternatives",
      "The tool is found in every Mac",
      ["The tool is found in one of:", "- Every Mac"],
    ],
    ["what others say", "The tool is found in every Mac", ["Ann says the tool is found in:", "- Every Mac"]],
  ])("but not %s", (_, claim, lines) => expect(checkLines(claim, lines).result).not.toBe("supported"));

  test("and only the list is open behind an introduction that leaves open what holds", () => {
    const lines = ["If you would help us:", "- Write a manual", "The tool costs nothing at all."];
    expect(checkLines("The tool costs nothing at all", lines).result).toBe("supported");
    expect(
      checkLines("The tool costs nothing at all", [...lines.slice(0, 1), "- The tool costs nothing at all."])
        .result,
    ).toBe("not_found");
  });

  test("and a heading ends what an introduction leaves open", () => {
    const lines = [
      "Bats, some say:",
      "Bats are blind in daylight.",
      "# Prices",
      "The tool costs nothing at all.",
    ];
    expect(checkLines("Bats are blind in daylight", lines).result).toBe("not_found");
    expect(checkLines("The tool costs nothing at all", lines).result).toBe("supported");
  });
});

const TABLE = ["Line\tLength (km)\tFare", "Oban\t40\t€5", "Pell\t12\tnot sold"];

describe("a row says what the heads of its columns name", () => {
  test.each([
    ["The length of the Oban line is 40 km"],
    ["The fare for Oban is 5 euros"],
    ["The Oban line has a length of 40 km"],
  ])("which supports %s", (claim) => {
    const { result, passages } = checkLines(claim, TABLE);
    expect(result).toBe("supported");
    expect(passages).toMatchObject([{ quote: TABLE[0] }, { quote: TABLE[1] }]);
  });

  test("another number contradicts", () =>
    expect(checkLines("The length of the Oban line is 12 km", TABLE).result).toBe(
      "contradicted_wording_absent",
    ));

  test.each([
    ["a cell of another row", "The fare for Pell is 5 euros"],
    ["a cell of another column", "The length of the Oban line is 5 euros"],
    ["a cell that denies", "The fare for Pell is sold"],
  ])("%s supports nothing", (_, claim) => expect(checkLines(claim, TABLE).result).not.toBe("supported"));
});
