import { z } from "zod";
import { baseAddresses, lowercaseAddress } from "../chain-facts/baseAddresses.js";
import { recordedAddressSchema } from "../words/recordedAddress.js";

const address = recordedAddressSchema;

/** Which functions a router has. Two families: classic pools, and pools with concentrated liquidity. */
export const swapRouterKinds = [
  "uniswap_v2",
  "aerodrome",
  "swap_router_02",
  "swap_router",
  "slipstream",
  "universal_router",
] as const;
export type SwapRouterKind = (typeof swapRouterKinds)[number];
export type SwapFamily = "classic" | "concentrated";

/** Of a router whose functions are all of one family; the Universal Router's programs say which they use. */
export const swapFamilies: Readonly<Record<Exclude<SwapRouterKind, "universal_router">, SwapFamily>> = {
  uniswap_v2: "classic",
  aerodrome: "classic",
  swap_router_02: "concentrated",
  swap_router: "concentrated",
  slipstream: "concentrated",
};

export const swapRouterSchema = z.strictObject({
  kind: z.enum(swapRouterKinds),
  address,
  /** Pool factories that a caller may name; only Aerodrome's router lets one be named. */
  factories: z.array(address).max(16),
});
export type SwapRouter = z.output<typeof swapRouterSchema>;

/** The routers of Base that are supported unless the operator names others. */
export const baseSwapRouters: readonly SwapRouter[] = [
  { kind: "uniswap_v2", address: lowercaseAddress(baseAddresses.uniswapV2Router), factories: [] },
  { kind: "swap_router_02", address: lowercaseAddress(baseAddresses.swapRouter02), factories: [] },
  {
    kind: "aerodrome",
    address: lowercaseAddress(baseAddresses.aerodromeRouter),
    factories: [lowercaseAddress(baseAddresses.aerodromeFactory)],
  },
  { kind: "slipstream", address: lowercaseAddress(baseAddresses.slipstreamRouter), factories: [] },
  { kind: "slipstream", address: lowercaseAddress(baseAddresses.slipstream2Router), factories: [] },
  { kind: "slipstream", address: lowercaseAddress(baseAddresses.slipstream3Router), factories: [] },
  { kind: "universal_router", address: lowercaseAddress(baseAddresses.universalRouter1), factories: [] },
  { kind: "universal_router", address: lowercaseAddress(baseAddresses.universalRouter2), factories: [] },
  { kind: "universal_router", address: lowercaseAddress(baseAddresses.universalRouter211), factories: [] },
];
