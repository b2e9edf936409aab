import { addressSchema, readingSchema } from "@assay/protocol";
import { z } from "zod";
import { type WatchedOpcode, watchedOpcodes } from "../code/listWatchedOpcodes.js";

const wei = z.string().regex(/^(0|[1-9][0-9]{0,77})$/, "must be a decimal integer");

/** The fees under which calls were simulated, and those that code could read while they ran. Wei per unit of gas. */
export const simulationConditionsSchema = z.strictObject({
  /** As the header states it; null in one that has none. */
  baseFee: wei.nullable(),
  /** As asked for. */
  gasPrice: wei,
  /** The two values as a simulated call read them. */
  seen: readingSchema(z.strictObject({ gasPrice: wei, baseFee: wei })),
  /** Whether the sender was lent the fee, because it holds too little for all the gas that a call is given. */
  isFeeLent: z.boolean(),
});

/** A contract whose code runs, and which of the fees it reads. */
export const watchedProgramSchema = z.strictObject({
  address: addressSchema,
  /** Absent for an account that runs code from another address. */
  looksAt: readingSchema(z.array(z.enum(watchedOpcodes))),
});

export type SimulationConditions = z.output<typeof simulationConditionsSchema>;

/** The fees that simulated calls read otherwise than a transaction would. */
export function listHiddenFees({ baseFee, gasPrice, seen }: SimulationConditions): WatchedOpcode[] {
  const isRead = seen.status === "value";
  return watchedOpcodes.filter((opcode) =>
    opcode === "GASPRICE"
      ? !isRead || seen.value.gasPrice !== gasPrice
      : !isRead || seen.value.baseFee !== (baseFee ?? "0"),
  );
}
