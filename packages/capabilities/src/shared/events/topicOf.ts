import type { Hex } from "@assay/protocol";
import { toEventSelector } from "viem";

/** The first topic of an event by its name and types. */
export const topicOf = (event: string): Hex => toEventSelector(`event ${event}`);
