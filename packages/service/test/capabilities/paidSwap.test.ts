import { v2Abi, v3Abi } from "@assay/capabilities/testing/swapAbi";
import { capabilityResultSchema, type Hex, problemSchema, quoteSchema } from "@assay/protocol";
import { concatHex, encodeFunctionData, parseEther } from "viem";
import { describe, expect, test } from "vitest";
import { expectSameVerdict } from "../expectSameVerdict.js";
import { asPost, balanceOf, fetchChallenge, priceOf, send, signPayment } from "../payer.js";
import { useTestService } from "../useTestService.js";

const service = useTestService({ RATE_LIMITS: "off" });

const url = () => service.invokeUrl("amm.swap.guard");
const alice = () => service.account("alice");

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
    const challenge = await fetchChallenge(url(), asPost(body));
    expect(priceOf(challenge.accepts[0])).toBe(250_000n);
    const before = await balanceOf(service, alice().address);
    const response = await send(url(), await signPayment(alice(), challenge), asPost(body));
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
    expect(answer.result.evidence.proofs).not.toBeNull();
    await expectSameVerdict(answer);

    const { artifactId } = answer.evidenceReference;
    expect((await fetch(`${service.url}/api/v1/evidence/${artifactId}`)).status).toBe(403);
    expect((await fetch(service.invokeUrl("evidence.artifact", { artifactId }))).status).toBe(403);
    // Private: the next asker, even with the same question, pays the same.
    expect(await service.priceNow(url(), asPost(body))).toBe(250_000n);
  }, 60_000);

  test("may be paid through a quote", async () => {
    const quoteUrl = service.quoteUrl("amm.swap.guard", alice().address, buyDollars());
    const quote = quoteSchema.parse(await (await fetch(quoteUrl)).json());
    expect(quote.priceUsd).toBe(0.25);
    const answer = await service.buy(quote.invokeUrl, "alice", asPost(quote.invokeBody));
    expect(answer).toMatchObject({ verdict: "allow", pricing: { pricePaidUsd: 0.25 } });
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
      "is not a router that this guard supports: 0x",
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
    const challenge = await fetchChallenge(url(), asPost(payable));
    const refused = asPost(buyDollars(change()));
    const unpaid = await fetch(url(), refused);
    const paid = await send(url(), await signPayment(alice(), challenge), refused);
    const withQuote = await fetch(`${url()}?quote=quo_${"0".repeat(32)}`, refused);
    const quoted = await fetch(service.quoteUrl("amm.swap.guard", alice().address, buyDollars(change())));
    for (const response of [unpaid, paid, withQuote, quoted]) {
      expect(response.status).toBe(400);
      expect(response.headers.get("payment-required")).toBeNull();
      const problem = problemSchema.parse(await response.json());
      expect(problem).toMatchObject({
        code: "invalid_input",
        errors: [{ field, rule: expect.stringContaining(rule) }],
      });
    }
    expect(await balanceOf(service, alice().address)).toBe(before);
    expect(await countRows()).toEqual(rows);
  });

  test("data of 262,146 characters is taken, one byte more is not", async () => {
    const { data } = buyDollars();
    const padding = (131_072 - (data.length - 2) / 2) as number;
    const longest = concatHex([data, `0x${"00".repeat(padding)}`]);
    expect(longest.length).toBe(262_146);
    const answer = await service.buy(url(), "alice", asPost(buyDollars({ data: longest })));
    expect(answer.verdict).toBe("allow");
    expect((await fetch(url(), asPost(buyDollars({ data: `${longest}00` })))).status).toBe(400);
  }, 60_000);
});
