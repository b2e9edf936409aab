import { capabilityResultSchema, problemSchema, quoteSchema } from "@assay/protocol";
import { encodeFunctionData, erc20Abi, keccak256, maxUint256 } from "viem";
import { describe, expect, test } from "vitest";
import { expectSameVerdict } from "../expectSameVerdict.js";
import { asPost, balanceOf, fetchChallenge, pay, priceOf, send, signPayment } from "../payer.js";
import { type Query, useTestService } from "../useTestService.js";

const service = useTestService();
const { invokeUrl } = service;

const unlimitedApproval = () => ({
  from: service.account("alice").address.toLowerCase(),
  to: service.chainOf.stablecoin.address.toLowerCase(),
  data: encodeFunctionData({
    abi: erc20Abi,
    functionName: "approve",
    args: ["0x00000000000000000000000000000000c0ffee01", maxUint256],
  }),
  value: "0",
});
const MAX_DATA = `0x${"00".repeat(131_072)}`;

describe("a field that is misspelt or misplaced is reported before anybody pays", () => {
  const fieldsOf = async (response: Response) => {
    expect(response.status).toBe(400);
    return problemSchema.parse(await response.json()).errors?.map(({ field }) => field);
  };

  test("in a query of the old name", async () => {
    const { from, to, data } = unlimitedApproval();
    const url = invokeUrl("tx.preflight", { from, to, Data: data });
    expect(await fieldsOf(await fetch(url))).toEqual(["Data"]);
  });

  test("in the query beside a body", async () => {
    const { data, ...body } = unlimitedApproval();
    const url = invokeUrl("transaction.intent.guard", { data });
    expect(await fieldsOf(await fetch(url, asPost(body)))).toEqual(["data"]);
  });

  test("in a quote", async () => {
    const { from, to } = unlimitedApproval();
    const url = service.quoteUrl("tx.preflight", from, { from, to, dta: "0x12" });
    expect(await fieldsOf(await fetch(url))).toEqual(["dta"]);
  });
});

describe("transaction.intent.guard over HTTP", () => {
  test("402, then the answer for 0.25, bound to the transaction", async () => {
    const body = unlimitedApproval();
    const challenge = await fetchChallenge(invokeUrl("transaction.intent.guard"), asPost(body));
    expect(priceOf(challenge.accepts[0])).toBe(250_000n);
    const payer = service.account("bob");
    const before = await balanceOf(service, payer.address);
    const response = await send(
      invokeUrl("transaction.intent.guard"),
      await signPayment(payer, challenge),
      asPost(body),
    );
    expect(response.status).toBe(200);
    expect(response.headers.get("deprecation")).toBeNull();
    const result = capabilityResultSchema.parse(await response.json());
    expect(result).toMatchObject({
      capabilityId: "transaction.intent.guard",
      verdict: "block",
      pricing: { pricePaidUsd: 0.25, actualCacheStatus: "miss" },
    });
    expect(result.result.reasonCodes).toContain("UNLIMITED_APPROVAL_TO_ACCOUNT");
    const { data, ...bound } = body;
    expect(result.result.evidence.findings).toMatchObject({
      binding: { chainId: 8453, ...bound, calldataHash: keccak256(data) },
    });
    // What the target is watched by is a shared capability: it gets the address and nothing of the transaction.
    expect(result.nextCall?.watch).toMatchObject({
      capabilityId: "contract.change",
      url: invokeUrl("contract.change", { address: body.to }),
      body: null,
    });
    const { evidence, limitations } = result.result;
    expect(evidence.proofs).not.toBeNull();
    const again = await expectSameVerdict(result);
    expect(again).toMatchObject({ limitations });
    expect(before - (await balanceOf(service, payer.address))).toBe(250_000n);
    const reference = await fetch(`${service.url}/api/v1/evidence/${result.evidenceReference.artifactId}`);
    expect(reference.status).toBe(403);
  });

  test("unknown properties, odd data and a wrong method are refused before anyone pays", async () => {
    const body = unlimitedApproval();
    for (const wrong of [
      { ...body, gas: "1" },
      { ...body, data: "0x123" },
      { ...body, value: "-1" },
    ]) {
      const response = await fetch(invokeUrl("transaction.intent.guard"), asPost(wrong));
      expect(response.status).toBe(400);
      problemSchema.parse(await response.json());
    }
    expect((await fetch(invokeUrl("transaction.intent.guard"))).status).toBe(405);
  });

  test("262,146 characters of data are judged, one more is refused", async () => {
    const body = { ...unlimitedApproval(), data: MAX_DATA };
    expect(MAX_DATA.length).toBe(262_146);
    const result = await service.buy(invokeUrl("transaction.intent.guard"), "carol", asPost(body));
    expect(result.verdict).toBe("block");
    expect(result.result.evidence.findings).toMatchObject({
      calldata: { bytes: 131_072, undecodedBytes: 130_396 },
    });
    for (const extra of ["0", "00"]) {
      const tooLong = { ...body, data: `${MAX_DATA}${extra}` };
      const refused = await fetch(invokeUrl("transaction.intent.guard"), asPost(tooLong));
      expect(refused.status).toBe(400);
      expect(problemSchema.parse(await refused.json()).errors?.[0]).toMatchObject({
        field: "data",
        rule: expect.stringContaining("262146"),
      });
    }
  });
});

describe("tx.preflight, the old name", () => {
  const preflight = (query: Query) => invokeUrl("tx.preflight", query);
  const deprecated = (response: Response) => {
    expect(response.headers.get("deprecation")).toMatch(/^@\d+$/);
    expect(response.headers.get("link")).toBe(
      `<${invokeUrl("transaction.intent.guard")}>; rel="successor-version"`,
    );
  };

  test("asks the same price and gives the same answer by GET, marked deprecated every time", async () => {
    const url = preflight(unlimitedApproval());
    // Twice: a repeated URL must not be answered from memory without the headers.
    for (const response of [await fetch(url), await fetch(url)]) {
      expect(response.status).toBe(402);
      deprecated(response);
    }
    const { response } = await pay(url, service.account("dave"));
    expect(response.status).toBe(200);
    deprecated(response);
    const result = capabilityResultSchema.parse(await response.json());
    expect(result).toMatchObject({
      capabilityId: "transaction.intent.guard",
      verdict: "block",
      pricing: { pricePaidUsd: 0.25 },
    });
    expect(result.result.evidence.input).toEqual(unlimitedApproval());
  });

  test("takes 0x for data and 0 for value where they are left out", async () => {
    const { from, to } = unlimitedApproval();
    const result = await service.buy(preflight({ from, to }), "erin");
    expect(result.result.evidence.input).toEqual({ from, to, data: "0x", value: "0" });
  });

  test("a quote for it is paid on the new route", async () => {
    const { address } = service.account("frank");
    const quoteUrl = service.quoteUrl("tx.preflight", address, unlimitedApproval());
    const quote = quoteSchema.parse(await (await fetch(quoteUrl)).json());
    expect(quote).toMatchObject({ capabilityId: "transaction.intent.guard", priceUsd: 0.25 });
    await service.buy(quote.invokeUrl, "frank", asPost(quote.invokeBody));
  });

  test("bad input is 400 and another method 405, both marked", async () => {
    const bad = await fetch(preflight({ ...unlimitedApproval(), from: "alice" }));
    expect(bad.status).toBe(400);
    deprecated(bad);
    const posted = await fetch(invokeUrl("tx.preflight"), asPost(unlimitedApproval()));
    expect(posted.status).toBe(405);
    expect(posted.headers.get("allow")).toBe("GET, HEAD");
    deprecated(posted);
  });
});
