import type { Chain } from "@assay/chain";
import type { Logger } from "pino";
import type { Database } from "../store/database.js";
import type { RateLimits } from "../store/rateLimits.js";
import type { Failpoints } from "./failpoints.js";
import type { Settings } from "./settings.js";

/** The adapters every domain function may use; each floor adds its own parts to it. */
export interface BaseContext {
  readonly settings: Settings;
  readonly database: Database;
  readonly chain: Chain;
  readonly limits: RateLimits;
  readonly logger: Logger;
  readonly failpoints: Failpoints;
}
