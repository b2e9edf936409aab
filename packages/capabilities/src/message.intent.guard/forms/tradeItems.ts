import type { Hex } from "@assay/protocol";
import type { TradeItem } from "../meaning.js";
import { NATIVE_MARK, ZERO } from "./form.js";

/** An amount of a token, or of ether where the address stands for it. */
export function fungible(token: Hex, amount: string, to: Hex | null): TradeItem {
  const isNative = token === ZERO || token === NATIVE_MARK;
  return {
    kind: isNative ? "native" : "erc20",
    token: isNative ? null : token,
    id: null,
    amount,
    to,
  };
}
