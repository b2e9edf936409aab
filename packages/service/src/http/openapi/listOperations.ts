import type { PriceBook } from "../../quotes/priceBook.js";
import type { Operation } from "./operation.js";
import { listClaimOperations } from "./operations/listClaimOperations.js";
import { listDiscoveryOperations } from "./operations/listDiscoveryOperations.js";
import { listEvidenceOperations } from "./operations/listEvidenceOperations.js";
import { listInvokeOperations } from "./operations/listInvokeOperations.js";
import { listMarketOperations } from "./operations/listMarketOperations.js";
import { listMcpOperations } from "./operations/listMcpOperations.js";
import { listServiceOperations } from "./operations/listServiceOperations.js";

/** Every route of the service. */
export const listOperations = (prices: PriceBook): Operation[] => [
  ...listDiscoveryOperations(),
  ...listInvokeOperations(prices),
  ...listEvidenceOperations(),
  ...listClaimOperations(),
  ...listMarketOperations(),
  ...listMcpOperations(prices),
  ...listServiceOperations(),
];
