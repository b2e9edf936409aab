import type { SeededChoices } from "@assay/chain/testing/seededChoices";
import type { Devnet } from "@assay/devnet";
import type { Hex } from "@assay/protocol";
import { encodeFunctionData, encodePacked, parseAbi, parseEther } from "viem";

export interface RandomTransaction {
  readonly kind: string;
  readonly to: string;
  readonly data: Hex;
  readonly value: bigint;
}

const abi = parseAbi([
  "function transfer(address to, uint256 amount)",
  "function approve(address spender, uint256 amount)",
  "function withdraw(uint256 amount)",
  "function deposit()",
  "function swapExactTokensForTokens(uint256 i, uint256 o, address[] path, address to, uint256 d)",
  "function swapTokensForExactTokens(uint256 o, uint256 i, address[] path, address to, uint256 d)",
  "function swapExactETHForTokens(uint256 o, address[] path, address to, uint256 d)",
  "function swapExactTokensForETH(uint256 i, uint256 o, address[] path, address to, uint256 d)",
  "function swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256 i, uint256 o, address[] path, address to, uint256 d)",
  "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)",
  "function exactInput((bytes path, address recipient, uint256 amountIn, uint256 amountOutMinimum) params)",
  "function exactOutputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountOut, uint256 amountInMaximum, uint160 sqrtPriceLimitX96) params)",
  "function multicall(bytes[] calls)",
  "function unwrapWETH9(uint256 amountMinimum, address recipient)",
  "function refundETH()",
]);
const encode = (functionName: string, args: readonly unknown[] = []): Hex =>
  encodeFunctionData({ abi, functionName, args } as never);

const FAR = 4_000_000_000n;
const ROUTER: Hex = "0x0000000000000000000000000000000000000002";

/** A transfer, an approval or a swap of a random kind and size that this trader could send. */
export function describeTransaction(choices: SeededChoices, devnet: Devnet, trader: Hex): RandomTransaction {
  const make = choices.pick([
    makeTransfer,
    makeTransfer,
    makeSmallCall,
    makeClassic,
    makeClassic,
    makeConcentrated,
  ]);
  return make(choices, devnet, trader);
}

type Make = (choices: SeededChoices, devnet: Devnet, trader: Hex) => RandomTransaction;
/** From a millionth to ten thousand thousandths, unevenly. */
const amountOf = (choices: SeededChoices, unit: bigint) =>
  (unit * BigInt(choices.integer(1, 10 ** choices.integer(1, 7)))) / 1_000_000n;
/** One in twenty asks for more than any pool gives. */
const limitOf = (choices: SeededChoices) => (choices.chance(0.05) ? parseEther("1000000000") : 1n);

const makeTransfer: Make = (choices, devnet) => {
  const { plainToken, taxedToken, stablecoin, weth, wallet1271 } = devnet.contracts;
  const recipient = choices.pick([...devnet.accounts.slice(5).map(({ address }) => address), wallet1271]);
  if (choices.chance(0.25))
    return { kind: "ether", to: recipient, data: "0x", value: amountOf(choices, parseEther("1")) };
  const token = choices.pick([plainToken, taxedToken, stablecoin, weth]);
  const unit = token === stablecoin ? 1_000_000n : parseEther("1");
  // One in twenty sends more than there is.
  const amount = choices.chance(0.05) ? parseEther("1000000000") : amountOf(choices, unit);
  return { kind: "transfer", to: token, data: encode("transfer", [recipient, amount]), value: 0n };
};

const makeSmallCall: Make = (choices, devnet) => {
  const { plainToken, stablecoin, weth, uniswapV2Factory, multicall3 } = devnet.contracts;
  const amount = amountOf(choices, parseEther("1"));
  return choices.pick([
    { kind: "wrap", to: weth, data: encode("deposit"), value: amount },
    { kind: "unwrap", to: weth, data: encode("withdraw", [amount]), value: 0n },
    {
      kind: "approve",
      to: choices.pick([plainToken, stablecoin, weth]),
      data: encode("approve", [choices.pick([uniswapV2Factory, multicall3]), amount]),
      value: 0n,
    },
  ]);
};

const makeClassic: Make = (choices, devnet, trader) => {
  const { plainToken, taxedToken, stablecoin, weth, uniswapV2Router: to } = devnet.contracts;
  const [tokenIn, tokenOut] = choices.shuffle([plainToken, stablecoin, weth]) as [Hex, Hex];
  const amount = amountOf(choices, tokenIn === stablecoin ? 1_000_000n : parseEther("1"));
  const ether = amountOf(choices, parseEther("1"));
  const swap = (kind: string, name: string, args: readonly unknown[], value = 0n) => ({
    kind: `classic ${kind}`,
    to,
    value,
    data: encode(name, [...args, trader, FAR]),
  });
  return choices.pick([
    () => swap("exact in", "swapExactTokensForTokens", [amount, limitOf(choices), [tokenIn, tokenOut]]),
    () => swap("three tokens", "swapExactTokensForTokens", [ether, 1n, [plainToken, weth, stablecoin]]),
    () => swap("exact out", "swapTokensForExactTokens", [1000n, parseEther("1"), [tokenIn, tokenOut]]),
    () => swap("ether in", "swapExactETHForTokens", [limitOf(choices), [weth, stablecoin]], ether),
    () => swap("ether out", "swapExactTokensForETH", [ether, 1n, [plainToken, weth]]),
    () =>
      swap("taxed", "swapExactTokensForTokensSupportingFeeOnTransferTokens", [
        ether,
        0n,
        choices.shuffle([taxedToken, weth]),
      ]),
  ])();
};

const makeConcentrated: Make = (choices, devnet, trader) => {
  const { plainToken, stablecoin, weth, swapRouter02: to } = devnet.contracts;
  const ether = amountOf(choices, parseEther("1"));
  const dollars = amountOf(choices, 1_000_000n);
  const single = (tokenIn: Hex, tokenOut: Hex, fee: number, amountIn: bigint, recipient: Hex = trader) =>
    encode("exactInputSingle", [
      { tokenIn, tokenOut, fee, recipient, amountIn, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n },
    ]);
  const path = encodePacked(
    ["address", "uint24", "address", "uint24", "address"],
    [plainToken, 3000, weth, 500, stablecoin],
  );
  return choices.pick<() => RandomTransaction>([
    () => ({ kind: "concentrated exact in", to, value: 0n, data: single(stablecoin, weth, 500, dollars) }),
    () => ({ kind: "concentrated exact in", to, value: 0n, data: single(plainToken, weth, 3000, ether) }),
    () => ({
      kind: "concentrated two pools",
      to,
      value: 0n,
      data: encode("exactInput", [
        { path, recipient: trader, amountIn: ether, amountOutMinimum: limitOf(choices) },
      ]),
    }),
    () => ({
      kind: "concentrated exact out",
      to,
      value: 0n,
      data: encode("exactOutputSingle", [
        {
          tokenIn: weth,
          tokenOut: stablecoin,
          fee: 500,
          recipient: trader,
          amountOut: dollars,
          amountInMaximum: parseEther("1"),
          sqrtPriceLimitX96: 0n,
        },
      ]),
    }),
    () => ({
      kind: "concentrated, unwrapped",
      to,
      value: 0n,
      data: encode("multicall", [
        [single(stablecoin, weth, 500, dollars, ROUTER), encode("unwrapWETH9", [0n, trader])],
      ]),
    }),
    () => ({
      kind: "concentrated, refunded",
      to,
      value: ether * 2n,
      data: encode("multicall", [[single(weth, stablecoin, 500, ether), encode("refundETH")]]),
    }),
  ])();
};
