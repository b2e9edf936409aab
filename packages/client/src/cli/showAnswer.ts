import { createHash } from "node:crypto";
import { loadNews } from "@assay/capabilities/loadNews";
import type { CapabilityResult, Hex } from "@assay/protocol";
import type { Question } from "../checkResult.js";
import type { Client } from "../createClient.js";
import type { PaidAnswer } from "../paidAnswer.js";
import type { VerificationStep } from "../verification.js";
import { AnswerFailure } from "./answerFailure.js";
import { failureCodes, verdictCodes } from "./exitCodes.js";
import { describeWindow, formatAnswer, type Window } from "./formatAnswer.js";
import { formatBrief } from "./formatBrief.js";
import { type SavedAnswer, saveAnswer } from "./saveAnswer.js";
import type { Session } from "./session.js";
import { jsonLine, printable } from "./text.js";

export interface AnswerFlags {
  readonly save?: string;
  readonly signer?: Hex;
}

interface Purchase {
  readonly paid: PaidAnswer;
  readonly question: Question;
  readonly paidBy: string;
}

/** To be started while the service works: the import takes as long as a call does. */
export const loadVerifier = () => import("../checkResult.js");

/** Checks a paid answer and whether it still holds, and only then prints it. Sets the exit code. */
export async function showAnswer(
  { options, terminal }: Session<AnswerFlags>,
  client: Client,
  { paid, question, paidBy }: Purchase,
): Promise<void> {
  const { answer } = paid;
  const [{ checkResult }, window, news] = await Promise.all([
    loadVerifier(),
    findWindow(client, answer),
    loadNews(answer),
  ]);
  const { signer: pinned } = options;
  const signer = pinned && (await client.followSigner(pinned, answer.evidenceReference.signer));
  const { steps } = await checkResult(answer, { signer, question });
  const failed = steps.filter(({ ok }) => !ok);
  const save = () => saveAnswer(client, paid, options.save ?? nameFile(paid));
  if (failed.length > 0) throw refuse(paid, failed, options.save, await save());
  const format = options.full ? formatAnswer : formatBrief;
  // Printed before it is saved: a full disk must not lose an answer that was paid for.
  terminal.print(
    options.json
      ? `${new TextDecoder().decode(paid.rawBody)}\n`
      : format({ paid, news, window, paidBy }, terminal.paint),
  );
  // With --json, stdout has only the answer as it was sent, so the warning goes to stderr.
  if (options.json && window.state !== "open")
    terminal.warn(`assay: The answer ${describeWindow(answer, window)}.\n`);
  terminal.exitCode =
    answer.verdict === "allow" && window.state !== "open"
      ? verdictCodes.review
      : verdictCodes[answer.verdict];
  const lost = await terminal.flush().then(
    () => undefined,
    (error: Error) => error,
  );
  if (lost) throw reportLost(paid, lost, options.save, await save());
  if (options.save === undefined) return;
  const { isSaved, remark } = await save();
  if (!isSaved) terminal.exitCode = failureCodes.other;
  if (remark)
    terminal.warn(
      `assay: ${isSaved ? "" : "The answer is paid for and printed, but "}${printable(remark)}\n`,
    );
}

/** After this the head counts as unknown: the answer itself is ageing. */
const HEAD_TIMEOUT_MS = 5_000;

/**
 * Whether the answer still holds at the head that the service reports: a resumed one may be hours old. This machine's clock
 * can end it too, whatever the service reports.
 */
async function findWindow(client: Client, answer: CapabilityResult): Promise<Window> {
  const head = await client.health({ signal: AbortSignal.timeout(HEAD_TIMEOUT_MS) }).then(
    ({ headBlock }) => headBlock,
    () => null,
  );
  if (head !== null && head > answer.result.validUntilBlock) return { state: "ended", headBlock: head };
  const { latestEndMs } = await import("../latestEndMs.js");
  const endMs = latestEndMs(answer);
  if (Date.now() >= endMs) return { state: "ended", endMs };
  return head === null ? { state: "unknown" } : { state: "open" };
}

/** The name depends on the bytes received, so the service cannot choose it. */
const nameFile = ({ rawBody }: PaidAnswer) =>
  `assay-answer-${createHash("sha256").update(rawBody).digest("hex").slice(0, 12)}.json`;

function refuse(
  paid: PaidAnswer,
  failed: readonly VerificationStep[],
  file = nameFile(paid),
  { isSaved, remark }: SavedAnswer,
): AnswerFailure {
  const { receiptUrl } = paid.answer;
  const steps = failed.map(({ name, detail }) => ({ name, detail }));
  const names = steps.map(({ name }) => name).join(", ");
  return new AnswerFailure(
    "not_verified",
    `The answer does not verify: ${names} failed. Do not rely on it.`,
    [
      ...steps.map(({ name, detail }) => `  ${name}: ${detail}`),
      ...(isSaved ? [`It was paid for and is kept in ${file}.`] : []),
      ...(remark ? [remark] : []),
      `Its receipt is at ${receiptUrl}`,
    ],
    { steps, receiptUrl, answerFile: isSaved ? file : undefined },
  );
}

function reportLost(
  paid: PaidAnswer,
  lost: Error,
  file = nameFile(paid),
  { isSaved, remark }: SavedAnswer,
): AnswerFailure {
  const { receiptUrl } = paid.answer;
  const where = isSaved ? `it is kept in ${file}, which assay verify reads` : "it stands below";
  return new AnswerFailure(
    "output_failed",
    `The answer is paid for, but ${lost.message}; ${where}, and its receipt is at ${receiptUrl}`,
    isSaved ? [] : [remark ?? "", jsonLine(paid.answer).trimEnd()],
    { receiptUrl, answerFile: isSaved ? file : undefined },
  );
}
