/**
 * What credit is given for, each as a share of the cash that one call has paid. A call is the cause of at most one credit of
 * each kind. Together they give back at most 35 %, so that one owner of all wallets still pays 65 % of the list prices of
 * what it asked; `tariff.test.ts` searches for a history that pays less.
 */

/** To the seeder of what the call reused. */
export const DIVIDEND_PCT = 20n;
/** To the payer, once per wallet and capability, for a call that was pledged before. */
export const PLEDGE_CREDIT_PCT = 10n;
export const PLEDGE_CREDIT_CAP_MICRO_USD = 20_000n;
/** To the payer, for the first report of the call's outcome. */
export const REVIEW_CREDIT_PCT = 5n;
export const REVIEW_CALL_CAP_MICRO_USD = 5_000n;
/** Per wallet and UTC day; the check of `review_days` holds it too. */
export const REVIEW_DAY_CAP_MICRO_USD = 50_000n;

const least = (...amounts: bigint[]): bigint => amounts.reduce((a, b) => (b < a ? b : a));

/** Rounded down, like every credit: `payDividends` and `honourPledges` compute the same in SQL. */
export const dividendOf = (paidMicroUsd: bigint, roomMicroUsd: bigint): bigint =>
  least((paidMicroUsd * DIVIDEND_PCT) / 100n, roomMicroUsd);

export const pledgeCreditOf = (paidMicroUsd: bigint): bigint =>
  least((paidMicroUsd * PLEDGE_CREDIT_PCT) / 100n, PLEDGE_CREDIT_CAP_MICRO_USD);

export const reviewCreditOf = (paidMicroUsd: bigint, givenTodayMicroUsd: bigint): bigint =>
  least(
    (paidMicroUsd * REVIEW_CREDIT_PCT) / 100n,
    REVIEW_CALL_CAP_MICRO_USD,
    REVIEW_DAY_CAP_MICRO_USD - givenTodayMicroUsd,
  );
