import { getCapabilitySpec } from "@assay/protocol";
import { evaluateTokenMetadata, listTokenMetadataFacts, type TokenMetadataReadings } from "@assay/rules";
import type { Capability } from "../types.js";
import { gatherTokenMetadata } from "./gather.js";

export const tokenMetadata: Capability<"token.metadata", TokenMetadataReadings> = {
  spec: { ...getCapabilitySpec("token.metadata"), id: "token.metadata" },
  gather: gatherTokenMetadata,
  evaluate: evaluateTokenMetadata,
  listFacts: listTokenMetadataFacts,
  watchedBy: "contract.change",
  longLivedPart: "fingerprint",
};
