import { readFileSync } from "node:fs";
import { join } from "node:path";
import { channelErrors, errorCodes, type Problem, paymentErrors } from "@assay/protocol";
import { describe, expect, it } from "vitest";
import { AssayClientError } from "./assayClientError.js";
import { ChannelDisputeError } from "./channel/channelDisputeError.js";
import {
  BudgetError,
  ChainNodeError,
  ForeignAudienceError,
  NoAccountError,
  OtherAnswerError,
  PaymentOutcomeUnknownError,
  PaymentRefusedError,
  ProblemError,
  ServiceUnreachableError,
  SpendLimitError,
  UnacceptableChallengeError,
  UnexpectedResponseError,
} from "./errors.js";
import { type GuardRefusal, GuardRefusedError } from "./guardRefusedError.js";
import * as client from "./index.js";
import { InvalidArgumentError } from "./invalidArgumentError.js";
import type { AnyPreparedPayment } from "./preparedPayment.js";
import { readSavedAnswer } from "./testing/savedAnswers.js";
import { VerificationError } from "./verificationError.js";

const url = "https://assay.example/api/v1/capabilities";
const unexpected = (status: number) => new UnexpectedResponseError(url, status, new Uint8Array(), "a page");
const problem = (code: Problem["code"]) =>
  new ProblemError({ type: "about:blank", title: "", status: 503, detail: "No.", code, requestId: "req_1" });
const refusedBy = (refusal: GuardRefusal) =>
  new GuardRefusedError(refusal, readSavedAnswer("contract.guard.block.json").answer, "Because.");
const prepared = { validBefore: "2030-01-01T00:00:00.000Z" } as AnyPreparedPayment;

const errors: readonly (readonly [AssayClientError, code: string, retryable: boolean])[] = [
  [new ServiceUnreachableError(url, new Error("refused")), "service_unreachable", true],
  [unexpected(200), "unexpected_response", false],
  [unexpected(429), "unexpected_response", true],
  [unexpected(502), "unexpected_response", true],
  [problem("invalid_input"), "invalid_input", false],
  [problem("overloaded"), "overloaded", true],
  [new SpendLimitError("chain.snapshot", 2, 1), "price_above_limit", false],
  [new BudgetError("chain.snapshot", 2, 1), "budget_exceeded", false],
  [refusedBy("block"), "guard_refused", false],
  [refusedBy("expired"), "guard_refused", true],
  [new UnacceptableChallengeError("No."), "unacceptable_challenge", false],
  [new UnacceptableChallengeError("Ended.", { retryable: true }), "unacceptable_challenge", true],
  [new ForeignAudienceError("https://one.example", "https://two.example"), "foreign_audience", false],
  [new ChainNodeError("No.", { retryable: true }), "chain_node_unusable", true],
  [new ChainNodeError("No.", { retryable: false }), "chain_node_unusable", false],
  [new NoAccountError("Paying"), "no_wallet", false],
  [new PaymentRefusedError("payment_refused: insufficient_funds"), "payment_refused", false],
  [new PaymentRefusedError("quote_expired"), "quote_expired", true],
  [new ChannelDisputeError("The service says otherwise."), "channel_disputed", false],
  [new OtherAnswerError("It is about another address."), "other_answer", false],
  // A second call would sign a second payment.
  [new PaymentOutcomeUnknownError(prepared, new Error("timeout")), "payment_outcome_unknown", false],
  [new InvalidArgumentError("baseUrl must be an address."), "invalid_argument", false],
  [new VerificationError("answer", []), "not_verified", false],
];

describe("every error of the client", () => {
  it.each(errors)("%s has code %s and retryable %s", (error, code, retryable) => {
    expect(error).toBeInstanceOf(AssayClientError);
    expect(error).toBeInstanceOf(Error);
    expect({ code: error.code, retryable: error.retryable }).toEqual({ code, retryable });
    expect(error.name).toBe(error.constructor.name);
    expect(error.message).not.toBe("");
  });

  it("is in the list above, and extends the one base class", () => {
    const exported = Object.entries(client).filter(([name]) => name.endsWith("Error"));
    const listed = new Set(errors.map(([error]) => error.name));
    expect(exported.map(([name]) => name).sort()).toEqual(["AssayClientError", ...listed].sort());
  });

  it("has its section in docs/errors.md, and so has every code", () => {
    const page = readFileSync(join(import.meta.dirname, "../docs/errors.md"), "utf8");
    const sections = new Set([...page.matchAll(/^### (\S+)$/gm)].map(([, name]) => `docs/errors.md#${name}`));
    for (const [error] of errors) {
      expect(sections).toContain(error.docs);
      expect(page).toContain(`| \`${error.name}\` |`);
    }
    const codes = Object.keys({ ...errorCodes, ...paymentErrors, ...channelErrors });
    expect(codes.filter((code) => !sections.has(`docs/errors.md#${code}`))).toEqual([]);
    expect(new PaymentRefusedError("of_tomorrow").docs).toBe("docs/errors.md#payment_refused");
  });
});
