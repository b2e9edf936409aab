import { writeFile } from "node:fs/promises";
import {
  ForeignAudienceError,
  NoAccountError,
  PaymentOutcomeUnknownError,
  PaymentRefusedError,
  ProblemError,
  ServiceUnreachableError,
  SpendLimitError,
} from "../errors.js";
import { findInputFlag } from "./inputOptions.js";

/**
 * What went wrong and what to do next, as lines that are made printable where they are printed: much of it is the
 * service's word. A payment whose outcome is unknown is kept in a file.
 */
export async function describeFailure(error: unknown, url: string): Promise<readonly string[]> {
  if (error instanceof ProblemError) return describeProblem(error);
  if (error instanceof PaymentOutcomeUnknownError) return keepPayment(error);
  return [describeInOneLine(error, url)];
}

function describeInOneLine(error: unknown, url: string): string {
  if (error instanceof ServiceUnreachableError) {
    return `No service answers at ${url}. Start it with npm start, or name another address with --url or ASSAY_URL.`;
  }
  if (error instanceof NoAccountError) {
    return "This needs a wallet. Give --private-key-file, set ASSAY_PRIVATE_KEY, or start a service here with npm start: it writes test wallets into .data/devnet.json (--data-dir names another place).";
  }
  if (error instanceof SpendLimitError) {
    const { priceUsd, maxPriceUsd } = error;
    return `The price is ${priceUsd} USD and the limit ${maxPriceUsd} USD. Nothing was signed. Pass --max-price ${priceUsd} to allow it.`;
  }
  if (error instanceof ForeignAudienceError) {
    const { audience } = error;
    return `The service at ${url} asks for signatures that are good for ${audience}. Nothing was signed. If that is its own public address, pass --audience ${audience} or reach it by --url ${audience}.`;
  }
  if (error instanceof PaymentRefusedError && error.reason?.includes("insufficient")) {
    return `${error.message} The wallet does not hold enough of the stablecoin.`;
  }
  return error instanceof Error ? error.message : String(error);
}

function describeProblem({ fields, code, requestId, message }: ProblemError): string[] {
  if (fields.length === 0) return [message];
  return [
    "The service refused the input.",
    ...fields.map(({ field, rule }) => `  ${findInputFlag(field) ?? field} ${rule}`),
    `  (${code}, request ${requestId})`,
  ];
}

async function keepPayment({ prepared, cause }: PaymentOutcomeUnknownError): Promise<string[]> {
  const file = `assay-payment-${prepared.authorizationNonce.slice(2, 14)}.json`;
  // Readable by its owner only: it is a signed payment.
  await writeFile(file, `${JSON.stringify(prepared, null, 2)}\n`, { mode: 0o600 });
  const last = cause instanceof Error ? cause.message : String(cause);
  return [
    `The payment was sent and it is not known whether it was charged (${last}).`,
    `It is kept in ${file}. Get its answer without paying again: assay resume ${file}`,
  ];
}
