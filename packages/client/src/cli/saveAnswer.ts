import { writeFile } from "node:fs/promises";
import type { Receipt } from "@assay/protocol";
import type { Client } from "../createClient.js";
import type { PaidAnswer } from "../paidAnswer.js";
import { describeFileError } from "./describeFileError.js";

export interface SavedAnswer {
  readonly isSaved: boolean;
  /** What is missing in the file: the receipt, or everything. */
  readonly remark: string | undefined;
}

/**
 * Writes `{ answer, receipt }` with the answer as it was received, or the answer alone when the service gives no receipt;
 * then `remark` says why.
 */
export async function saveAnswer(
  client: Pick<Client, "receipt">,
  { answer, rawBody }: PaidAnswer,
  file: string,
): Promise<SavedAnswer> {
  const receipt = await client.receipt(answer.invocationId).catch(asError);
  const isAlone = receipt instanceof Error;
  const content = isAlone ? rawBody : pairText(new TextDecoder().decode(rawBody), receipt);
  try {
    await writeFile(file, content);
  } catch (error) {
    return { isSaved: false, remark: `${file} could not be written: ${describeFileError(error)}.` };
  }
  const remark = isAlone ? `${file} holds the answer without its receipt: ${receipt.message}` : undefined;
  return { isSaved: true, remark };
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

const pairText = (answer: string, receipt: Receipt) =>
  `{"answer":${answer},"receipt":${JSON.stringify(receipt)}}\n`;
