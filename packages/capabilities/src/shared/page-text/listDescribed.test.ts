import { describe, expect, test } from "vitest";
import { checkLines } from "./testing/checkLines.js";

const resultOf = (claim: string, lines: readonly string[]) => checkLines(claim, lines).result;

const MANUAL = [
  "# Mill library",
  "# mill_close()",
  "void mill_close (Mill *mill);",
  "Closes the gate of the mill. This function will fail if the wheel turns. It does not grind the grain.",
  "Default value: 12",
  "# mill_open()",
  "Open the gate of the mill, returning NULL if it is rusty.",
  "# Signals",
  "grain-sold",
  "Called when the grain is sold at the gate.",
  "# Options",
  "--slow\tTurns the wheel slowly",
  "wheel_size = 9",
  "The number of spokes in the wheel.",
];

describe("what stands under a name is said of it", () => {
  test.each([
    ["mill_close closes the gate of the mill"],
    ["The function mill_close() closes the gate of the mill"],
    ["mill_close() fails if the wheel turns"],
    ["The default value of mill_close is 12"],
    ["mill_open opens the gate of the mill"],
    ["mill_open returns NULL if it is rusty"],
    ["The grain-sold signal is called when the grain is sold at the gate"],
    ["The --slow option turns the wheel slowly"],
    ["wheel_size is the number of spokes in the wheel"],
  ])("%s", (claim) => expect(resultOf(claim, MANUAL)).toBe("supported"));

  test("also as its value", () =>
    expect(
      resultOf("The number of the spoke is 9", ["# Wheel", "spoke = 9", "The number of the spoke."]),
    ).toBe("supported"));

  test("with the name and what is said as passages", () => {
    const { passages } = checkLines("mill_open opens the gate of the mill", MANUAL);
    expect(passages.map(({ quote }) => quote)).toEqual([
      "mill_open()",
      "Open the gate of the mill, returning NULL if it is rusty.",
    ]);
  });

  test.each([
    ["a number", "The default value of mill_close is 15"],
    ["a denial", "mill_close grinds the grain"],
  ])("%s contradicts it", (_, claim) => expect(resultOf(claim, MANUAL)).toBe("contradicted_wording_absent"));

  test.each([
    ["another name's description", "mill_open closes the gate of the mill"],
    ["another name's default", "The default value of mill_open is 12"],
    ["another condition", "mill_close() fails if the grain turns"],
    ["a condition that is left out", "mill_close() fails"],
    ["another signal", "The grain-bought signal is called when the grain is sold at the gate"],
    ["another option", "The --fast option turns the wheel slowly"],
  ])("but not %s", (_, claim) => expect(resultOf(claim, MANUAL)).not.toBe("supported"));

  test.each([
    ["what may be", ["# mill_close()", "Perhaps closes the gate of the mill."]],
    ["what others say", ["# mill_close()", "Ann says it closes the gate of the mill."]],
    ["what is denied", ["# mill_close()", "This function never closes the gate of the mill."]],
    ["what is so by chance", ["# mill_close()", "Usually closes the gate of the mill."]],
    ["what something else does", ["# mill_close()", "The keeper came. It closes the gate of the mill."]],
    ["a question", ["# mill_close()", "Closes the gate of the mill?"]],
  ])("nor %s", (_, lines) =>
    expect(resultOf("mill_close closes the gate of the mill", lines)).not.toBe("supported"),
  );
});
