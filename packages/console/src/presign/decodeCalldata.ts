import { type DecodedCalldata, decodeCalls } from "@assay/client";

export type Transaction = Parameters<typeof decodeCalls>[0];

/** The calls in a transaction, decoded in this browser by the rule's own decoder. */
export const decodeCalldata = (transaction: Transaction): DecodedCalldata => decodeCalls(transaction);
