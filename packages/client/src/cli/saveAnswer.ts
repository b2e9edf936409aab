import { writeFile } from "node:fs/promises";
import type { Receipt } from "@assay/protocol";
import type { Client, PaidAnswer } from "../createClient.js";

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
  if (receipt instanceof Error) {
    await writeFile(file, rawBody);
    return receipt.message;
  }
  await writeFile(file, pairText(new TextDecoder().decode(rawBody), receipt));
  return undefined;
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

const pairText = (answer: string, receipt: Receipt) =>
  `{"answer":${answer},"receipt":${JSON.stringify(receipt)}}\n`;
