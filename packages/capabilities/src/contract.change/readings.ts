import { hash32Schema, readingSchema } from "@assay/protocol";
import type { z } from "zod";
import { programReadingSchema } from "../shared/machine/programReading.js";
import { observedReadingsSchema } from "../shared/observations/observedReadings.js";
import { delegationReadingSchema } from "../shared/proxies/delegationReading.js";

/** Everything contract.change is judged from. */
export const contractChangeReadingsSchema = observedReadingsSchema.extend({
  /** What the paths of the address's own code show; null where it is no program. */
  program: programReadingSchema.nullable(),
  delegation: delegationReadingSchema,
  /** What a fixed target passes on over the storage of this address; null where there is none. */
  inner: delegationReadingSchema.nullable(),
  /** keccak256 of what `facets()` answers (ERC-2535). */
  facets: readingSchema(hash32Schema),
});
export type ContractChangeReadings = z.output<typeof contractChangeReadingsSchema>;
