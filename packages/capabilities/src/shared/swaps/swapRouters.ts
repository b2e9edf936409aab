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
] as const;
export type SwapRouterKind = (typeof swapRouterKinds)[number];
export type SwapFamily = "classic" | "concentrated";

export const swapFamilies: Readonly<Record<SwapRouterKind, SwapFamily>> = {
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
    address: "0xcf77a3ba9a5ca399b7c97c74d54e5b1beb874e43",
    factories: ["0x420dd381b31aef6683db6b902084cb0ffece40da"],
  },
  { kind: "slipstream", address: "0xbe6d8f0d05cc4be24d5167a3ef062215be6d18a5", factories: [] },
  { kind: "slipstream", address: "0xcbbb8035cac7d4b3ca7abb74cf7bdf900215ce0d", factories: [] },
];
