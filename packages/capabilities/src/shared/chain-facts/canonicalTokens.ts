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
  { symbol: "USDbC", name: "USD Base Coin", address: "0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA" },
  { symbol: "USDT", name: "Tether USD", address: "0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2" },
  { symbol: "DAI", name: "Dai Stablecoin", address: "0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb" },
  { symbol: "EURC", name: "EURC", address: "0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42" },
  {
    symbol: "cbETH",
    name: "Coinbase Wrapped Staked ETH",
    address: "0x2Ae3F1Ec7F1F5012CFEab0185bfc7aa3cf0DEc22",
  },
  { symbol: "cbBTC", name: "Coinbase Wrapped BTC", address: baseAddresses.cbBtc },
  {
    symbol: "wstETH",
    name: "Wrapped liquid staked Ether 2.0",
    address: "0xc1CBa3fCea344f92D9239c08C0568f6F2F0ee452",
  },
  { symbol: "AERO", name: "Aerodrome", address: "0x940181a94A35A4569E4529A3CDfB74e38FD98631" },
];

export function findCanonicalToken(address: Hex): CanonicalToken | undefined {
  return canonicalTokens.find((token) => token.address?.toLowerCase() === address.toLowerCase());
}
