import type { Hex } from "@assay/protocol";
import { z } from "zod";
import { recordedAddressSchema } from "../words/recordedAddress.js";

const address = recordedAddressSchema;
/** The wrapped native token of every OP-stack chain, Base among them. Routers take native value for it. */
export const WRAPPED_NATIVE: Hex = "0x4200000000000000000000000000000000000006";

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
  { kind: "uniswap_v2", address: "0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24", factories: [] },
  { kind: "swap_router_02", address: "0x2626664c2603336e57b271c5c0b26f421741e481", factories: [] },
  {
    kind: "aerodrome",
    address: "0xcf77a3ba9a5ca399b7c97c74d54e5b1beb874e43",
    factories: ["0x420dd381b31aef6683db6b902084cb0ffece40da"],
  },
  { kind: "slipstream", address: "0xbe6d8f0d05cc4be24d5167a3ef062215be6d18a5", factories: [] },
];
