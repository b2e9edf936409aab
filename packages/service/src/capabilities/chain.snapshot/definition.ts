import { getCapabilitySpec } from "@assay/protocol";
import { type ChainSnapshotReadings, evaluateChainSnapshot } from "@assay/rules";
import type { Capability } from "../types.js";
import { gatherChainSnapshot } from "./gather.js";

export const chainSnapshot: Capability<"chain.snapshot", ChainSnapshotReadings> = {
  spec: { ...getCapabilitySpec("chain.snapshot"), id: "chain.snapshot" },
  gather: gatherChainSnapshot,
  evaluate: evaluateChainSnapshot,
  listFacts: () => [],
  watchedBy: null,
  longLivedPart: null,
};
