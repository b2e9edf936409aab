import type { BaseContext } from "../base/context.js";
import type { Freshness } from "../evidence/freshness.js";
import type { PriceBook } from "./priceBook.js";

/** What a price depends on. */
export interface QuotesContext extends BaseContext {
  readonly prices: PriceBook;
  readonly freshness: Freshness;
}
