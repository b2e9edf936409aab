import type { Hex } from "@assay/protocol";
import type { TradeItem } from "../meaning.js";
import { NATIVE_MARK, ZERO } from "./form.js";

/**
 * An amount of a token, or of ether where the venue takes this address for ether. Each venue has one such mark or none. At
 * another, the mark is an address without code, of which a transfer succeeds and moves nothing.
 */
export function fungible(token: Hex, amount: string, to: Hex | null, mark: Hex | null): TradeItem {
  const isNative = token === mark;
  return {
    kind: isNative ? "native" : "erc20",
    token: isNative ? null : token,
    id: null,
    amount,
    to,
  };
}

/** Whether an item is of no token at all: there is never code at these addresses. */
export const isNothing = ({ kind, token }: TradeItem): boolean =>
  kind !== "native" && (token === ZERO || token === NATIVE_MARK);
