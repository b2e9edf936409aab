import { concatHex, type Hex, numberToHex } from "viem";

/** Token, fee, token, … as V3's routers read it. */
export function packPath(tokens: readonly Hex[], fees: readonly number[]): Hex {
  return concatHex(
    tokens.flatMap((token, index) =>
      index === 0 ? [token] : [numberToHex(fees[index - 1] ?? 0, { size: 3 }), token],
    ),
  );
}
