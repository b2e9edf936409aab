import { hash32Schema } from "@assay/protocol/primitives";
import { z } from "zod";

export const input = z.strictObject({
  obligationId: hash32Schema.describe("0x and 64 lowercase hex digits, from the claims feed"),
});

export type ObligationVerdictInput = z.output<typeof input>;
