import type { z } from "zod";
import { addressField, bytesField, MAX_DATA_CHARACTERS, transactionInput } from "../shared/inputs/fields.js";

export const input = transactionInput.extend({
  to: addressField.describe(
    "router that swaps: Uniswap V2 Router02, SwapRouter02, the Universal Router, Aerodrome or Slipstream on Base, unless the operator names others; a refusal lists them",
  ),
  data: bytesField(
    MAX_DATA_CHARACTERS,
    /^0x([a-fA-F0-9]{2})+$/,
    "must be 0x followed by the swap call in whole hex bytes",
  ).describe("swap calldata in hex, two digits a byte"),
});

export type SwapGuardInput = z.output<typeof input>;
