import type { CapabilityId, capabilityInputs } from "@assay/protocol";

/** What a capability takes, before normalization. */
export type CapabilityArguments<Id extends CapabilityId> = (typeof capabilityInputs)[Id]["_zod"]["input"];
