import { expect, test } from "vitest";
import { evaluateExampleEcho } from "./evaluate.js";
import type { ExampleEchoReadings } from "./readings.js";

const BLOCK_7: ExampleEchoReadings = {
  blockNumber: { status: "value", value: `0x${"7".padStart(64, "0")}` },
};

test("ASCII text is echoed with the block's number", () => {
  expect(evaluateExampleEcho({ text: "Hello" }, BLOCK_7)).toMatchObject({
    verdict: "allow",
    reasonCodes: ["TEXT_ECHOED"],
    findings: { echo: "Hello", blockNumber: "7" },
  });
});

test.each(["", "Grüß dich", "two\nlines"])("%j is a review", (text) => {
  expect(evaluateExampleEcho({ text }, BLOCK_7)).toMatchObject({
    verdict: "review",
    reasonCodes: ["TEXT_NOT_ECHOABLE"],
    findings: { echo: null },
  });
});

test.each<ExampleEchoReadings["blockNumber"]>([
  { status: "absent" },
  { status: "reverted", data: null },
  { status: "unanswered", reason: "timeout" },
  { status: "value", value: "0x07" },
])("a number that was not read, %j, is a review", (blockNumber) => {
  expect(evaluateExampleEcho({ text: "Hello" }, { blockNumber })).toMatchObject({
    verdict: "review",
    reasonCodes: ["TEXT_ECHOED", "BLOCK_NUMBER_UNREAD"],
    findings: { blockNumber: null },
    limitations: expect.arrayContaining(["The number of the block was not read."]),
  });
});
