import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FieldError } from "@assay/protocol";
import type { Command } from "commander";
import { AssayClientError } from "../assayClientError.js";
import {
  ForeignAudienceError,
  NoAccountError,
  PaymentOutcomeUnknownError,
  PaymentRefusedError,
  ProblemError,
  ServiceUnreachableError,
  SpendLimitError,
  UnacceptableChallengeError,
  UnexpectedResponseError,
} from "../errors.js";
import { InvalidArgumentError } from "../invalidArgumentError.js";
import { DayLimitError } from "../settings/dayLedger.js";
import { SettingsError } from "../settings/readFields.js";
import type { VerificationStep } from "../verification.js";
import { AnswerFailure } from "./answerFailure.js";
import { failureCodes } from "./exitCodes.js";
import { hideKeys } from "./hideKeys.js";
import { findInputFlag } from "./inputOptions.js";
import { UsageError } from "./usageError.js";

/** A failure as programs read it: what `--json` prints as `error`. */
interface FailureDocument {
  /** The service's own code where it gave one. */
  readonly code: string;
  readonly detail: string;
  readonly exitCode: number;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly errors?: readonly FieldError[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** Why the facilitator or the chain refused a payment. */
  readonly reason?: string | undefined;
  readonly priceUsd?: number | undefined;
  readonly maxPriceUsd?: number | undefined;
  /** Where a payment of unknown outcome is kept. */
  readonly paymentFile?: string | undefined;
  /** Where an answer that could not be printed, or does not verify, is kept. */
  readonly answerFile?: string | undefined;
  readonly receiptUrl?: string | undefined;
  /** What failed when the answer was verified. */
  readonly steps?: readonly Pick<VerificationStep, "name" | "detail">[] | undefined;
}

export interface Failure {
  /** For people. Much of it is text of the service, so the printer must make it printable. */
  readonly lines: readonly string[];
  readonly document: FailureDocument;
}

/** What went wrong in a command and what to do next. Writes a payment whose outcome is unknown to a file. */
export async function describeFailure(
  error: unknown,
  url: string,
  command: Command | undefined,
  /** Where a payment is kept; by default where the command was started. */
  folder = "",
): Promise<Failure> {
  if (error instanceof PaymentOutcomeUnknownError) return keepPayment(error, folder);
  if (error instanceof AnswerFailure) {
    const { code, message: detail, lines, facts } = error;
    return { lines: [detail, ...lines], document: { code, detail, exitCode: failureCodes.other, ...facts } };
  }
  const document = toDocument(error, url);
  const lines = error instanceof ProblemError ? describeProblem(error, command) : [document.detail];
  return { lines, document };
}

function toDocument(error: unknown, url: string): FailureDocument {
  if (error instanceof ProblemError) {
    const { code, message: detail, status, requestId, fields: errors, retryAfterSeconds } = error;
    const exitCode = code === "invalid_input" ? failureCodes.usage : failureCodes.other;
    return { code, detail, exitCode, status, requestId, errors, retryAfterSeconds };
  }
  if (error instanceof ServiceUnreachableError) {
    const detail = `No service answers at ${url}. Start it with npm start, or name another address with --url or ASSAY_URL.`;
    return { code: error.code, detail, exitCode: failureCodes.unreachable };
  }
  if (error instanceof NoAccountError) {
    const detail =
      "This needs a wallet. Give --private-key-file, set ASSAY_PRIVATE_KEY, or start a service here with npm start: it writes test wallets into .data/devnet.json (--data-dir names another place; --url names a service elsewhere).";
    return { code: error.code, detail, exitCode: failureCodes.usage };
  }
  if (error instanceof ForeignAudienceError) {
    const { code, audience } = error;
    const detail = `The service at ${url} asks for signatures that are good for ${audience}. Nothing was signed. If that is its own public address, pass --audience ${audience} or reach it by --url ${audience}.`;
    return { code, detail, exitCode: failureCodes.other };
  }
  if (error instanceof UnexpectedResponseError) {
    const { code, message: detail, status } = error;
    return { code, detail, exitCode: failureCodes.other, status };
  }
  const detail = error instanceof Error ? error.message : String(error);
  if (error instanceof UsageError || error instanceof SettingsError || error instanceof InvalidArgumentError)
    return { code: error.code, detail: hideKeys(detail), exitCode: failureCodes.usage };
  const code = error instanceof AssayClientError ? error.code : "failed";
  return findUnpaid(error) ?? { code, detail, exitCode: failureCodes.other };
}

/** Why no payment was made; undefined for any other failure. */
function findUnpaid(error: unknown): FailureDocument | undefined {
  const exitCode = failureCodes.notPaid;
  if (error instanceof SpendLimitError) {
    const { code, priceUsd, maxPriceUsd } = error;
    const detail = `The price is ${priceUsd} USD and the limit ${maxPriceUsd} USD. Nothing was signed. Pass --max-price ${priceUsd} to allow it.`;
    return { code, detail, exitCode, priceUsd, maxPriceUsd };
  }
  if (error instanceof UnacceptableChallengeError)
    return { code: error.code, detail: error.message, exitCode };
  if (error instanceof DayLimitError) {
    const detail = `${error.message} The next day begins at midnight UTC; maxPerDayUsd in the configuration raises the limit.`;
    return { code: error.code, detail, exitCode };
  }
  if (error instanceof PaymentRefusedError) {
    const { code, reason } = error;
    const hint = reason?.includes("insufficient")
      ? " The wallet does not hold enough of the stablecoin. Send it some: 'assay quote chain.snapshot' shows its address."
      : "";
    return { code, detail: error.message + hint, exitCode, reason };
  }
  return undefined;
}

function describeProblem(
  { fields, code, requestId, message }: ProblemError,
  command: Command | undefined,
): string[] {
  if (fields.length === 0) return [message];
  const isArgument = (field: string) => command?.registeredArguments.some((given) => given.name() === field);
  const nameAsGiven = (field: string) => (isArgument(field) ? `<${field}>` : (findInputFlag(field) ?? field));
  return [
    "The service refused the input.",
    ...fields.map(({ field, rule }) => `  ${nameAsGiven(field)} ${rule}`),
    `  (${code}, request ${requestId})`,
  ];
}

async function keepPayment(
  { code, prepared, cause }: PaymentOutcomeUnknownError,
  folder: string,
): Promise<Failure> {
  const file = join(folder, `assay-payment-${prepared.authorizationNonce.slice(2, 14)}.json`);
  const text = JSON.stringify(prepared, null, 2);
  // Readable by its owner only: it is a signed payment.
  const keep = async () => {
    if (folder) await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(file, `${text}\n`, { mode: 0o600 });
  };
  const isKept = await keep().then(
    () => true,
    () => false,
  );
  const last = cause instanceof Error ? cause.message : String(cause);
  const detail = `The payment was sent and it is not known whether it was charged (${last}).`;
  const where = isKept
    ? [`It is kept in ${file}.`]
    : [`It could not be kept here. Put these lines into ${file}:`, ...text.split("\n")];
  return {
    lines: [detail, ...where, `Get its answer without paying again: assay resume ${file}`],
    document: {
      ...{ code, detail, exitCode: failureCodes.outcomeUnknown },
      paymentFile: isKept ? file : undefined,
    },
  };
}
