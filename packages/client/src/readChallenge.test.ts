import { describe, expect, it } from "vitest";
import {
  PaymentRefusedError,
  ProblemError,
  UnacceptableChallengeError,
  UnexpectedResponseError,
} from "./errors.js";
import type { HttpAnswer } from "./exchange.js";
import { readChallenge } from "./readChallenge.js";

const usdc = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const option = {
  scheme: "exact",
  network: "eip155:8453",
  asset: usdc,
  amount: "5000",
  payTo: "0x0000000000000000000000000000000000000001",
  maxTimeoutSeconds: 300,
  extra: { name: "USD Coin", version: "2" },
};

function answerOf(accepts: unknown, error = "payment_required", status = 402): HttpAnswer {
  const challenge = { x402Version: 2, error, resource: { url: "http://service.test/" }, accepts };
  const headers = new Headers({
    "payment-required": Buffer.from(JSON.stringify(challenge)).toString("base64"),
  });
  return { url: "http://service.test/", status, headers, bytes: new Uint8Array() };
}

describe("readChallenge", () => {
  it("picks the payment it makes among others, whatever the casing of the asset", () => {
    const others = [
      { ...option, network: "eip155:1" },
      { scheme: "upto" },
      { ...option, asset: option.payTo },
    ];
    const { requirements, paymentRequired } = readChallenge(answerOf([...others, option]), [
      usdc.toLowerCase() as `0x${string}`,
    ]);
    expect(requirements).toEqual(option);
    expect(paymentRequired.accepts).toEqual([option]);
  });

  it.each([
    ["another network", { ...option, network: "eip155:1" }],
    ["another scheme", { ...option, scheme: "upto" }],
    ["another asset", { ...option, asset: option.payTo }],
    ["another way to transfer", { ...option, extra: { ...option.extra, assetTransferMethod: "permit2" } }],
    ["no amount", { ...option, amount: "-1" }],
    ["a payment that is good for a year", { ...option, maxTimeoutSeconds: 31_536_000 }],
  ])("refuses %s", (_name, offered) => {
    expect(() => readChallenge(answerOf([offered]), [usdc])).toThrow(UnacceptableChallengeError);
  });

  it("signs for an hour at most", () => {
    const hour = { ...option, maxTimeoutSeconds: 3600 };
    expect(readChallenge(answerOf([hour]), [usdc]).requirements).toEqual(hour);
    const longer = { ...option, maxTimeoutSeconds: 3601 };
    expect(() => readChallenge(answerOf([longer]), [usdc])).toThrow(
      "signs for at most 3600 s. Nothing was signed.",
    );
  });

  it("takes the reasons a quote no longer stands for what they are", () => {
    expect(() => readChallenge(answerOf([option], "quote_expired"), [usdc])).toThrow(PaymentRefusedError);
    expect(() => readChallenge(answerOf([option], "quote_expired"), [usdc])).toThrow(
      "The quote has expired.",
    );
  });

  it("takes nothing else for a challenge", () => {
    const bare = { ...answerOf([option]), headers: new Headers() };
    expect(() => readChallenge(bare, [usdc])).toThrow(UnexpectedResponseError);
    expect(() => readChallenge(answerOf([option], undefined, 200), [usdc])).toThrow(
      "where a 402 was expected",
    );
    expect(() => readChallenge(answerOf("none"), [usdc])).toThrow("not x402 version 2");
    const problem = {
      type: "about:blank",
      title: "t",
      status: 400,
      detail: "d",
      code: "invalid_input",
      requestId: "r",
    };
    const refused = {
      ...answerOf([option], undefined, 400),
      bytes: new TextEncoder().encode(JSON.stringify(problem)),
    };
    expect(() => readChallenge(refused, [usdc])).toThrow(ProblemError);
  });
});
