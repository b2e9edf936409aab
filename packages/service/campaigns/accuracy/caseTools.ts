import type { Hex } from "@assay/protocol";
import { encodeAbiParameters, parseAbiParameters, parseEther } from "viem";
import { encode, type Transaction } from "./accuracyWorld.js";
export interface AccuracyCase {
  readonly name: string;
  readonly group: "honest" | "hostile" | "losing";
  readonly kind: string;
  readonly transaction: Transaction;
}

export type Make = (
  name: string,
  kind: string,
  transaction: Partial<Transaction> & { readonly to: Hex },
) => AccuracyCase;

export const usd = (dollars: number) => BigInt(Math.round(dollars * 1e6));
export const soon = () => BigInt(Math.floor(Date.now() / 1000) + 1800);
export const MSG_SENDER: Hex = "0x0000000000000000000000000000000000000001";
export const ROUTER_SELF: Hex = "0x0000000000000000000000000000000000000002";
export const ZERO: Hex = "0x0000000000000000000000000000000000000000";
export const DEAD: Hex = "0x000000000000000000000000000000000000dead";

export const transfer = (to: string, amount: bigint) =>
  encode("transfer(address t, uint256 a)", [to, amount]);
export const approve = (spender: string, amount: bigint) =>
  encode("approve(address s, uint256 a)", [spender, amount]);

export const v3Single = (tokenIn: Hex, tokenOut: Hex, recipient: Hex, amountIn: bigint, min: bigint) =>
  encode(
    "exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)",
    [{ tokenIn, tokenOut, fee: 500, recipient, amountIn, amountOutMinimum: min, sqrtPriceLimitX96: 0n }],
  );
export const command = (types: string, values: readonly unknown[]) =>
  encodeAbiParameters(parseAbiParameters(types), values as never);
export const run = (commands: Hex, inputs: readonly Hex[]) =>
  encode("execute(bytes c, bytes[] i, uint256 d)", [commands, inputs, soon()]);

/** The local pools hold 3,000 dollars an ether, less a little for fees. */
export const wethFor = (dollars: number) =>
  (parseEther("1") * BigInt(Math.round(dollars * 990))) / 3_000_000n;
export const usdcFor = (ether: number) => usd(ether * 3000 * 0.985);
