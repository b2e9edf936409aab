import { describe, expect, it, vi } from "vitest";
import { PaymentOutcomeUnknownError, PaymentRefusedError, ProblemError } from "./errors.js";
import { type HttpAnswer, readOk } from "./exchange.js";
import type { PreparedPayment } from "./preparedPayment.js";
import { type SendOptions, sendPayment } from "./sendPayment.js";
import { skipWaits } from "./testing/skipWaits.js";

const prepared: PreparedPayment = {
  capabilityId: "chain.snapshot",
  request: {
    method: "GET",
    url: "http://service.test/api/v1/capabilities/chain.snapshot/invoke",
    body: null,
  },
  priceUsd: 0.005,
  amount: "5000",
  asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  payTo: "0x0000000000000000000000000000000000000001",
  payer: "0x0000000000000000000000000000000000000002",
  authorizationNonce: `0x${"11".repeat(32)}`,
  validBefore: "2030-01-01T00:00:00.000Z",
  paymentSignature: "c2lnbmVk",
};

const problem =
  (status: number, code: string, headers: Record<string, string> = { "retry-after": "0" }) =>
  () =>
    Response.json(
      { type: "about:blank", title: "t", status, detail: "d", code, requestId: "r" },
      { status, headers },
    );
const refusal = (error: string) => () => {
  const challenge = { x402Version: 2, error, resource: { url: "http://service.test/" }, accepts: [] };
  const header = Buffer.from(JSON.stringify(challenge)).toString("base64");
  return Response.json(challenge, { status: 402, headers: { "payment-required": header } });
};
const reset = () => {
  throw new TypeError("fetch failed", { cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }) });
};
const refusedConnection = () => {
  throw new TypeError("fetch failed", {
    cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }),
  });
};
const paid = () => Response.json({ paid: true });

const anything = { safeParse: (data: unknown) => ({ success: true as const, data }) };
const read = (answer: HttpAnswer) => readOk(answer, anything);

/** Gives the answers in order and repeats the last; records what was sent and when. */
function script(...answers: (() => Response)[]) {
  const sent: { atMs: number; payment: string | null }[] = [];
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    sent.push({ atMs: performance.now(), payment: new Headers(init?.headers).get("payment-signature") });
    return (answers[Math.min(sent.length, answers.length) - 1] as () => Response)();
  };
  return { fetch, sent };
}

type Budget = Parameters<typeof sendPayment>[4];

/** What comes of it in the end, without the pauses between attempts. */
const outcomeOf = (
  fetch: typeof globalThis.fetch,
  deadlineMs = 60_000,
  options: SendOptions = {},
  budget?: Budget,
) =>
  skipWaits(() =>
    sendPayment(fetch, prepared, read, { deadlineMs, ...options }, budget).catch((error: unknown) => error),
  );

describe("sendPayment", () => {
  it.each([503, 500, 502, 504, 429])("sends the same payment again after %d", async (status) => {
    const { fetch, sent } = script(problem(status, "internal_error"), paid);
    expect(await outcomeOf(fetch)).toEqual({ paid: true });
    expect(sent.map(({ payment }) => payment)).toEqual(["c2lnbmVk", "c2lnbmVk"]);
  });

  it("does not ask again for a page that is not there, and knows that it was free", async () => {
    const { fetch, sent } = script(problem(502, "web_page_unavailable"), paid);
    const error = await outcomeOf(fetch);
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({ code: "web_page_unavailable" });
    expect(sent).toHaveLength(1);
  });

  it("waits as long as Retry-After says", async () => {
    const { fetch, sent } = script(problem(503, "payment_in_flight", { "retry-after": "1" }), paid);
    await outcomeOf(fetch);
    expect((sent[1]?.atMs ?? 0) - (sent[0]?.atMs ?? 0)).toBe(1_000);
  });

  it("gives up at once when it is asked to wait beyond the deadline", async () => {
    const { fetch, sent } = script(problem(503, "payment_outcome_unknown", { "retry-after": "30" }));
    expect(await outcomeOf(fetch, 1_000)).toBeInstanceOf(PaymentOutcomeUnknownError);
    expect(sent).toHaveLength(1);
  });

  it("gives up with the plain error when nothing can have been charged", async () => {
    expect(await outcomeOf(script(problem(429, "rate_limited")).fetch, 50)).toBeInstanceOf(ProblemError);
    expect(await outcomeOf(script(refusedConnection).fetch, 50)).toMatchObject({
      name: "ServiceUnreachableError",
    });
  });

  it.each([
    ["a reset", reset],
    ["an unclear 503", problem(503, "payment_outcome_unknown")],
    ["a database outage, which can follow a settlement", problem(503, "database_unavailable")],
    ["a proxy's page", () => new Response("<h1>502</h1>", { status: 502 })],
  ])(
    "keeps the doubt of %s through a later refusal that is not about this payment",
    async (_name, trouble) => {
      for (const last of [
        refusal("ticket_invalid"),
        refusal("signature_invalid"),
        problem(404, "not_found"),
      ]) {
        const outcome = await outcomeOf(script(trouble, last).fetch);
        expect(outcome).toBeInstanceOf(PaymentOutcomeUnknownError);
        expect(outcome).toMatchObject({ prepared });
      }
    },
  );

  it("begins in doubt about a payment that was sent before, until the service has found it", async () => {
    const resume = (...answers: Parameters<typeof script>) =>
      outcomeOf(script(...answers).fetch, 50, { wasSent: true });
    for (const answer of [refusedConnection, refusal("ticket_invalid"), problem(429, "rate_limited")])
      expect(await resume(answer)).toBeInstanceOf(PaymentOutcomeUnknownError);
    expect(await resume(refusal("quote_expired"))).toBeInstanceOf(PaymentRefusedError);
    expect(await resume(paid)).toEqual({ paid: true });
  });

  it("trusts a refusal that the service made after it found the payment", async () => {
    const outcome = await outcomeOf(script(reset, refusal("payment_failed: out of gas")).fetch);
    expect(outcome).toBeInstanceOf(PaymentRefusedError);
    expect(outcome).toMatchObject({ code: "payment_failed", reason: "out of gas" });
  });

  it("does not retry what cannot succeed", async () => {
    const { fetch, sent } = script(refusal("quote_expired"), paid);
    expect(await outcomeOf(fetch)).toMatchObject({ name: "PaymentRefusedError", code: "quote_expired" });
    expect(sent).toHaveLength(1);
    expect(await outcomeOf(script(problem(400, "invalid_payment_header")).fetch)).toBeInstanceOf(
      ProblemError,
    );
  });

  it("takes a 402 without a challenge for an unknown outcome, and follows no redirect", async () => {
    const outcome = await outcomeOf(script(() => new Response("pay up", { status: 402 })).fetch);
    expect(outcome).toBeInstanceOf(PaymentOutcomeUnknownError);
    const moved = () => new Response(null, { status: 307, headers: { location: "http://elsewhere.test/" } });
    expect(await outcomeOf(script(moved).fetch, 50)).toBeInstanceOf(PaymentOutcomeUnknownError);
  });

  it.each([
    ["404 of a proxy", () => new Response("<h1>404</h1>", { status: 404 })],
    ["redirect to a login", () => new Response(null, { status: 302, headers: { location: "/login" } })],
    ["200 of a captive portal", () => new Response("<h1>Welcome</h1>")],
    ["200 cut short", () => new Response('{"paid": tr')],
  ])("does not take a %s for the service's answer to a payment", async (_name, page) => {
    expect(await outcomeOf(script(page, paid).fetch)).toEqual({ paid: true });
    const settle = vi.fn();
    const outcome = await outcomeOf(script(page).fetch, 50, {}, { settle });
    expect(outcome).toBeInstanceOf(PaymentOutcomeUnknownError);
    expect(outcome).toMatchObject({ prepared, cause: { name: "UnexpectedResponseError" } });
    expect(settle).not.toHaveBeenCalled();
  });

  it("stops waiting when its signal is aborted", async () => {
    const { fetch, sent } = script(problem(503, "payment_outcome_unknown", { "retry-after": "20" }));
    const stop = new AbortController();
    const stopSoon: typeof fetch = (url, init) => {
      setTimeout(() => stop.abort(), 50);
      return fetch(url, init);
    };
    const waitedMs = await skipWaits(async () => {
      const startedAtMs = Date.now();
      const sending = sendPayment(stopSoon, prepared, read, { signal: stop.signal });
      await expect(sending).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
      return Date.now() - startedAtMs;
    });
    expect(waitedMs).toBe(50);
    expect(sent).toHaveLength(1);
  });
});
