import type { Hex } from "@assay/protocol";
import { encode } from "./intentFixture.js";

export const FAR = 4_000_000_000n;
export const ZERO: Hex = "0x0000000000000000000000000000000000000000";
/** A contract that accepts anything it is sent and does nothing. */
export const TAKER: Hex = "0x00000000000000000000000000000000c0de7a4e";
/** Someone without code who never sent anything. */
export const STRANGER: Hex = "0x00000000000000000000000000000000c0ffee01";
export const SIGNATURE = [27, `0x${"11".repeat(32)}`, `0x${"22".repeat(32)}`] as const;

export const approve = (spender: string, amount: bigint) =>
  encode("approve(address spender, uint256 amount)", [spender, amount]);
export const transfer = (to: string, amount: bigint) =>
  encode("transfer(address to, uint256 amount)", [to, amount]);
export const transferFrom = (from: string, to: string, amount: bigint) =>
  encode("transferFrom(address from, address to, uint256 amount)", [from, to, amount]);
export const setApprovalForAll = (operator: string, approved: boolean) =>
  encode("setApprovalForAll(address operator, bool approved)", [operator, approved]);
export const permit2Approve = (token: string, spender: string, amount: bigint, expiration: bigint) =>
  encode("approve(address token, address spender, uint160 amount, uint48 expiration)", [
    token,
    spender,
    amount,
    Number(expiration),
  ]);
export const aggregate = (calls: readonly (readonly [string, Hex])[]) =>
  encode("aggregate3((address target, bool allowFailure, bytes callData)[] calls)", [
    calls.map(([target, callData]) => ({ target, allowFailure: false, callData })),
  ]);
export const execTransaction = (to: string, data: Hex, operation: 0 | 1 = 0, value = 0n) =>
  encode(
    "execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 a, uint256 b, uint256 c, address d, address e, bytes f)",
    [to, value, data, operation, 0n, 0n, 0n, ZERO, ZERO, "0x"],
  );
export const execute = (target: string, data: Hex) =>
  encode("execute(address target, uint256 value, bytes data)", [target, 0n, data]);
/** Half an hour from now: soon enough for a swap. */
export const soon = () => BigInt(Math.floor(Date.now() / 1000) + 1800);
export const v2Swap = (
  amountIn: bigint,
  minimum: bigint,
  path: readonly string[],
  to: string,
  deadline = soon(),
) =>
  encode("swapExactTokensForTokens(uint256 a, uint256 b, address[] path, address to, uint256 deadline)", [
    amountIn,
    minimum,
    path,
    to,
    deadline,
  ]);
export const v3Swap = (
  tokenIn: string,
  tokenOut: string,
  fee: number,
  recipient: string,
  amountIn: bigint,
  min = 1n,
) =>
  encode(
    "exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)",
    [{ tokenIn, tokenOut, fee, recipient, amountIn, amountOutMinimum: min, sqrtPriceLimitX96: 0n }],
  );
export const multicall = (calls: readonly Hex[]) => encode("multicall(bytes[] calls)", [calls]);

export const usd = (dollars: number) => BigInt(dollars) * 1_000_000n;
