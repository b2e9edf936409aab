import type { Hex } from "@assay/protocol";
import { keccak256 } from "@assay/protocol";
import { encodePacked } from "viem";
import { nameCreated2 } from "../../code/nameCreated.js";
import type { LaunchVenues } from "../../pools/launchVenues.js";

/** The pairs' addresses follow from the factory's, so that their events can be read together with the token. */
export function listPairs({ weth, stablecoin, quotes, classic }: LaunchVenues, token: Hex): Hex[] {
  const { pairCodeHash, factory } = classic;
  if (pairCodeHash === undefined) return [];
  return [weth, stablecoin, ...quotes.map(({ address }) => address)]
    .filter((quote) => quote !== token)
    .map((quote) => {
      const [first, second] = token < quote ? [token, quote] : [quote, token];
      const salt = keccak256(encodePacked(["address", "address"], [first, second]));
      return nameCreated2(factory, salt, pairCodeHash);
    });
}
