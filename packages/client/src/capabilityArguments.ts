import type { CapabilityId, getCapability } from "@assay/capabilities";

/** What a capability takes, before normalization. */
export type CapabilityArguments<Id extends CapabilityId> = ReturnType<
  typeof getCapability<Id>
>["input"]["_zod"]["input"];
