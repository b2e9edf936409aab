import {
  type TokenMetadataReadings,
  tokenMetadataReadingsSchema,
} from "@assay/capabilities/token.metadata/readings";
import type { CapabilityResult } from "@assay/protocol";
import { createTestClient, http } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, expectTypeOf, it, vi } from "vitest";
import { checkResult, type VerifyOptions } from "./checkResult.js";
import { type Client, type ClientConfig, createClient } from "./createClient.js";
import {
  NoAccountError,
  OtherAnswerError,
  PaymentOutcomeUnknownError,
  PaymentRefusedError,
  ProblemError,
  ServiceUnreachableError,
  SpendLimitError,
  UnacceptableChallengeError,
} from "./errors.js";
import { InvalidArgumentError } from "./invalidArgumentError.js";
import type { ResultOf } from "./paidAnswer.js";
import { findClosedAddress } from "./testing/findClosedAddress.js";
import { startOwnService } from "./testing/startOwnService.js";
import type { RunningService } from "./testing/startService.js";
import { startUnreliableProxy, type UnreliableProxy } from "./testing/startUnreliableProxy.js";

let service: RunningService;
let proxy: UnreliableProxy;
beforeAll(async () => {
  service = await startOwnService();
  proxy = await startUnreliableProxy(service.url);
});
afterAll(async () => {
  await proxy?.stop();
  await service?.stop();
});

const clientOf = (name: string, baseUrl = service.url): Client =>
  createClient({ baseUrl, account: service.wallet(name) });

/** What `act` took from the wallet, in micro-USD. */
async function spentBy(name: string, act: () => Promise<unknown>): Promise<bigint> {
  const { address } = service.wallet(name);
  const before = await service.balanceOf(address);
  await act();
  return before - (await service.balanceOf(address));
}

/** Mines past the end of an answer, and waits until the service has noticed. */
async function endAnswer({ result, evidenceReference }: CapabilityResult): Promise<void> {
  const chain = createTestClient({ mode: "hardhat", transport: http(service.rpcUrl) });
  await chain.mine({ blocks: result.validUntilBlock - result.computedAtBlock + 1 });
  const isLive = async () => (await clientOf("alice").evidence(evidenceReference.artifactId)).validity.isLive;
  while (await isLive()) await new Promise((resume) => setTimeout(resume, 50));
}

describe("reading", () => {
  it("gets the catalog and the state of the service without a wallet", async () => {
    const client = createClient({ baseUrl: `${service.url}/` });
    const { capabilities } = await client.catalog();
    expect(capabilities.map(({ id }) => id)).toContain("contract.guard");
    expect((await client.health()).status).toBe("ready");
    await expect(client.quote("chain.snapshot", {})).rejects.toThrow(NoAccountError);
    await expect(client.call("chain.snapshot", {})).rejects.toThrow(NoAccountError);
  });

  it("asks nobody about the private key of the wallet that pays", async () => {
    const key = generatePrivateKey();
    const asked: string[] = [];
    const client = createClient({
      baseUrl: service.url,
      account: privateKeyToAccount(key),
      fetch: async (input) => {
        asked.push(String(input instanceof Request ? input.url : input));
        throw new Error("nobody is to be asked");
      },
    });
    const input = { txHash: key };
    await expect(client.call("trade.execution.notarize", input)).rejects.toThrow(InvalidArgumentError);
    await expect(client.quote("trade.execution.notarize", input)).rejects.toThrow(
      /private key of the wallet/,
    );
    await expect(client.price("trade.execution.notarize", input)).rejects.toThrow(InvalidArgumentError);
    expect(asked).toEqual([]);
  });

  it("states the price of a call without a wallet", async () => {
    const client = createClient({ baseUrl: service.url });
    const address = service.contract("erc721");
    expect(await client.price("contract.guard", { address })).toBe(0.1);
    await expect(client.price("contract.guard", { address: "0x12" })).rejects.toMatchObject({ status: 400 });
  });

  it("says so when nobody answers", async () => {
    const failure = await createClient({ baseUrl: await findClosedAddress() })
      .catalog()
      .catch((error) => error);
    expect(failure).toBeInstanceOf(ServiceUnreachableError);
    expect(failure.message).toContain("ECONNREFUSED");
  });

  it("turns a problem document into an error that names the field", async () => {
    const failure = await clientOf("alice")
      .call("contract.guard", { address: "0x12" })
      .catch((error) => error);
    expect(failure).toBeInstanceOf(ProblemError);
    expect(failure).toMatchObject({ status: 400, code: "invalid_input", retryable: false });
    expect(failure.fields).toEqual([{ field: "address", rule: expect.stringContaining("40 hex digits") }]);
    await expect(clientOf("alice").receipt("inv_none")).rejects.toMatchObject({
      status: 404,
      code: "not_found",
    });
  });
});

describe("paying", () => {
  it("quotes, pays exactly the price and gets a verifiable answer; the next wallet pays less", async () => {
    const address = service.contract("upgradeableProxy");
    const alice = clientOf("alice");
    const quote = await alice.quote("contract.guard", { address });
    expect(quote).toMatchObject({ capabilityId: "contract.guard", cacheStatus: "miss", priceUsd: 0.1 });

    let paid: Awaited<ReturnType<typeof alice.call<"contract.guard">>> | undefined;
    const missed = await spentBy("alice", async () => {
      paid = await alice.call("contract.guard", { address });
    });
    expect(missed).toBe(100_000n);
    expect(paid?.answer).toMatchObject({ verdict: "review", pricing: { pricePaidUsd: 0.1 } });
    expect(paid?.settlement).toMatchObject({ amount: "100000", network: "eip155:8453" });
    expect(await service.wasMined(paid?.settlement?.transaction ?? "0x")).toBe(true);
    expect(JSON.parse(new TextDecoder().decode(paid?.rawBody))).toEqual(paid?.answer);
    const { signingAddress } = await alice.catalog();
    const verification = await checkResult(paid?.answer, { signer: signingAddress });
    expect(verification.steps.filter(({ ok }) => !ok)).toEqual([]);

    const receipt = await alice.receipt(paid?.answer.invocationId ?? "");
    expect(receipt).toMatchObject({ state: "settled", charged: true, pricing: { pricePaidUsd: 0.1 } });
    expect(receipt.payment.transaction).toBe(paid?.settlement?.transaction);

    const hit = await spentBy("bob", async () => {
      const { answer } = await clientOf("bob").call("contract.guard", { address });
      expect(answer.pricing.actualCacheStatus).toBe("hit");
      expect(answer.evidenceReference.artifactId).toBe(paid?.answer.evidenceReference.artifactId);
      expect((await checkResult(answer, { signer: signingAddress })).ok).toBe(true);
    });
    expect(hit).toBe(20_000n);
  });

  it("pays the plain challenge when asked to", async () => {
    const fetch = vi.fn(globalThis.fetch);
    const client = createClient({ baseUrl: service.url, account: service.wallet("carol"), fetch });
    const spent = await spentBy("carol", async () => {
      const { answer, settlement } = await client.call("chain.snapshot", {}, { useQuote: false });
      expect(answer.verdict).toBe("allow");
      expect(settlement?.payer?.toLowerCase()).toBe(service.wallet("carol").address.toLowerCase());
      expect((await checkResult(answer)).ok).toBe(true);
    });
    expect([2_000n, 5_000n]).toContain(spent);
    expect(fetch.mock.calls.map(([url]) => String(url)).filter((url) => url.includes("quote"))).toEqual([]);
  });

  it("goes step by step; a payment sent twice is charged once and gets the same answer", async () => {
    const dave = clientOf("dave");
    const quote = await dave.quote("contract.guard", { address: service.contract("minimalProxy") });
    const prepared = await dave.prepare(quote);
    expect(prepared).toMatchObject({ priceUsd: quote.priceUsd, payer: service.wallet("dave").address });
    const stored = JSON.parse(JSON.stringify(prepared)) as typeof prepared;
    const spent = await spentBy("dave", async () => {
      const first = await dave.send(prepared);
      const again = await dave.send(stored);
      expect(again.rawBody).toEqual(first.rawBody);
    });
    expect(spent).toBe(100_000n);
    const failure = await dave.prepare(quote).catch((error) => error);
    expect(failure).toBeInstanceOf(PaymentRefusedError);
    expect(failure.code).toBe("quote_used");
  });

  it("buys an ended answer again, and verifies it with the rule and the proofs of its own capability", async () => {
    const address = service.contract("beaconProxy");
    const { answer: ended } = await clientOf("judy").call("contract.guard", { address });
    await endAnswer(ended);
    const { artifactId } = ended.evidenceReference;
    const { answer } = await clientOf("judy").call("evidence.artifact", { artifactId });
    expect(answer.result.refreshed).toBeDefined();
    const { steps } = await checkResult(answer);
    expect(steps.filter(({ ok }) => !ok)).toEqual([]);
    const details = Object.fromEntries(steps.map(({ name, detail }) => [name, detail]));
    expect(details.rule).toContain(" result.refreshed: contract.guard ");
    expect(details.stateProofs).toMatch(/^result\.refreshed: [0-9]+ facts proven to the state root/);
  });

  it("reports why a payment was refused", async () => {
    const pauper = createClient({ baseUrl: service.url, account: privateKeyToAccount(generatePrivateKey()) });
    const failure = await pauper.call("chain.snapshot", {}).catch((error) => error);
    expect(failure).toBeInstanceOf(PaymentRefusedError);
    expect(failure.code).toBe("payment_refused");
    expect(failure.message).toContain("Nothing was charged");
  });
});

describe("refusing to pay", () => {
  const watched = (options: Partial<ClientConfig> = {}) => {
    const account = service.wallet("erin");
    const signTypedData = vi.fn(account.signTypedData);
    const client = createClient({
      baseUrl: service.url,
      account: { address: account.address, signTypedData },
      ...options,
    });
    return { client, signTypedData };
  };

  it("signs nothing above the limit, with a quote or without", async () => {
    const { client, signTypedData } = watched({ maxPriceUsd: 0.001 });
    for (const useQuote of [true, false]) {
      const failure = await client.call("chain.snapshot", {}, { useQuote }).catch((error) => error);
      expect(failure).toBeInstanceOf(SpendLimitError);
      expect(failure.maxPriceUsd).toBe(0.001);
      expect(failure.priceUsd).toBeGreaterThan(0.001);
    }
    expect(signTypedData).not.toHaveBeenCalled();
    await client.call("chain.snapshot", {}, { maxPriceUsd: 0.005 });
    expect(signTypedData).toHaveBeenCalledOnce();
  });

  it("signs nothing in an asset that the caller did not allow", async () => {
    const { client, signTypedData } = watched({ assets: ["0x4200000000000000000000000000000000000006"] });
    await expect(client.call("chain.snapshot", {})).rejects.toThrow(UnacceptableChallengeError);
    expect(signTypedData).not.toHaveBeenCalled();
  });

  it("signs nothing when the challenge asks more than the quote said", async () => {
    const { client, signTypedData } = watched();
    const quote = await client.quote("chain.snapshot", {});
    await expect(client.prepare({ ...quote, priceUsd: 0.001 })).rejects.toThrow("The quote is 0.001 USD");
    expect(signTypedData).not.toHaveBeenCalled();
  });

  describe("where the stored answer that a price was for ends before the payment arrives", () => {
    /** Brings a stored answer about, whose price ends with it. */
    const storeAnswer = async () => (await clientOf("alice").call("chain.snapshot", {})).answer;
    /** Holds back the first payment until the stored answer has ended. */
    const late = (stored: CapabilityResult, options: Partial<ClientConfig> = {}) => {
      let isHeld = false;
      const fetchLate: typeof fetch = async (input, init) => {
        if (new Headers(init?.headers).has("payment-signature") && !isHeld) {
          isHeld = true;
          await endAnswer(stored);
        }
        return fetch(input, init);
      };
      return watched({ fetch: fetchLate, ...options });
    };
    /** Refuses payments in the service's place, without a charge; `paid` holds where each was sent. */
    const refusing = (error: string, isRefused: () => boolean) => {
      const header = btoa(JSON.stringify({ x402Version: 2, error, resource: { url: "x" }, accepts: [] }));
      const paid: string[] = [];
      const fetchRefusing: typeof fetch = async (input, init) => {
        if (!new Headers(init?.headers).has("payment-signature")) return fetch(input, init);
        paid.push(String(input));
        if (!isRefused()) return fetch(input, init);
        return new Response("{}", { status: 402, headers: { "payment-required": header } });
      };
      return { ...watched({ fetch: fetchRefusing }), paid };
    };
    const noncesOf = (signTypedData: ReturnType<typeof late>["signTypedData"]) =>
      signTypedData.mock.calls.map(([{ message }]) => message.nonce);

    it.each([true, false])(
      "the new price is asked for and paid once, under a nonce of its own (with a quote: %s)",
      async (useQuote) => {
        const { client, signTypedData } = late(await storeAnswer());
        const spent = await spentBy("erin", () => client.call("chain.snapshot", {}, { useQuote }));
        const [first, second, ...more] = signTypedData.mock.calls.map(([{ message }]) => message.value);
        expect([second, more]).toEqual([spent, []]);
        expect(Number(second)).toBeGreaterThan(Number(first));
        expect(new Set(noncesOf(signTypedData)).size).toBe(2);
      },
    );

    it("a new price above the limit is an error that names both, and nothing more is signed", async () => {
      const { client, signTypedData } = late(await storeAnswer());
      const spent = await spentBy("erin", async () => {
        const limits = { useQuote: false, maxPriceUsd: 0.004 };
        const failure = await client.call("chain.snapshot", {}, limits).catch((error) => error);
        expect(failure).toBeInstanceOf(SpendLimitError);
        expect(failure).toMatchObject({ priceUsd: 0.005, maxPriceUsd: 0.004 });
      });
      expect(spent).toBe(0n);
      expect(noncesOf(signTypedData).length).toBe(1);
    });

    it("it asks again once, and not for ever", async () => {
      const { client, paid } = refusing("ticket_expired", () => true);
      await expect(client.call("chain.snapshot", {})).rejects.toThrow(PaymentRefusedError);
      expect(paid).toHaveLength(2);
    });

    it("pays without a quote where other calls of the wallet spent the credit that the quote relied on", async () => {
      const { client, paid } = refusing("quote_credit_spent", () => paid.length === 1);
      const address = service.contract("plainToken");
      await expect(client.call("contract.interface", { address })).resolves.toMatchObject({});
      expect(paid.map((url) => new URL(url).searchParams.has("quote"))).toEqual([true, false]);
    });
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1e-7, -1, null, "1"])(
    "does not accept %s as a limit",
    (usd) => {
      for (const name of ["maxPriceUsd", "maxTotalUsd"])
        expect(() => createClient({ baseUrl: service.url, [name]: usd })).toThrow(
          `${name} must be an amount in USD from 0 up, in whole millionths; ${usd} is not.`,
        );
    },
  );

  /** Lets the service's challenges ask for something else. */
  const asking =
    (change: Record<string, unknown>, isOn = () => true): typeof fetch =>
    async (input, init) => {
      const response = await fetch(input, init);
      const header = response.headers.get("payment-required");
      if (header === null || !isOn()) return response;
      const challenge = JSON.parse(atob(header));
      challenge.accepts[0] = { ...challenge.accepts[0], ...change };
      const headers = { "payment-required": btoa(JSON.stringify(challenge)) };
      return new Response(JSON.stringify(challenge), { status: 402, headers });
    };
  const thief = "0x000000000000000000000000000000000000dEaD";

  it("pays whom the service's key names, at the price it names, for the route it names", async () => {
    const { signingAddress: signer } = await clientOf("erin").describe();
    const { answer } = await watched({ signer }).client.call("chain.snapshot", {});
    expect(answer.verdict).toBe("allow");
    const claim = { address: service.contract("plainToken"), implementation: null, fromBlock: 1, toBlock: 2 };
    const terms = { ...claim, rewardUsd: 1, deadline: new Date(Date.now() + 86_400_000) };
    expect(await watched({ signer }).client.prepareClaim(terms)).toMatchObject({
      capabilityId: "claims.open",
    });
    const moved = async (input: string | URL | Request, init?: RequestInit) =>
      fetch(
        String(input).replace("chain.snapshot/invoke", `token.metadata/invoke?address=${claim.address}`),
        init,
      );
    for (const changed of [
      { fetch: asking({ payTo: thief }), signer },
      { fetch: asking({ amount: "999999" }), signer },
      { fetch: moved as typeof fetch, signer },
      { signer: thief },
    ] as const) {
      const { client, signTypedData } = watched(changed);
      await expect(client.prepareUnquoted("chain.snapshot", {})).rejects.toThrow(
        /offers no payment of \d+ units/,
      );
      expect(signTypedData).not.toHaveBeenCalled();
    }
  });

  it("without that key, notices a payee that changes", async () => {
    let isOn = false;
    const { client, signTypedData } = watched({ fetch: asking({ payTo: thief }, () => isOn) });
    await client.prepareUnquoted("chain.snapshot", {});
    isOn = true;
    await expect(client.prepareUnquoted("chain.snapshot", {})).rejects.toThrow(
      `asks to pay ${thief}, but asked`,
    );
    expect(signTypedData).toHaveBeenCalledOnce();
  });

  it("stops before paying when its signal is aborted", async () => {
    const { client, signTypedData } = watched();
    const stop = AbortSignal.abort(new Error("changed my mind"));
    await expect(client.call("chain.snapshot", {}, { signal: stop })).rejects.toThrow("changed my mind");
    expect(signTypedData).not.toHaveBeenCalled();
  });
});

describe("paying over a bad line", () => {
  it("sends the same payment again after lost and unclear answers, and is charged once", async () => {
    proxy.payments.length = 0;
    proxy.faults = ["drop", "unavailable", "html"];
    const frank = clientOf("frank", proxy.url);
    const spent = await spentBy("frank", async () => {
      const { answer } = await frank.call("contract.guard", { address: service.contract("plainToken") });
      expect(answer.verdict).toBe("allow");
    });
    expect(spent).toBe(100_000n);
    expect(proxy.payments).toHaveLength(4);
    expect(new Set(proxy.payments).size).toBe(1);
  });

  it("gives up with the payment in hand, which still buys its answer later", async () => {
    proxy.faults = Array.from({ length: 100 }, () => "unavailable" as const);
    const grace = clientOf("grace", proxy.url);
    const spent = await spentBy("grace", async () => {
      const failure = await grace
        .call("contract.guard", { address: service.contract("erc721") }, { deadlineMs: 500 })
        .catch((error) => error);
      expect(failure).toBeInstanceOf(PaymentOutcomeUnknownError);
      expect(failure.message).toContain("do not sign a new one");
      proxy.faults = [];
      const { answer } = await grace.send(failure.prepared);
      expect(answer.capabilityId).toBe("contract.guard");
    });
    expect(spent).toBe(100_000n);
  });

  it("hands the payment back when stopped after paying", async () => {
    proxy.faults = Array.from({ length: 100 }, () => "drop" as const);
    const controller = new AbortController();
    proxy.payments.length = 0;
    const waiting = setInterval(() => {
      if (proxy.payments.length > 0) controller.abort(new Error("enough"));
    }, 20);
    const failure = await clientOf("heidi", proxy.url)
      .call("chain.snapshot", {}, { signal: controller.signal })
      .catch((error) => error);
    clearInterval(waiting);
    proxy.faults = [];
    expect(failure).toBeInstanceOf(PaymentOutcomeUnknownError);
    expect(failure.cause.message).toBe("enough");
  });
});

describe("an answer to another question", () => {
  const other = () => service.contract("erc721");
  const asked = () => ({ address: service.contract("plainToken") });
  /** Forwards every request; `change` replaces the answer of one path. */
  const between =
    (path: string, change: (response: Response, url: string) => Promise<Response>): typeof fetch =>
    async (input, init) => {
      const response = await fetch(input, init);
      const isPaid = new Headers(init?.headers).has("payment-signature");
      const isMeant = String(input).includes(path) && (isPaid || !path.endsWith("/invoke"));
      return isMeant ? change(response, String(input)) : response;
    };
  const ivan = (fetch: typeof globalThis.fetch) =>
    createClient({ baseUrl: service.url, account: service.wallet("ivan"), fetch });

  it("is refused however well it is signed, and the payment that bought the right one is kept", async () => {
    const { rawBody, answer } = await clientOf("judy").call("contract.guard", { address: other() });
    const replay = ivan(
      between("/invoke", async (response) =>
        // A price that has ended is refused, and a new one is asked for.
        response.ok ? new Response(new TextDecoder().decode(rawBody)) : response,
      ),
    );
    const failure = await replay.call("contract.guard", asked()).catch((error) => error);
    expect(failure).toBeInstanceOf(PaymentOutcomeUnknownError);
    expect(failure.cause).toBeInstanceOf(OtherAnswerError);
    expect(failure.message).toMatch(/Send the same payment again.*It is about another address/);
    const { answer: own } = await clientOf("ivan").send(failure.prepared);
    expect(own.result.evidence.input).toEqual({ address: asked().address.toLowerCase() });

    const { signingAddress: signer } = await clientOf("ivan").describe();
    const failing = async (options: VerifyOptions) =>
      (await checkResult(answer, { signer, ...options })).steps
        .filter(({ ok }) => !ok)
        .map(({ name }) => name);
    const about = (input: { address: string }) => ({ capabilityId: "contract.guard", input }) as const;
    const { validUntilBlock: last } = answer.result;
    expect(await failing({ question: about({ address: other() }), headBlock: last })).toEqual([]);
    expect(await failing({ question: about(asked()), headBlock: BigInt(last) + 1n })).toEqual([
      "question",
      "window",
    ]);
    // The same input to another capability: a cheap answer must not replace an expensive one.
    const question = { capabilityId: "token.launch.guard", input: { address: other() } } as const;
    expect(await failing({ question })).toEqual(["question"]);
    await expect(failing({ question: { ...question, input: null as never } })).rejects.toThrow(
      InvalidArgumentError,
    );
    for (const headBlock of [Number.NaN, null, "latest", -1, 0.5])
      await expect(failing({ headBlock: headBlock as number })).rejects.toThrow("the number of a block");
  });

  it("is refused with another price than the one that was signed, and the payment is kept", async () => {
    const cheapen = async (response: Response) => {
      if (!response.ok) return response;
      const body = (await response.json()) as { pricing: object };
      const pricing = { ...body.pricing, listPriceUsd: 0.001, creditAppliedUsd: 0, pricePaidUsd: 0.001 };
      return Response.json({ ...body, pricing });
    };
    const failure = await ivan(between("/invoke", cheapen))
      .call("contract.guard", asked())
      .catch((error) => error);
    expect(failure).toBeInstanceOf(PaymentOutcomeUnknownError);
    expect(failure.cause).toBeInstanceOf(OtherAnswerError);
    const { priceUsd } = failure.prepared;
    expect(failure.cause.message).toBe(
      `The answer is not to what was paid. It states a price of 0.001 USD, but ${priceUsd} USD were signed. Do not rely on it.`,
    );
    const { answer } = await clientOf("ivan").send(failure.prepared);
    expect(answer.pricing.pricePaidUsd).toBe(priceUsd);
  });

  it("is refused by a node that is too far behind to show its end", async () => {
    const { answer } = await clientOf("judy").call("contract.guard", { address: other() });
    const { result } = answer;
    /** Whether a node at that block can show the end of an answer of block 1000, with blocks of so many milliseconds. */
    const isShown = async (measuredBlockTimeMs: number, headBlock: number) => {
      const evidence = { ...result.evidence, validity: { ttlSeconds: 10, measuredBlockTimeMs } };
      const ahead = {
        ...answer,
        result: { ...result, evidence, computedAtBlock: 1000, validUntilBlock: 1010 },
      };
      const { steps } = await checkResult(ahead, { headBlock });
      return steps.find(({ name }) => name === "window")?.ok;
    };
    // Thirty seconds, however many blocks those are; a block time that no chain has stretches nothing.
    expect([await isShown(2_000, 985), await isShown(2_000, 984)]).toEqual([true, false]);
    expect([await isShown(200, 850), await isShown(200, 849)]).toEqual([true, false]);
    expect([await isShown(0.001, 700), await isShown(0.001, 699)]).toEqual([true, false]);
  });

  it("is not paid for on the strength of a quote for it", async () => {
    const swap = async (_response: Response, url: string) =>
      fetch(url.replace(/address=0x[0-9a-fA-F]{40}/, `address=${other()}`));
    const failure = await ivan(between("/quotes?", swap))
      .call("contract.guard", asked())
      .catch((error) => error);
    expect(failure.message).toContain("which is a quote for something else. It is about another address.");
    const rename = async (response: Response) => {
      const quote = (await response.json()) as { invokeUrl: string };
      return Response.json({
        ...quote,
        invokeUrl: quote.invokeUrl.replace("contract.guard", "token.metadata"),
      });
    };
    await expect(ivan(between("/quotes?", rename)).call("contract.guard", asked())).rejects.toThrow(
      UnacceptableChallengeError,
    );
  });
});

describe("requests", () => {
  /** Answers 402 to every request and keeps what was asked. */
  const record = () => {
    const asked: { url: string; init: RequestInit | undefined }[] = [];
    const accept = {
      scheme: "exact",
      network: "eip155:8453",
      asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
      amount: "250000",
      payTo: "0x0000000000000000000000000000000000000001",
      maxTimeoutSeconds: 300,
      extra: { name: "USD Coin", version: "2" },
    };
    const challenge = { x402Version: 2, resource: { url: "http://service.test/" }, accepts: [accept] };
    const header = Buffer.from(JSON.stringify(challenge)).toString("base64");
    const fetch: typeof globalThis.fetch = async (url, init) => {
      asked.push({ url: String(url), init });
      return new Response("{}", { status: 402, headers: { "payment-required": header } });
    };
    const client = createClient({
      baseUrl: "http://service.test/base/",
      account: service.wallet("alice"),
      fetch,
    });
    return { asked, client };
  };

  it("post the input of capabilities that take a body", async () => {
    const { asked, client } = record();
    const input = { from: service.wallet("alice").address, to: service.contract("plainToken") };
    const prepared = await client.prepareUnquoted("transaction.intent.guard", input);
    expect(prepared).toMatchObject({ priceUsd: 0.25, request: { method: "POST", body: input } });
    expect(asked[0]?.url).toBe(
      "http://service.test/base/api/v1/capabilities/transaction.intent.guard/invoke",
    );
    expect(asked[0]?.init?.body).toBe(JSON.stringify(input));
    expect(new Headers(asked[0]?.init?.headers).get("content-type")).toBe("application/json");
  });

  it("go without a quote when the input is too long for a URL", async () => {
    const { asked, client } = record();
    const { address } = service.wallet("alice");
    const input = { from: address, to: address, data: `0x${"ab".repeat(10_000)}` };
    await expect(client.call("transaction.intent.guard", input)).rejects.toThrow(PaymentRefusedError);
    expect(asked.map(({ init }) => init?.method)).toEqual(["POST", "POST"]);
  });

  it("stay with the address the caller chose, whatever the quote names", async () => {
    const { asked, client } = record();
    await client.prepare({
      capabilityId: "contract.guard",
      quoteId: "quo_1",
      cacheStatus: "miss",
      listPriceUsd: 0.25,
      creditAppliedUsd: 0,
      priceUsd: 0.25,
      expiresAt: "2030-01-01T00:00:00.000Z",
      invokeUrl: "http://elsewhere.test/api/v1/capabilities/contract.guard/invoke?address=0x12&quote=quo_1",
      invokeMethod: "GET",
      invokeBody: null,
    });
    expect(asked.map(({ url }) => url)).toEqual([
      "http://service.test/base/api/v1/capabilities/contract.guard/invoke?address=0x12&quote=quo_1",
    ]);
  });

  it("read the state of a service that is not ready", async () => {
    const dependencies = [{ name: "chain", ok: false, detail: "no node answers" }];
    const body = { status: "unavailable", dependencies, headBlock: null, headAgeMs: null, blockTimeMs: null };
    const fetch: typeof globalThis.fetch = async () => Response.json(body, { status: 503 });
    expect(await createClient({ baseUrl: "http://service.test", fetch }).health()).toEqual(body);
  });

  it("refuse a body of another shape", async () => {
    const fetch: typeof globalThis.fetch = async () => Response.json({ hello: "world" });
    await expect(createClient({ baseUrl: "http://service.test", fetch }).catalog()).rejects.toThrow(
      "another shape",
    );
  });
});

describe("types", () => {
  it("know each capability's input", () => {
    const client = clientOf("alice");
    const check = () => {
      // @ts-expect-error: contract.guard needs an address
      client.call("contract.guard", {});
      // @ts-expect-error: no such capability
      client.call("contract.gard", { address: "0x" });
      client.quote("transaction.intent.guard", { from: "0x", to: "0x" });
    };
    expect(check).toBeTypeOf("function");
  });

  it("know what each capability reads and makes of it", async () => {
    const address = service.contract("plainToken");
    const { answer } = await clientOf("alice").call("token.metadata", { address });
    const { input, readings, findings } = answer.result.evidence;
    expectTypeOf(findings.decimals).toEqualTypeOf<number | null>();
    expect(findings.decimals).toBe(18);
    // @ts-expect-error: token.metadata finds no such thing
    expect(findings.phaseOfTheMoon).toBeUndefined();
    const narrow = (either: ResultOf<"chain.snapshot" | "token.metadata">) => {
      if (either.capabilityId === "chain.snapshot")
        expectTypeOf(either.result.evidence.findings.blockNumber).toEqualTypeOf<number>();
    };
    narrow(answer);
    expectTypeOf(readings).toEqualTypeOf<TokenMetadataReadings & unknown>();
    expectTypeOf(input.address).toEqualTypeOf<`0x${string}`>();
    // @ts-expect-error: token.metadata reads no such thing
    expect(readings.codeHashOfTheMoon).toBeUndefined();
    expect(tokenMetadataReadingsSchema.parse(readings)).toEqual(readings);
  });
});
