import {
  type Address,
  createPublicClient,
  createWalletClient,
  erc20Abi,
  type Hex,
  http,
  maxUint256,
  parseAbi,
  parseEther,
  parseEventLogs,
  parseUnits,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { base } from "viem/chains";
import { expect, test } from "vitest";
import { useDevnet } from "./testing/useDevnet.js";

const v2Abi = parseAbi([
  "function getPair(address, address) view returns (address)",
  "function getAmountsOut(uint256, address[]) view returns (uint256[])",
  "function swapExactETHForTokens(uint256, address[], address, uint256) payable returns (uint256[])",
  "function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256, address[], address, uint256) payable",
  "function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256, uint256, address[], address, uint256)",
]);
const v3Abi = parseAbi([
  "struct Quote { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 limit; }",
  "struct Swap { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 limit; }",
  "function getPool(address, address, uint24) view returns (address)",
  "function quoteExactInputSingle(Quote) returns (uint256, uint160, uint32, uint256)",
  "function exactInputSingle(Swap) payable returns (uint256)",
  "function swapExactTokensForTokens(uint256, uint256, address[], address) payable returns (uint256)",
]);

// A pair's first trade in a second costs more than its next one, so an estimate made too early can be too low.
const gas = 500_000n;

const local = useDevnet();

function setUp() {
  const transport = http(local.devnet.rpcUrl);
  const key = local.devnet.accounts[1]?.privateKey;
  if (!key) throw new Error("no second account");
  const bob = privateKeyToAccount(key);
  const client = createPublicClient({ chain: base, transport });
  const wallet = createWalletClient({ chain: base, transport, account: bob });
  const readBalance = (token: Address) =>
    client.readContract({ address: token, abi: erc20Abi, functionName: "balanceOf", args: [bob.address] });
  const approve = (token: Address, spender: Address) =>
    wallet.writeContract({
      address: token,
      abi: erc20Abi,
      functionName: "approve",
      args: [spender, maxUint256],
    });
  const buyV2 = (token: Address) =>
    wallet.writeContract({
      address: local.devnet.contracts.uniswapV2Router,
      abi: v2Abi,
      functionName: "swapExactETHForTokensSupportingFeeOnTransferTokens",
      args: [0n, [local.devnet.contracts.weth, token], bob.address, maxUint256],
      value: parseEther("1"),
      gas,
    });
  const sellV2 = async (token: Address, amount: bigint) => {
    const { request } = await client.simulateContract({
      account: bob,
      address: local.devnet.contracts.uniswapV2Router,
      abi: v2Abi,
      functionName: "swapExactTokensForETHSupportingFeeOnTransferTokens",
      args: [amount, 0n, [token, local.devnet.contracts.weth], bob.address, maxUint256],
      gas,
    });
    return wallet.writeContract(request);
  };
  return { ...local.devnet.contracts, bob, client, wallet, readBalance, approve, buyV2, sellV2 };
}

test("the factories know every pool at its listed address", async () => {
  const { client, uniswapV2Factory, uniswapV3Factory, weth, stablecoin, plainToken, ...contracts } = setUp();
  const pairs: [Address, Address, Address][] = [
    [weth, stablecoin, contracts.uniswapV2PairWethStablecoin],
    [plainToken, weth, contracts.uniswapV2PairPlainWeth],
    [plainToken, stablecoin, contracts.uniswapV2PairPlainStablecoin],
    [contracts.taxedToken, weth, contracts.uniswapV2PairTaxedWeth],
    [contracts.honeypotToken, weth, contracts.uniswapV2PairHoneypotWeth],
    [contracts.freshToken, weth, contracts.uniswapV2PairFreshWeth],
  ];
  for (const [left, right, pair] of pairs) {
    const args = [left, right] as const;
    expect(
      await client.readContract({ address: uniswapV2Factory, abi: v2Abi, functionName: "getPair", args }),
    ).toBe(pair);
  }
  const pools: [Address, Address, number, Address][] = [
    [weth, stablecoin, 500, contracts.uniswapV3PoolWethStablecoin500],
    [plainToken, weth, 3000, contracts.uniswapV3PoolPlainWeth3000],
    [plainToken, stablecoin, 3000, contracts.uniswapV3PoolPlainStablecoin3000],
  ];
  for (const [left, right, fee, pool] of pools) {
    const args = [left, right, fee] as const;
    expect(
      await client.readContract({ address: uniswapV3Factory, abi: v3Abi, functionName: "getPool", args }),
    ).toBe(pool);
  }
});

test("ether sent to WETH is wrapped", async () => {
  const { wallet, readBalance, weth } = setUp();
  const before = await readBalance(weth);
  await wallet.sendTransaction({ to: weth, value: 7n });
  expect((await readBalance(weth)) - before).toBe(7n);
});

test("a V2 swap through the router gives what the router quoted", async () => {
  const { bob, client, wallet, readBalance, uniswapV2Router: address, weth, stablecoin } = setUp();
  const path = [weth, stablecoin];
  const value = parseEther("1");
  const [, quoted] = await client.readContract({
    address,
    abi: v2Abi,
    functionName: "getAmountsOut",
    args: [value, path],
  });
  const before = await readBalance(stablecoin);
  await wallet.writeContract({
    address,
    abi: v2Abi,
    functionName: "swapExactETHForTokens",
    args: [0n, path, bob.address, maxUint256],
    value,
    gas,
  });
  expect((await readBalance(stablecoin)) - before).toBe(quoted);
  expect(quoted).toBeGreaterThan(parseUnits("2980", 6));
});

test("a V3 swap through SwapRouter02 gives what QuoterV2 quoted", async () => {
  const { bob, client, wallet, readBalance, approve, swapRouter02, quoterV2, ...contracts } = setUp();
  const swap = { tokenIn: contracts.stablecoin, tokenOut: contracts.plainToken, fee: 3000, limit: 0n };
  const amountIn = parseUnits("100", 6);
  const { result } = await client.simulateContract({
    address: quoterV2,
    abi: v3Abi,
    functionName: "quoteExactInputSingle",
    args: [{ ...swap, amountIn }],
  });
  await approve(contracts.stablecoin, swapRouter02);
  await wallet.writeContract({
    address: swapRouter02,
    abi: v3Abi,
    functionName: "exactInputSingle",
    args: [{ ...swap, recipient: bob.address, amountIn, amountOutMinimum: result[0] }],
    gas,
  });
  expect(await readBalance(contracts.plainToken)).toBe(result[0]);
  expect(result[0]).toBeGreaterThan(parseEther("49"));
});

test("SwapRouter02 also finds the V2 pairs", async () => {
  const { bob, wallet, readBalance, approve, swapRouter02, stablecoin, plainToken } = setUp();
  await approve(stablecoin, swapRouter02);
  await wallet.writeContract({
    address: swapRouter02,
    abi: v3Abi,
    functionName: "swapExactTokensForTokens",
    args: [parseUnits("100", 6), 0n, [stablecoin, plainToken], bob.address],
    gas,
  });
  expect(await readBalance(plainToken)).toBeGreaterThan(parseEther("49"));
});

test("a fresh token can be bought and sold, and has no owner", async () => {
  const { client, readBalance, approve, buyV2, sellV2, freshToken, uniswapV2Router } = setUp();
  const abi = parseAbi(["function owner() view returns (address)"]);
  expect(await client.readContract({ address: freshToken, abi, functionName: "owner" })).toMatch(/^0x0+$/);
  await buyV2(freshToken);
  const bought = await readBalance(freshToken);
  expect(bought).toBeGreaterThan(0n);
  await approve(freshToken, uniswapV2Router);
  await sellV2(freshToken, bought);
  expect(await readBalance(freshToken)).toBe(0n);
});

test("the honeypot sells to every account and buys back from none", async () => {
  const { readBalance, approve, buyV2, sellV2, honeypotToken, uniswapV2Router } = setUp();
  await buyV2(honeypotToken);
  const bought = await readBalance(honeypotToken);
  expect(bought).toBeGreaterThan(0n);
  await approve(honeypotToken, uniswapV2Router);
  await expect(sellV2(honeypotToken, bought)).rejects.toThrow("TRANSFER_FROM_FAILED");
});

test("the taxed token keeps 3 % of a purchase and of a sale, and nothing of a gift", async () => {
  const { client, wallet, readBalance, approve, buyV2, sellV2, taxedToken, ...contracts } = setUp();
  const readTransfers = async (hash: Hex) => {
    const { logs } = await client.getTransactionReceipt({ hash });
    return parseEventLogs({ abi: erc20Abi, logs, eventName: "Transfer" })
      .filter((log) => log.address.toLowerCase() === taxedToken.toLowerCase())
      .map(({ args }) => args.value);
  };
  const [taxOnPurchase = 0n, bought = 0n] = await readTransfers(await buyV2(taxedToken));
  expect(taxOnPurchase).toBe(((taxOnPurchase + bought) * 3n) / 100n);
  expect(await readBalance(taxedToken)).toBe(bought);
  await approve(taxedToken, contracts.uniswapV2Router);
  const [taxOnSale, sold] = await readTransfers(await sellV2(taxedToken, 1_000_000n));
  expect([taxOnSale, sold]).toEqual([30_000n, 970_000n]);
  const gift = { address: taxedToken, abi: erc20Abi, functionName: "transfer" } as const;
  expect(
    await readTransfers(await wallet.writeContract({ ...gift, args: [local.devnet.payTo, 1_000n] })),
  ).toEqual([1_000n]);
});
