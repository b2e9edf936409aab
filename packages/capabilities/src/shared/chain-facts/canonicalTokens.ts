import type { Hex } from "@assay/protocol";
import { baseAddresses } from "./baseAddresses.js";

export interface CanonicalToken {
  readonly symbol: string;
  readonly name: string;
  /** Null for the chain's own currency: no contract may carry its symbol. */
  readonly address: Hex | null;
}

/** Tokens of Base that are worth imitating. Short on purpose: each address is beyond doubt. */
export const canonicalTokens: readonly CanonicalToken[] = [
  { symbol: "ETH", name: "Ether", address: null },
  { symbol: "ETH", name: "Ethereum", address: null },
  { symbol: "WETH", name: "Wrapped Ether", address: baseAddresses.weth },
  { symbol: "USDC", name: "USD Coin", address: baseAddresses.usdc },
  { symbol: "USDbC", name: "USD Base Coin", address: baseAddresses.usdBc },
  { symbol: "USDT", name: "Tether USD", address: baseAddresses.usdt },
  { symbol: "DAI", name: "Dai Stablecoin", address: baseAddresses.dai },
  { symbol: "EURC", name: "EURC", address: baseAddresses.eurc },
  {
    symbol: "cbETH",
    name: "Coinbase Wrapped Staked ETH",
    address: baseAddresses.cbEth,
  },
  { symbol: "cbBTC", name: "Coinbase Wrapped BTC", address: baseAddresses.cbBtc },
  {
    symbol: "wstETH",
    name: "Wrapped liquid staked Ether 2.0",
    address: baseAddresses.wstEth,
  },
  { symbol: "AERO", name: "Aerodrome", address: baseAddresses.aero },
];

export function findCanonicalToken(address: Hex): CanonicalToken | undefined {
  return canonicalTokens.find((token) => token.address?.toLowerCase() === address.toLowerCase());
}
