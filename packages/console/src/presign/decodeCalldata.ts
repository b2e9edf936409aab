import { type DecodedCalldata, decodeCalls } from "@assay/client";
import type { CapabilityInput } from "@assay/protocol";

/** What the calldata says, read here in the browser by the rule's own decoder. */
export const decodeCalldata = (transaction: CapabilityInput<"transaction.intent.guard">): DecodedCalldata =>
  decodeCalls(transaction);
