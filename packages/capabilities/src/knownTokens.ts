import type { Hex } from "@assay/protocol";
import { canonicalTokens } from "./shared/chain-facts/canonicalTokens.js";
import { listParties } from "./shared/parties/findParty.js";

/** A token of Base whose address is published; null for the chain's own currency. */
export interface KnownToken {
  readonly symbol: string;
  readonly name: string;
  readonly address: Hex | null;
}

/** Every published token with a symbol. Two of them may have the same one. */
export function listKnownTokens(): readonly KnownToken[] {
  const found = new Map<string, KnownToken>();
  const add = (token: KnownToken) => {
    const key = token.address?.toLowerCase() ?? token.symbol;
    if (!found.has(key)) found.set(key, token);
  };
  for (const { symbol, name, address } of canonicalTokens)
    add({ symbol, name, address: (address?.toLowerCase() ?? null) as Hex | null });
  for (const { role, name, address } of listParties()) {
    // The registry names a token as lists do: "USD Coin (USDC)". A receipt of a deposit says so in the same place.
    const [, title, symbol] = /^(.+) \(([A-Za-z0-9.$₮-]{1,16})\)$/.exec(name) ?? [];
    if (role === "token" && title && symbol && symbol !== "aToken") add({ symbol, name: title, address });
  }
  return [...found.values()];
}
