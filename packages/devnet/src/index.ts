export { canonicalAddresses } from "./canonicalAddresses.js";
export { createDevnet, type Devnet, type DevnetDescription, type DevnetOptions } from "./createDevnet.js";
export type { DevnetContracts } from "./deployContracts.js";
export type { DevnetAccount } from "./devnetAccounts.js";
export { DevnetRpcError } from "./readResult.js";
