import { encodeFunctionData, parseAbi, parseEther, parseUnits } from "viem";
import { getAccount, getContract, type LocalChainFacts, type Sample } from "../localChain.js";

/** SwapRouter02 of Uniswap v3. */
const routerAbi = parseAbi([
  "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)",
]);

/** Sales of 0.01 ether, which is worth 30 dollars on the local chain, for at least this many dollars. */
export function listSamples(facts: LocalChainFacts): Sample[] {
  const from = getAccount(facts, "alice");
  const amountIn = parseEther("0.01");
  const sellFor = (dollars: string) => {
    const swap = {
      tokenIn: getContract(facts, "weth"),
      tokenOut: getContract(facts, "stablecoin"),
      fee: 500,
      recipient: from,
      amountIn,
      amountOutMinimum: parseUnits(dollars, 6),
      sqrtPriceLimitX96: 0n,
    };
    return {
      from,
      to: getContract(facts, "swapRouter02"),
      data: encodeFunctionData({ abi: routerAbi, args: [swap] }),
      value: amountIn.toString(),
    };
  };
  return [
    { name: "0.01 ether for 29.90 dollars or more", input: sellFor("29.9") },
    { name: "0.01 ether for 20 dollars or more", input: sellFor("20") },
    { name: "0.01 ether for whatever comes", input: sellFor("0") },
  ];
}
