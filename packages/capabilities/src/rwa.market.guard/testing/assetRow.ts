import type { ChainRead } from "@assay/chain";
import type { Verdict } from "@assay/protocol";
import type { RwaMarketCode } from "../reasons.js";
import type { AssetQuestion, Issuer } from "./assetFixture.js";

/** One situation: how it comes about, and what must be said of it. */
export interface AssetRow {
  readonly name: string;
  readonly arrange: (issuer: Issuer) => Promise<Omit<AssetQuestion, "through">>;
  /** Reads that no node answers. */
  readonly silent?: (read: ChainRead) => boolean;
  readonly verdict: Verdict;
  readonly codes: readonly RwaMarketCode[];
  readonly without?: readonly RwaMarketCode[];
}
