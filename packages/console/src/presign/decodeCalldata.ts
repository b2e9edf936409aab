import { type CapabilityInput, type DecodedCalldata, decodeCalls } from "@assay/client";

/** What the calldata says, read here in the browser by the rule's own decoder. */
export const decodeCalldata = (transaction: CapabilityInput<"transaction.intent.guard">): DecodedCalldata =>
  decodeCalls(transaction);
