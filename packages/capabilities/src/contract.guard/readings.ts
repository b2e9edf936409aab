import { type SubjectReadings, subjectReadingsSchema } from "../shared/proxies/subjectReadings.js";

/** Everything contract.guard is judged from. */
export const contractGuardReadingsSchema = subjectReadingsSchema;
export type ContractGuardReadings = SubjectReadings;
