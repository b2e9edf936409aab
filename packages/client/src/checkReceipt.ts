import { isWholeMicroUsd, microUsdFromNumber, type Receipt, receiptSchema } from "@assay/protocol";
import { findWrongLeaf, findWrongPlace } from "./checkLogInclusion.js";
import type { VerifyOptions } from "./checkResult.js";
import { checkVoucher } from "./checkVoucher.js";
import { findIssue } from "./readSaved.js";
import {
  fail,
  leaveOut,
  pass,
  toVerification,
  type Verification,
  type VerificationStep,
} from "./verification.js";

/**
 * Checks a receipt offline and without the answer: that its amounts agree, that its payer signed the voucher where a channel
 * paid, that the log's entry says the same, and that
 * the entry stands in a log signed by its key. Only `checkResult` checks that it is the receipt of an answer.
 */
export async function checkReceipt(
  value: unknown,
  { logKey }: Pick<VerifyOptions, "logKey"> = {},
): Promise<Verification> {
  const issue = findIssue(receiptSchema, value, "a receipt");
  if (issue) return toVerification([fail("shape", issue)]);
  const receipt = value as Receipt;
  return toVerification([
    pass("shape", `A receipt of ${receipt.capabilityId} ${receipt.capabilityVersion}.`),
    checkPrice(receipt),
    ...(await checkVoucher(receipt)),
    ...checkPlace(receipt, logKey),
  ]);
}

function checkPrice({ pricing, payment }: Receipt): VerificationStep {
  const { listPriceUsd, creditAppliedUsd, pricePaidUsd } = pricing;
  if (![listPriceUsd, creditAppliedUsd, pricePaidUsd].every(isWholeMicroUsd))
    return fail("price", "An amount is finer than a millionth of a dollar.");
  const list = microUsdFromNumber(listPriceUsd);
  const credit = microUsdFromNumber(creditAppliedUsd);
  const paid = microUsdFromNumber(pricePaidUsd);
  if (String(paid) !== payment.amount)
    return fail("price", `The price is ${paid} millionths of a dollar, the payment ${payment.amount}.`);
  return list - credit === paid
    ? pass("price", `${list} less ${credit} in credit is ${paid}, in millionths of a dollar.`)
    : fail("price", `${list} less ${credit} in credit is not ${paid}, in millionths of a dollar.`);
}

function checkPlace(receipt: Receipt, logKey: string | undefined): VerificationStep[] {
  const { log, state } = receipt;
  if (!log) {
    const why =
      state === "settled" || state === "reorged"
        ? "the log gave no place yet; ask again later."
        : `the call is ${state}.`;
    return [leaveOut("leaf", why), leaveOut("logInclusion", why)];
  }
  // Only what was settled and charged is logged as a receipt; a reorganisation may have undone the charge since.
  const isSettled = state === "settled" && receipt.charged === true && receipt.failure === null;
  const isUndone = state === "reorged" && receipt.charged === false;
  const wrongLeaf =
    isSettled || isUndone
      ? findWrongLeaf(receipt, log)
      : "It has an entry in the log, and says that it was not settled.";
  const leaf = wrongLeaf
    ? fail("leaf", wrongLeaf)
    : pass("leaf", `The entry says the same as this receipt and hashes to ${log.leafHash}.`);
  return [leaf, checkHead(log, logKey)];
}

function checkHead(log: NonNullable<Receipt["log"]>, logKey: string | undefined): VerificationStep {
  const wrong = findWrongPlace(log);
  if (wrong) return fail("logInclusion", wrong);
  if (logKey !== undefined && log.publicKey !== logKey)
    return fail("logInclusion", `The log is signed with ${log.publicKey}, not with ${logKey}.`);
  const trust = logKey === undefined ? "" : ", as expected";
  return pass(
    "logInclusion",
    `Entry ${log.index} of ${log.size} in ${log.origin}, signed with ${log.publicKey}${trust}.`,
  );
}
