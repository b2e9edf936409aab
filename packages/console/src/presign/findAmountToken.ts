/** Functions of a token itself, whose amounts are its own (ERC-20). */
const OWN = /^(transfer|transferFrom|approve|increaseAllowance|decreaseAllowance)\(/;

/** The token whose own function a call is. */
export const findOwnToken = (signature: string | null, to: string): string | undefined =>
  signature !== null && OWN.test(signature) ? to : undefined;

/** The token that an argument is an amount of, as the arguments beside it or the call name it; undefined where they do not. */
export function findAmountToken(
  name: string,
  beside: Readonly<Record<string, unknown>>,
  own: string | undefined,
): string | undefined {
  const path = Array.isArray(beside.path) ? beside.path : [];
  const token = name.startsWith("amountIn")
    ? (beside.tokenIn ?? path[0])
    : name.startsWith("amountOut")
      ? (beside.tokenOut ?? path.at(-1))
      : name.startsWith("amount")
        ? (beside.token ?? own)
        : undefined;
  return typeof token === "string" ? token.toLowerCase() : undefined;
}
