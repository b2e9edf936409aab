import type { Devnet } from "@assay/devnet";
import type { Hex } from "@assay/protocol";
import {
  type Abi,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  maxUint256,
  parseAbi,
  parseEther,
  parseUnits,
  toHex,
} from "viem";
import type { CompiledToken } from "./compileTokens.js";

const DEAD: Hex = "0x000000000000000000000000000000000000dEaD";
/** Accounts that exist only here. */
export const DEV: Hex = "0xcb0292268c2c62da07c567daf0c7b403f9aa0f20";
export const VICTIM: Hex = "0x49996c439c690964212781532bdd3b9dd44ee7ab";
/** Who buys besides the victim. */
export const OTHER: Hex = "0x8f3a1c5be0d94276a1f5d0c3b7e2946a8d1c0b37";

const routerAbi = parseAbi([
  "function addLiquidity(address,address,uint256,uint256,uint256,uint256,address,uint256)",
  "function removeLiquidity(address,address,uint256,uint256,uint256,address,uint256)",
  "function swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)",
  "function getAmountsOut(uint256,address[]) view returns (uint256[])",
]);
const concentratedAbi = parseAbi([
  "function exactInputSingle((address tokenIn,address tokenOut,uint24 fee,address recipient,uint256 amountIn,uint256 amountOutMinimum,uint160 sqrtPriceLimitX96)) payable returns (uint256)",
]);
const managerAbi = parseAbi([
  "function createAndInitializePoolIfNecessary(address,address,uint24,uint160) payable returns (address)",
  "function mint((address token0,address token1,uint24 fee,int24 tickLower,int24 tickUpper,uint256 amount0Desired,uint256 amount1Desired,uint256 amount0Min,uint256 amount1Min,address recipient,uint256 deadline)) payable",
  "function balanceOf(address) view returns (uint256)",
  "function tokenOfOwnerByIndex(address,uint256) view returns (uint256)",
  "function positions(uint256) view returns (uint96,address,address,address,uint24,int24,int24,uint128,uint256,uint256,uint128,uint128)",
  "function decreaseLiquidity((uint256 tokenId,uint128 liquidity,uint256 amount0Min,uint256 amount1Min,uint256 deadline)) payable",
  "function collect((uint256 tokenId,address recipient,uint128 amount0Max,uint128 amount1Max)) payable",
]);
const factoryAbi = parseAbi(["function getPair(address,address) view returns (address)"]);
const wrappedAbi = parseAbi(["function deposit() payable"]);
const FEE = 10_000;

export interface OpenMarket {
  readonly kind: "pair" | "concentrated";
  readonly token: Hex;
  readonly quote: Hex;
  /** The pair; of a concentrated pool null. */
  readonly pair: Hex | null;
  /** What a buyer spends: a hundredth of the pool. */
  readonly spent: bigint;
}

/** Deploys and trades with real transactions of a deployer and a buyer. */
export async function createLaunchWorld(devnet: Devnet) {
  const { weth, stablecoin, uniswapV2Router, uniswapV2Factory, swapRouter02, positionManager } =
    devnet.contracts;

  async function send(from: Hex, to: string | undefined, data: Hex, value = 0n) {
    const request = { from, ...(to && { to }), data, value: toHex(value), gas: toHex(10_000_000) };
    const hash = await devnet.request<Hex>("eth_sendTransaction", [request]);
    return devnet.request<{ status: Hex; contractAddress: Hex }>("eth_getTransactionReceipt", [hash]);
  }
  async function call(
    from: Hex,
    to: string,
    abi: Abi,
    functionName: string,
    args: readonly unknown[] = [],
    value = 0n,
  ) {
    const { status } = await send(from, to, encodeFunctionData({ abi, functionName, args }), value);
    if (status !== "0x1") throw new Error(`${functionName} of ${from} failed`);
  }
  async function view<T>(
    to: string,
    abi: Abi,
    functionName: string,
    args: readonly unknown[] = [],
  ): Promise<T> {
    const data = await devnet.request<Hex>("eth_call", [
      { to, data: encodeFunctionData({ abi, functionName, args }) },
      "latest",
    ]);
    return decodeFunctionResult({ abi, functionName, data }) as T;
  }
  const balanceOf = (token: string, who: Hex) => view<bigint>(token, erc20Abi, "balanceOf", [who]);

  /** An account with ether that sends without a key. */
  async function admit(account: Hex) {
    await devnet.request("hardhat_setBalance", [account, toHex(parseEther("1000"))]);
    await devnet.request("hardhat_impersonateAccount", [account]);
  }
  for (const account of [DEV, VICTIM, OTHER]) {
    await admit(account);
    await call(account, weth, wrappedAbi, "deposit", [], parseEther("500"));
  }
  const rich = devnet.deployer.address;
  await devnet.request("hardhat_impersonateAccount", [rich]);
  for (const account of [DEV, VICTIM])
    await call(rich, stablecoin, erc20Abi, "transfer", [account, parseUnits("200000", 6)]);

  return {
    send,
    call,
    view,
    balanceOf,
    admit,
    async deploy({ abi, bytecode }: CompiledToken, args: readonly unknown[] = []): Promise<Hex> {
      const { status, contractAddress } = await send(
        DEV,
        undefined,
        encodeDeployData({ abi, bytecode, args }),
      );
      if (status !== "0x1") throw new Error("a contract was not created");
      return contractAddress;
    },
    async open(
      token: Hex,
      kind: "pair" | "concentrated" | "stablecoin",
      tokens: bigint,
      isBurnt: boolean,
    ): Promise<OpenMarket> {
      const quote = (kind === "stablecoin" ? stablecoin : weth) as Hex;
      const amount = kind === "stablecoin" ? parseUnits("60000", 6) : parseEther("20");
      const to = isBurnt ? DEAD : DEV;
      if (kind === "concentrated") {
        for (const side of [token, quote])
          await call(DEV, side, erc20Abi, "approve", [positionManager, maxUint256]);
        const isFirst = token.toLowerCase() < quote.toLowerCase();
        const [token0, token1, amount0, amount1] = isFirst
          ? [token, quote, tokens, amount]
          : [quote, token, amount, tokens];
        const price = squareRoot((amount1 << 192n) / amount0);
        await call(DEV, positionManager, managerAbi, "createAndInitializePoolIfNecessary", [
          token0,
          token1,
          FEE,
          price,
        ]);
        const range = { tickLower: -887_200, tickUpper: 887_200 };
        await call(DEV, positionManager, managerAbi, "mint", [
          {
            token0,
            token1,
            fee: FEE,
            ...range,
            amount0Desired: amount0,
            amount1Desired: amount1,
            amount0Min: 0n,
            amount1Min: 0n,
            recipient: to,
            deadline: maxUint256,
          },
        ]);
        return { kind, token, quote, pair: null, spent: amount / 100n };
      }
      for (const side of [token, quote])
        await call(DEV, side, erc20Abi, "approve", [uniswapV2Router, maxUint256]);
      await call(DEV, uniswapV2Router, routerAbi, "addLiquidity", [
        token,
        quote,
        tokens,
        amount,
        0n,
        0n,
        to,
        maxUint256,
      ]);
      const pair = await view<Hex>(uniswapV2Factory, factoryAbi, "getPair", [token, quote]);
      return { kind: "pair", token, quote, pair, spent: amount / 100n };
    },
    /** The calldata of a swap, without a limit unless one is given. */
    encodeSwap(
      market: OpenMarket,
      isSale: boolean,
      amount: bigint,
      to: Hex,
      least = 0n,
      deadline = 2n ** 40n,
    ): { to: Hex; data: Hex } {
      const path = isSale ? [market.token, market.quote] : [market.quote, market.token];
      const [tokenIn, tokenOut] = path as [Hex, Hex];
      if (market.kind === "concentrated")
        return {
          to: swapRouter02 as Hex,
          data: encodeFunctionData({
            abi: concentratedAbi,
            args: [
              {
                tokenIn,
                tokenOut,
                fee: FEE,
                recipient: to,
                amountIn: amount,
                amountOutMinimum: least,
                sqrtPriceLimitX96: 0n,
              },
            ],
          }),
        };
      return {
        to: uniswapV2Router as Hex,
        data: encodeFunctionData({
          abi: routerAbi,
          functionName: "swapExactTokensForTokensSupportingFeeOnTransferTokens",
          args: [amount, least, path, to, deadline],
        }),
      };
    },
    /** What the pair's formula promises for so much of the quote token; null for other pools. */
    async quote({ pair, quote, token }: OpenMarket, amount: bigint): Promise<bigint | null> {
      if (pair === null) return null;
      const amounts = await view<readonly bigint[]>(uniswapV2Router, routerAbi, "getAmountsOut", [
        amount,
        [quote, token],
      ]);
      return amounts[1] ?? null;
    },
    /** Swaps as a real account; what was received, or null where the transaction failed. */
    async swap(market: OpenMarket, from: Hex, isSale: boolean, amount: bigint): Promise<bigint | null> {
      const [give, take] = isSale ? [market.token, market.quote] : [market.quote, market.token];
      const { to, data } = this.encodeSwap(market, isSale, amount, from);
      await send(
        from,
        give,
        encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [to, maxUint256] }),
      );
      const before = await balanceOf(take, from);
      const { status } = await send(from, to, data);
      return status === "0x1" ? (await balanceOf(take, from)) - before : null;
    },
    /** Takes the liquidity of the deployer out of the pool. */
    async pull(market: OpenMarket): Promise<void> {
      if (market.pair !== null) {
        const shares = await balanceOf(market.pair, DEV);
        await call(DEV, market.pair, erc20Abi, "approve", [uniswapV2Router, maxUint256]);
        await call(DEV, uniswapV2Router, routerAbi, "removeLiquidity", [
          market.token,
          market.quote,
          shares,
          0n,
          0n,
          DEV,
          maxUint256,
        ]);
        return;
      }
      const tokenId = await view<bigint>(positionManager, managerAbi, "tokenOfOwnerByIndex", [DEV, 0n]);
      const position = await view<readonly unknown[]>(positionManager, managerAbi, "positions", [tokenId]);
      await call(DEV, positionManager, managerAbi, "decreaseLiquidity", [
        { tokenId, liquidity: position[7], amount0Min: 0n, amount1Min: 0n, deadline: maxUint256 },
      ]);
      const most = 2n ** 128n - 1n;
      await call(DEV, positionManager, managerAbi, "collect", [
        { tokenId, recipient: DEV, amount0Max: most, amount1Max: most },
      ]);
    },
    async pass(blocks: number, seconds: number): Promise<void> {
      if (seconds > 0) await devnet.request("evm_increaseTime", [seconds]);
      if (blocks > 0) await devnet.request("hardhat_mine", [toHex(blocks)]);
      await devnet.mine();
    },
  };
}

export type LaunchWorld = Awaited<ReturnType<typeof createLaunchWorld>>;

/** Newton's method on integers. */
function squareRoot(value: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
