import { writeFile } from "node:fs/promises";
import type { Receipt } from "@assay/protocol";
import type { Client, PaidAnswer } from "../createClient.js";
import { describeFileError } from "./describeFileError.js";

/**
 * Writes `{ answer, receipt }` with the answer as it was received, or the answer alone when there is no receipt to
 * be had; then says why.
 */
export async function saveAnswer(
  client: Client,
  { answer, rawBody }: PaidAnswer,
  file: string,
): Promise<string | undefined> {
  const receipt = await client.receipt(answer.invocationId).catch(asError);
  const isAlone = receipt instanceof Error;
  const content = isAlone ? rawBody : pairText(new TextDecoder().decode(rawBody), receipt);
  await writeFile(file, content).catch((error: unknown) => {
    throw new Error(
      `The answer is paid for and printed, but ${file} could not be written: ${describeFileError(error)}.`,
    );
  });
  return isAlone ? receipt.message : undefined;
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

const pairText = (answer: string, receipt: Receipt) =>
  `{"answer":${answer},"receipt":${JSON.stringify(receipt)}}\n`;
