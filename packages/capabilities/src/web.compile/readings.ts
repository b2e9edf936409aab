import { type PageReadings, pageReadingsSchema } from "@assay/protocol";

/** Everything web.compile is judged from. */
export const webCompileReadingsSchema = pageReadingsSchema;
export type WebCompileReadings = PageReadings;
