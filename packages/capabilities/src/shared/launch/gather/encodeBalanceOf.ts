import type { Hex } from "@assay/protocol";

export const encodeBalanceOf = (holder: Hex): Hex => `0x70a08231${holder.slice(2).padStart(64, "0")}`;
