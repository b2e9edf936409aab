import { baseSwapRouters, capabilities } from "@assay/capabilities";
import { BASE_WETH, type Hex, problemSchema, quoteSchema } from "@assay/protocol";
import { encodeFunctionData, parseAbi, zeroAddress } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { beforeAll, describe, expect, test } from "vitest";
import { accountOf, buyAnswer, pay } from "../../test/payer.js";
import { useTestService } from "../../test/useTestService.js";
import { askQuotes } from "./testing/askQuotes.js";
import { insertObligation } from "./testing/insertObligation.js";

const service = useTestService({ RATE_LIMITS: "off" });
let alice: PrivateKeyAccount;
beforeAll(async () => {
  alice = accountOf(service, "alice");
  await insertObligation(service.db, hash);
});

const { get, quoteFor, guardUrl } = askQuotes(() => service.url);

const address = `0x${"Ab".repeat(20)}`;
const lower = address.toLowerCase() as Hex;
const hash = `0x${"cd".repeat(32)}`;
const call = { from: address, to: address, data: "0xDEADBEEF", value: "007" };
const normalCall = { from: lower, to: lower, data: "0xdeadbeef", value: "7" };
const getRouter = (kind: string) => baseSwapRouters.find((router) => router.kind === kind)?.address ?? "";
/** amm.swap.guard is not quoted for anything but a swap on a router it supports. */
const swapCall = {
  ...call,
  to: getRouter("uniswap_v2"),
  data: encodeFunctionData({
    abi: parseAbi([
      "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
    ]),
    args: [1n, 1n, [lower, BASE_WETH], lower, 1n],
  }),
};
const addressInput: [Record<string, string>, Record<string, unknown>] = [{ address }, { address: lower }];

/** capability, miss price in USD, fields as asked, fields as they must come back. */
const table: [string, number, Record<string, string>, Record<string, unknown>][] = [
  ["contract.guard", 0.1, ...addressInput],
  ["transaction.intent.guard", 0.25, call, normalCall],
  ["amm.swap.guard", 0.25, swapCall, { ...normalCall, to: swapCall.to, data: swapCall.data }],
  ["contract.change", 0.02, ...addressInput],
  ["token.metadata", 0.03, ...addressInput],
  ["contract.interface", 0.02, ...addressInput],
  ["chain.snapshot", 0.005, {}, {}],
  ["token.launch.guard", 0.07, ...addressInput],
  ["web.compile", 0.03, { url: "https://example.org/a?b=c" }, { url: "https://example.org/a?b=c" }],
  ["obligation.verdict", 0.001, { obligationId: hash }, { obligationId: hash }],
  [
    "amm.v4.hook.guard",
    0.54,
    {
      poolManager: address,
      currency0: zeroAddress,
      currency1: address,
      fee: "3000",
      tickSpacing: "60",
      hooks: zeroAddress,
    },
    {
      poolManager: lower,
      currency0: zeroAddress,
      currency1: lower,
      fee: "3000",
      tickSpacing: "60",
      hooks: zeroAddress,
    },
  ],
  ["rwa.market.guard", 0.5, ...addressInput],
  [
    "lending.collateral.guard",
    0.75,
    {
      marketId: hash,
      collateralToken: address,
      loanToken: address,
      userAddress: address,
      borrowAmountWei: "1",
    },
    { marketId: hash, collateralToken: lower, loanToken: lower, userAddress: lower, borrowAmountWei: "1" },
  ],
  ["trade.execution.notarize", 0.05, { txHash: hash }, { txHash: hash }],
  [
    "prediction.evidence",
    0.05,
    { question: "Will it?", market: address },
    { question: "Will it?", market: lower },
  ],
  [
    "message.intent.guard",
    0.05,
    { signer: address, personalMessage: "Good morning" },
    { signer: lower, personalMessage: "Good morning" },
  ],
];
const takesBody = new Set(["transaction.intent.guard", "amm.swap.guard", "message.intent.guard"]);

describe("a quote names a price, a wallet and the exact call to make", () => {
  test("the table covers all seventeen capabilities but the one priced by its artifact", () => {
    const listed = capabilities.map(({ id }) => id).filter((id) => id !== "evidence.artifact");
    expect(table.map(([capability]) => capability)).toEqual(listed);
  });

  test.each(table)("%s costs %d when nothing is known", async (capability, miss, fields, normal) => {
    const askedAtMs = Date.now();
    const response = await get({ capability, wallet: alice.address, ...fields });
    expect(response.status).toBe(200);
    const quote = quoteSchema.parse(await response.json());
    expect(quote).toMatchObject({
      capabilityId: capability,
      cacheStatus: "miss",
      listPriceUsd: miss,
      creditAppliedUsd: 0,
      priceUsd: miss,
      invokeMethod: takesBody.has(capability) ? "POST" : "GET",
    });
    const lifeMs = Date.parse(quote.expiresAt) - askedAtMs;
    expect(lifeMs).toBeGreaterThan(59_000);
    expect(lifeMs).toBeLessThan(75_000);
    const url = new URL(quote.invokeUrl);
    expect(`${url.origin}${url.pathname}`).toBe(`${service.url}/api/v1/capabilities/${capability}/invoke`);
    const { quote: quoteId, wallet, ...query } = Object.fromEntries(url.searchParams);
    expect(quoteId).toBe(quote.quoteId);
    expect(wallet).toBe(capability === "web.compile" ? alice.address.toLowerCase() : undefined);
    if (takesBody.has(capability)) {
      expect(query).toEqual({});
      expect(quote.invokeBody).toEqual(normal);
    } else {
      expect(quote.invokeBody).toBeNull();
      expect(query).toEqual(normal);
    }
  });

  test("tx.preflight is the old name of transaction.intent.guard", async () => {
    const response = await get({
      capability: "tx.preflight",
      wallet: alice.address,
      from: address,
      to: address,
    });
    const quote = quoteSchema.parse(await response.json());
    expect(quote).toMatchObject({
      capabilityId: "transaction.intent.guard",
      priceUsd: 0.25,
      invokeMethod: "POST",
      invokeBody: { from: lower, to: lower, data: "0x", value: "0" },
    });
  });

  test("each status has its own price", async () => {
    const contract = service.chainOf.contracts.multicall3;
    expect(await quoteFor(alice, contract)).toMatchObject({ cacheStatus: "miss", priceUsd: 0.1 });
    expect((await pay(guardUrl(contract), alice)).response.status).toBe(200);
    expect(await quoteFor(alice, contract)).toMatchObject({ cacheStatus: "hit", priceUsd: 0.02 });
    await service.db.query({ text: "UPDATE artifacts SET fresh_until = now()" });
    expect(await quoteFor(alice, contract)).toMatchObject({ cacheStatus: "partial", priceUsd: 0.05 });
  });
});

test("evidence.artifact is quoted by what it is about; see its own tests", async () => {
  const { evidenceReference } = await buyAnswer(guardUrl(service.chainOf.contracts.multicall3), alice);
  const { artifactId } = evidenceReference;
  const quoted = await get({ capability: "evidence.artifact", wallet: alice.address, artifactId });
  expect(quoteSchema.parse(await quoted.json())).toMatchObject({
    capabilityId: "evidence.artifact",
    cacheStatus: "hit",
    priceUsd: 0.01,
    invokeMethod: "GET",
    invokeBody: null,
  });
  const unknown = { artifactId: `sha256:${"ab".repeat(32)}` };
  expect((await get({ capability: "evidence.artifact", wallet: alice.address, ...unknown })).status).toBe(
    404,
  );
});

describe("a quote that cannot be given is 400 and names the field", () => {
  const ask = async (query: Record<string, string>) => {
    const response = await get(query);
    expect(response.status).toBe(400);
    return problemSchema.parse(await response.json());
  };
  const wallet = `0x${"aa".repeat(20)}`;

  test.each(
    table.flatMap(([capability, , fields]) =>
      Object.keys(fields)
        .filter((field) => !(capability === "transaction.intent.guard" && /data|value/.test(field)))
        .filter((field) => !(capability === "amm.swap.guard" && field === "value"))
        // One of several forms.
        .filter((field) => field !== "personalMessage")
        .map((field) => [capability, field, fields] as const),
    ),
  )("%s without %s", async (capability, field, fields) => {
    const { [field]: _left, ...rest } = fields;
    const problem = await ask({ capability, wallet, ...rest });
    expect(problem.code).toBe("invalid_input");
    expect(problem.errors).toContainEqual({ field, rule: "is required" });
  });

  test("without a wallet, or with something that is none", async () => {
    for (const bad of [{}, { wallet: "alice" }, { wallet: "0x12" }] as Record<string, string>[]) {
      const problem = await ask({ capability: "chain.snapshot", ...bad });
      expect(problem.code).toBe("invalid_input");
      expect(problem.errors?.[0]?.field).toBe("wallet");
    }
  });

  test("without a capability, or with a name that nothing has", async () => {
    expect((await ask({ wallet })).errors).toEqual([{ field: "capability", rule: "is required" }]);
    for (const capability of [
      "contract.guardian",
      "toString",
      "__proto__",
      "solana.program.change",
      "x".repeat(5000),
    ]) {
      const problem = await ask({ capability, wallet, address });
      expect(problem.code).toBe("unknown_capability");
      expect(problem.errors?.[0]?.field).toBe("capability");
      expect(problem.detail?.length).toBeLessThan(200);
    }
  });

  test("a value that breaks a rule", async () => {
    const problem = await ask({ capability: "contract.guard", wallet, address: "0x12" });
    expect(problem.errors).toEqual([{ field: "address", rule: "must be 0x followed by 40 hex digits" }]);
  });
});
