/** The token that an argument is an amount of, as the arguments beside it name it; undefined where they do not. */
export function findAmountToken(name: string, beside: Readonly<Record<string, unknown>>): string | undefined {
  const path = Array.isArray(beside.path) ? beside.path : [];
  const token = name.startsWith("amountIn")
    ? (beside.tokenIn ?? path[0])
    : name.startsWith("amountOut")
      ? (beside.tokenOut ?? path.at(-1))
      : name.startsWith("amount")
        ? beside.token
        : undefined;
  return typeof token === "string" ? token.toLowerCase() : undefined;
}
