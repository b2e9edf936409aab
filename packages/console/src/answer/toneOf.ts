import type { Line } from "@assay/client";

/** The class that colours a figure; most have none. */
export const toneOf = (tone: Line["tone"]) => (tone === undefined ? undefined : `tone-${tone}`);
