import { capabilities } from "@assay/client";

/** The capabilities that judge a transaction before it is signed; the first takes any transaction. */
export const transactionGuards = capabilities.filter(({ judgesTransaction }) => judgesTransaction);
