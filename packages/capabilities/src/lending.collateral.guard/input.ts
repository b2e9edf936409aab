import type { Hex } from "@assay/protocol";
import { z } from "zod";
import { addressField, decimalField } from "../shared/inputs/fields.js";

export const input = z.strictObject({
  marketId: z
    .string()
    .regex(/^0x[a-fA-F0-9]{64}$/, "must be 0x followed by 64 hex digits")
    .transform((value) => value.toLowerCase() as Hex)
    .describe("id of a Morpho Blue market: the hash of its five parameters"),
  collateralToken: addressField.describe("collateral token of that market"),
  loanToken: addressField.describe("loan token of that market"),
  userAddress: addressField
    .refine((value) => BigInt(value) !== 0n, "must not be the zero address, which cannot borrow")
    .describe("borrower"),
  borrowAmountWei: decimalField
    .refine((value) => value !== "0", "must be above 0: there is nothing to borrow")
    .describe("amount to borrow in the loan token's smallest unit"),
});

export type LendingCollateralInput = z.output<typeof input>;
