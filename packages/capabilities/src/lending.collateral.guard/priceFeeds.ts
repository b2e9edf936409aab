import type { Hex } from "@assay/protocol";
import { CB_BTC, USDC, WETH } from "../shared/chain-facts/knownContracts.js";

export interface PriceFeed {
  readonly pair: string;
  /** Whose price in dollars it is, on Base. */
  readonly token: Hex;
  /** It is updated at least this often, even when the price does not move. */
  readonly heartbeatSeconds: number;
}

// Those of ether, bitcoin and USDC: https://github.com/moonwell-fi/moonwell-contracts-v2/blob/45866f4cb74b/chains/8453.json
/** Chainlink's proxies on Base, by address; all of them are in dollars. */
export const basePriceFeeds: ReadonlyMap<Hex, PriceFeed> = new Map([
  ["0x71041dddad3595f9ced3dccfbe3d1f4b0a16bb70", { pair: "ETH / USD", token: WETH, heartbeatSeconds: 1_200 }],
  [
    "0x64c911996d3c6ac71f9b455b1e8e7266bcbd848f",
    { pair: "BTC / USD", token: CB_BTC, heartbeatSeconds: 1_200 },
  ],
  [
    "0x07da0e54543a844a80abe69c8a12f22b3aa59f9d",
    { pair: "cbBTC / USD", token: CB_BTC, heartbeatSeconds: 1_200 },
  ],
  [
    "0x7e860098f58bbfc8648a4311b374b1d669a2bc6b",
    { pair: "USDC / USD", token: USDC, heartbeatSeconds: 86_400 },
  ],
]);
