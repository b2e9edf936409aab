import type { Hex } from "@assay/protocol";
import { type HookGuardInput, input } from "../input.js";
import { describeSamplePool } from "../samples.js";

/** The parsed input that asks about the local chain's v4 pool with these hooks. */
export const samplePool = (contracts: Readonly<Record<string, Hex>>, hooks: Hex): HookGuardInput =>
  input.parse(describeSamplePool({ contracts }, hooks));
