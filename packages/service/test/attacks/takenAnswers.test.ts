import {
  type Artifact,
  artifactIdOf,
  capabilityResultSchema,
  NETWORK,
  type PaymentPayload,
  type PaymentRequired,
  type Receipt,
  resultHashOf,
} from "@assay/protocol";
import { decodeFunctionData, type Hex, parseAbi } from "viem";
import { describe, expect, test } from "vitest";
import { digestOf } from "../../src/payments/paymentDigest.js";
import { asPost, fetchChallenge, pay, payPriceNow, send, signPayment } from "../payer.js";
import { useTestService } from "../useTestService.js";

// A stranger reads the chain and every public route, and tries to get what somebody else has paid for.
const service = useTestService({ RATE_LIMITS: "off" });

const transferAbi = parseAbi([
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
]);

/** The payment as the settlement's calldata shows it to everybody. */
async function readPaymentFromChain(response: Response): Promise<PaymentPayload["payload"]> {
  const settled = JSON.parse(
    Buffer.from(response.headers.get("payment-response") ?? "", "base64").toString(),
  );
  const transaction = await service.context.chain.request("eth_getTransactionByHash", [settled.transaction]);
  const { input } = transaction as { input: Hex };
  const { args } = decodeFunctionData({ abi: transferAbi, data: input });
  const [from, to, value, validAfter, validBefore, nonce, v, r, s] = args;
  const signature: Hex = `${r}${s.slice(2)}${v.toString(16).padStart(2, "0")}`;
  const authorization = {
    from,
    to,
    value: String(value),
    validAfter: String(validAfter),
    validBefore: String(validBefore),
    nonce,
  };
  return { signature, authorization } as PaymentPayload["payload"];
}

/** A payment from the chain's authorization and this offer. */
const accept = (
  payload: PaymentPayload["payload"],
  challenge: PaymentRequired,
  change: (offer: PaymentRequired["accepts"][number]) => object = (offer) => offer,
): PaymentPayload => {
  const [offer] = challenge.accepts;
  if (!offer) throw new Error("the challenge offers nothing");
  return { x402Version: 2, resource: challenge.resource, accepted: change(offer), payload } as PaymentPayload;
};

async function buyPrivate(name: string) {
  const url = service.invokeUrl("evidence.artifact", { artifactId: await artifactId() });
  const { payment, response } = await payPriceNow(url, service.account(name));
  expect(response.status).toBe(200);
  return { url, payment, response, text: await response.text() };
}

async function artifactId(): Promise<string> {
  const address = service.chainOf.contracts.plainToken;
  const guard = await service.buy(service.invokeUrl("contract.guard", { address }), "carol");
  return guard.evidenceReference.artifactId;
}

describe("what the chain shows of a payment gets its answer for nobody else", () => {
  test("the authorization with an offer that was made up", async () => {
    const { url, payment, response, text } = await buyPrivate("alice");
    const shown = await readPaymentFromChain(response);
    expect(shown.signature).toBe(payment.payload.signature);
    const challenge = await fetchChallenge(url);
    const madeUp: ((offer: PaymentRequired["accepts"][number]) => object)[] = [
      (offer) => ({
        ...offer,
        amount: shown.authorization.value,
        extra: { ...offer.extra, ticket: "e30.AAAA" },
      }),
      (offer) => ({ ...offer, amount: shown.authorization.value, extra: {} }),
      (offer) => ({
        ...offer,
        amount: shown.authorization.value,
        extra: { ...offer.extra, quoteId: "quo_0" },
      }),
    ];
    for (const change of madeUp) {
      const stolen = await send(url, accept(shown, challenge, change));
      expect(stolen.status).toBe(402);
      expect(await stolen.text()).not.toContain(JSON.parse(text).invocationId);
    }
    const again = await send(url, payment);
    expect([again.status, await again.text()]).toEqual([200, text]);
  });

  test("the authorization with a ticket of the stranger's own, for the right question and for others alike", async () => {
    const url = service.invokeUrl("transaction.intent.guard");
    const intentOf = (value: string) =>
      asPost({
        from: service.account("bob").address,
        to: service.account("carol").address,
        data: "0x",
        value,
      });
    const { response } = await pay(url, service.account("bob"), intentOf("1"));
    expect(response.status).toBe(200);
    const shown = await readPaymentFromChain(response);
    const refusals = new Set<string | undefined>();
    for (const value of ["1", "2", "3"]) {
      const challenge = await fetchChallenge(url, intentOf(value));
      const stolen = await send(url, accept(shown, challenge), intentOf(value));
      expect(stolen.status).toBe(402);
      refusals.add(((await stolen.json()) as PaymentRequired).error);
    }
    expect([...refusals]).toEqual(["payment_already_used"]);
  });

  test("the id of its quote, which the receipt shows", async () => {
    const account = service.account("dave");
    const address = service.chainOf.contracts.taxedToken;
    const quote = (await (
      await fetch(service.quoteUrl("contract.guard", account.address, { address }))
    ).json()) as {
      quoteId: string;
      invokeUrl: string;
    };
    const { response } = await pay(quote.invokeUrl, account);
    expect(response.status).toBe(200);
    const shown = await readPaymentFromChain(response);
    const asked = await fetchChallenge(quote.invokeUrl);
    expect(JSON.stringify(asked)).not.toContain("buyerSecret");
    const stolen = await send(
      quote.invokeUrl,
      accept(shown, asked, (offer) => ({
        ...offer,
        amount: shown.authorization.value,
        extra: { name: offer.extra.name, version: offer.extra.version, quoteId: quote.quoteId },
      })),
    );
    expect(stolen.status).toBe(402);
  });
});

test("an answer sold before offers carried secrets is given again while its payment is valid, and never later", async () => {
  const { url, payment, text } = await buyPrivate("erin");
  const recordAsBefore = (validBefore: string) =>
    service.db.query({
      text: "UPDATE invocations SET digest_version = 1, payment_digest = $1, valid_before = $2 WHERE authorization_nonce = $3",
      values: [digestOf(payment, 1), validBefore, payment.payload.authorization.nonce],
    });
  await recordAsBefore(payment.payload.authorization.validBefore);
  const again = await send(url, payment);
  expect([again.status, await again.text()]).toEqual([200, text]);
  // All that such a payment shows is on the chain for everybody.
  await recordAsBefore("1");
  expect((await send(url, payment)).status).toBe(402);
});

test("what the log shows of a private answer is no way to try out what its payer asked", async () => {
  const { text } = await buyPrivate("alice");
  const { verdict, result, receiptUrl, ...answer } = capabilityResultSchema.parse(JSON.parse(text));
  const { resultHash, artifactId } = (await (await fetch(receiptUrl)).json()) as Receipt;
  expect([resultHash, artifactId]).toEqual([
    answer.evidenceReference.resultHash,
    answer.evidenceReference.artifactId,
  ]);
  // A stranger guesses the question, reads the same block, and knows the rule: all that it lacks was given to the buyer only.
  const { salt, ...evidence } = result.evidence as Record<string, unknown>;
  const { input, readings, block } = evidence as Pick<Artifact, "input" | "readings" | "block">;
  const { capabilityId, capabilityVersion } = answer;
  const { validUntilBlock } = result;
  const known = {
    capabilityId,
    capabilityVersion,
    network: NETWORK,
    input,
    readings,
    verdict,
    block,
    validUntilBlock,
  } as const;
  expect(resultHashOf(verdict, { ...result, evidence })).not.toBe(resultHash);
  expect(artifactIdOf(known)).not.toBe(artifactId);
  const guessed = await fetch(`${service.url}/api/v1/evidence/${artifactIdOf(known)}`);
  expect(guessed.status).toBe(404);
  // Control: the buyer's own check succeeds.
  expect(artifactIdOf({ ...known, salt: String(salt) })).toBe(artifactId);
  expect(String(salt)).toMatch(/^[0-9a-f]{32}$/);
});

test("each caller of one address is given a ticket with a secret of its own", async () => {
  const url = service.invokeUrl("contract.guard", { address: service.chainOf.contracts.beaconProxy });
  const tickets = new Set<unknown>();
  for (let call = 0; call < 5; call++) {
    const response = await fetch(url);
    const challenge = (await response.json()) as PaymentRequired;
    const header = JSON.parse(
      Buffer.from(response.headers.get("payment-required") ?? "", "base64").toString(),
    );
    expect(header).toEqual(challenge);
    expect(Number(response.headers.get("content-length"))).toBe(JSON.stringify(challenge).length);
    tickets.add(challenge.accepts[0]?.extra.ticket);
  }
  expect(tickets.size).toBe(5);
});

test("a ticket starts one call: another wallet cannot pay with it", async () => {
  const url = service.invokeUrl("chain.snapshot");
  const challenge = await fetchChallenge(url);
  const mine = await signPayment(service.account("erin"), challenge);
  const theirs = await signPayment(service.account("frank"), challenge);
  expect((await send(url, mine)).status).toBe(200);
  const refused = await send(url, theirs);
  expect(refused.status).toBe(402);
  expect(((await refused.json()) as PaymentRequired).error).toBe("ticket_used");
  expect((await send(url, mine)).status).toBe(200);
});
