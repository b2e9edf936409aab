import type { Evaluation } from "../shared/verdict/evaluation.js";
import { decidingSentences, type Note, worstVerdict } from "../shared/verdict/note.js";
import { readOneWord } from "../shared/words/readOneWord.js";
import type { ExampleEchoInput } from "./input.js";
import type { ExampleEchoReadings } from "./readings.js";
import { exampleEchoReasons } from "./reasons.js";

/** Pure: the same input and readings give the same verdict here, in a verifier and in a browser. */
export function evaluateExampleEcho({ text }: ExampleEchoInput, readings: ExampleEchoReadings) {
  const blockNumber = readOneWord(readings.blockNumber);
  const isEchoable = /^[\x20-\x7e]+$/.test(text);
  const notes: Note<keyof typeof exampleEchoReasons>[] = [
    { code: isEchoable ? "TEXT_ECHOED" : "TEXT_NOT_ECHOABLE" },
  ];
  // What was not read never supports an `allow`.
  if (blockNumber === null)
    notes.push({ code: "BLOCK_NUMBER_UNREAD", limitation: "The number of the block was not read." });
  return {
    verdict: worstVerdict(notes, exampleEchoReasons),
    reasonCodes: notes.map(({ code }) => code),
    summary: decidingSentences(notes, exampleEchoReasons),
    findings: { echo: isEchoable ? text : null, blockNumber: blockNumber?.toString() ?? null },
    limitations: [
      "The text is not interpreted.",
      "No proof covers the block's number: it is what a call returned.",
      ...notes.flatMap(({ limitation }) => limitation ?? []),
    ],
  } satisfies Evaluation;
}
