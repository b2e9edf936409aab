import { BASE_USDC } from "@assay/client";
import { BASE_WETH } from "@assay/protocol";
import { useLocalChain } from "../service/assay.js";
import { shorten } from "../ui/format.js";

export interface TokenName {
  readonly name: string;
  /** Undefined where amounts are shown in the token's smallest unit. */
  readonly decimals: number | undefined;
}

const WETH = BASE_WETH.toLowerCase();

/** Names of the few tokens this page knows for certain; others are shown by address and in their smallest unit. */
export function useTokenNames(): (token: string | null) => TokenName {
  const { data: localChain } = useLocalChain();
  const stablecoin = (localChain?.stablecoin.address ?? BASE_USDC).toLowerCase();
  return (token) => {
    if (token === null) return { name: "ETH", decimals: 18 };
    if (token === stablecoin) return { name: "USDC", decimals: 6 };
    return token === WETH ? { name: "WETH", decimals: 18 } : { name: shorten(token), decimals: undefined };
  };
}
