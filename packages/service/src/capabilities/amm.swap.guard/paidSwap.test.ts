import { capabilityResultSchema, type Hex, problemSchema } from "@assay/protocol";
import { evaluateSwapGuard, swapGuardReadingsSchema } from "@assay/rules";
import { concatHex, encodeFunctionData, parseEther } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accountOf, balanceOf, fetchChallenge, priceOf, send, signPayment } from "../../testing/payer.js";
import { startTestService, type TestService } from "../../testing/startTestService.js";
import { v2Abi, v3Abi } from "./testing/swapAbi.js";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ RATE_LIMITS: "off" });
}, 60_000);
afterAll(() => service?.stop());

const url = () => `${service.url}/api/v1/capabilities/amm.swap.guard/invoke`;
const post = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});
const alice = () => accountOf(service, "alice");

/** Native value for dollars, which needs no approval. */
function buyDollars(changes: Record<string, unknown> = {}) {
  const { weth, stablecoin, uniswapV2Router } = service.chainOf.contracts;
  const deadline = BigInt(Math.floor(Date.now() / 1000) + 600);
  const data = encodeFunctionData({
    abi: v2Abi,
    functionName: "swapExactETHForTokens",
    args: [2_950_000_000n, [weth, stablecoin], alice().address, deadline],
  });
  return { from: alice().address, to: uniswapV2Router, data, value: parseEther("1").toString(), ...changes };
}

async function countRows(): Promise<unknown> {
  const text =
    "SELECT (SELECT count(*) FROM invocations) AS invocations, (SELECT count(*) FROM quotes) AS quotes";
  return (await service.db.query({ text }))[0];
}

describe("a supported swap", () => {
  test("is priced, paid and answered, and a stranger reaches the same verdict", async () => {
    const body = buyDollars();
    const challenge = await fetchChallenge(url(), post(body));
    expect(priceOf(challenge.accepts[0])).toBe(250_000n);
    const before = await balanceOf(service, alice().address);
    const response = await send(url(), await signPayment(alice(), challenge), post(body));
    expect(response.status).toBe(200);
    expect(response.headers.get("payment-response")).not.toBeNull();
    const answer = capabilityResultSchema.parse(await response.json());
    expect(before - (await balanceOf(service, alice().address))).toBe(250_000n);
    expect(answer).toMatchObject({
      capabilityId: "amm.swap.guard",
      verdict: "allow",
      result: { reasonCodes: ["LIMIT_WITHIN_TOLERANCE"] },
      pricing: { actualCacheStatus: "miss", pricePaidUsd: 0.25 },
      evidenceReference: { shareable: false },
      nextCall: { recheck: { capabilityId: "amm.swap.guard", method: "POST" } },
    });
    const { evidence, reasonCodes, summary } = answer.result;
    expect(evidence.proofs).not.toBeNull();
    const again = evaluateSwapGuard(
      evidence.input as Parameters<typeof evaluateSwapGuard>[0],
      swapGuardReadingsSchema.parse(evidence.readings),
    );
    expect(again).toMatchObject({ verdict: "allow", reasonCodes, summary, findings: evidence.findings });

    const { artifactId } = answer.evidenceReference;
    expect((await fetch(`${service.url}/api/v1/evidence/${artifactId}`)).status).toBe(403);
    const bought = `${service.url}/api/v1/capabilities/evidence.artifact/invoke?artifactId=${artifactId}`;
    expect((await fetch(bought)).status).toBe(403);
    // Private: the next asker, even with the same question, pays the same.
    expect(priceOf((await fetchChallenge(url(), post(body))).accepts[0])).toBe(250_000n);
  }, 60_000);

  test("may be paid through a quote", async () => {
    const body = buyDollars();
    const query = new URLSearchParams({ capability: "amm.swap.guard", wallet: alice().address, ...body });
    const quote = (await (await fetch(`${service.url}/api/v1/quotes?${query}`)).json()) as {
      priceUsd: number;
      invokeUrl: string;
      invokeBody: unknown;
    };
    expect(quote.priceUsd).toBe(0.25);
    const init = post(quote.invokeBody);
    const challenge = await fetchChallenge(quote.invokeUrl, init);
    const response = await send(quote.invokeUrl, await signPayment(alice(), challenge), init);
    expect(await response.json()).toMatchObject({ verdict: "allow", pricing: { pricePaidUsd: 0.25 } });
  }, 60_000);
});

describe("what is not supported is 400 before anybody pays", () => {
  const swap = (recipient: Hex) => {
    const { weth: tokenIn, stablecoin: tokenOut } = service.chainOf.contracts;
    const params = { tokenIn, tokenOut, fee: 500, recipient, amountIn: 1n, amountOutMinimum: 1n };
    const args = [{ ...params, sqrtPriceLimitX96: 0n }] as const;
    return encodeFunctionData({ abi: v3Abi, functionName: "exactInputSingle", args });
  };
  const cases: [string, () => Record<string, unknown>, string, string][] = [
    [
      "another router",
      () => ({ to: service.chainOf.contracts.plainToken }),
      "to",
      "is not a router that this guard supports",
    ],
    [
      "another function",
      () => ({ data: "0xdeadbeef" }),
      "data",
      "calls 0xdeadbeef, which is no supported function of a uniswap_v2 router",
    ],
    [
      "arguments cut off",
      () => ({ data: buyDollars().data.slice(0, 74) }),
      "data",
      "calls swapExactETHForTokens with arguments that cannot be decoded",
    ],
    [
      "two swaps in one multicall",
      () => ({
        to: service.chainOf.contracts.swapRouter02,
        data: encodeFunctionData({
          abi: v3Abi,
          functionName: "multicall",
          args: [[swap(alice().address), swap(alice().address)]],
        }),
      }),
      "data",
      "holds 2 swaps, and exactly one is supported",
    ],
  ];

  test.each(cases)("%s", async (_, change, field, rule) => {
    const rows = await countRows();
    const before = await balanceOf(service, alice().address);
    const payable = buyDollars();
    const challenge = await fetchChallenge(url(), post(payable));
    const refused = post(buyDollars(change()));
    const unpaid = await fetch(url(), refused);
    const paid = await send(url(), await signPayment(alice(), challenge), refused);
    const withQuote = await fetch(`${url()}?quote=quo_${"0".repeat(32)}`, refused);
    const asked = { capability: "amm.swap.guard", wallet: alice().address, ...buyDollars(change()) };
    const quoted = await fetch(`${service.url}/api/v1/quotes?${new URLSearchParams(asked)}`);
    for (const response of [unpaid, paid, withQuote, quoted]) {
      expect(response.status).toBe(400);
      expect(response.headers.get("payment-required")).toBeNull();
      const problem = problemSchema.parse(await response.json());
      expect(problem).toMatchObject({ code: "invalid_input", errors: [{ field, rule }] });
    }
    expect(await balanceOf(service, alice().address)).toBe(before);
    expect(await countRows()).toEqual(rows);
  });

  test("data of 262,146 characters is taken, one byte more is not", async () => {
    const { data } = buyDollars();
    const padding = (131_072 - (data.length - 2) / 2) as number;
    const longest = concatHex([data, `0x${"00".repeat(padding)}`]);
    expect(longest.length).toBe(262_146);
    const body = buyDollars({ data: longest });
    const challenge = await fetchChallenge(url(), post(body));
    const response = await send(url(), await signPayment(alice(), challenge), post(body));
    expect(await response.json()).toMatchObject({ verdict: "allow" });
    expect((await fetch(url(), post(buyDollars({ data: `${longest}00` })))).status).toBe(400);
  }, 60_000);
});
