import { type ObservedReadings, observedReadingsSchema } from "../shared/observations/observedReadings.js";

/** Everything contract.change is judged from. */
export const contractChangeReadingsSchema = observedReadingsSchema;
export type ContractChangeReadings = ObservedReadings;
