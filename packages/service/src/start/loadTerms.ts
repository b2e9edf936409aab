import { createPriceBook, type PriceBook } from "../quotes/priceBook.js";
import { type Budgets, createBudgets } from "../store/rateLimits.js";
import type { Config } from "./config.js";
import { readOperatorFile } from "./readOperatorFile.js";

/** The catalog's prices with the operator's changes. */
export const loadPrices = async ({ pricesFile }: Pick<Config, "pricesFile">): Promise<PriceBook> =>
  pricesFile === undefined
    ? createPriceBook()
    : readOperatorFile("PRICES_FILE", pricesFile, (value) => createPriceBook(value));

/** The rate limits with the operator's changes. */
export const loadBudgets = async ({ rateLimitsFile }: Pick<Config, "rateLimitsFile">): Promise<Budgets> =>
  rateLimitsFile === undefined
    ? createBudgets()
    : readOperatorFile("RATE_LIMITS_FILE", rateLimitsFile, (value) => createBudgets(value));
