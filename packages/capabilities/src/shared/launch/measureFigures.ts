import { readOneWord } from "../words/readOneWord.js";
import type { WaitFindings } from "./judgeWaits.js";
import type { LaunchReadings } from "./launchReadings.js";
import { LARGE_PPM, type LegName, legOf, type RunFindings } from "./tradeRuns.js";

export interface TradeFigures {
  readonly buyTaxBps: number | null;
  readonly sellTaxBps: number | null;
  readonly transferTaxBps: number | null;
  /** The largest purchase that succeeded where a larger one failed, in millionths of the pool. */
  readonly largestBuyPpm: number | null;
  /** Parts of the supply that the token states as limits; null where it states none, or one that nobody reaches. */
  readonly maxTransactionBps: number | null;
  readonly maxWalletBps: number | null;
  readonly waits: WaitFindings | null;
}

export const NO_FIGURES: TradeFigures = {
  buyTaxBps: null,
  sellTaxBps: null,
  transferTaxBps: null,
  largestBuyPpm: null,
  maxTransactionBps: null,
  maxWalletBps: null,
  waits: null,
};

const WHOLE_BPS = 10_000n;

/** Of several limits of a kind the smallest counts. */
export function measureLimits({
  limits = [],
  totalSupply,
}: LaunchReadings): Pick<TradeFigures, "maxTransactionBps" | "maxWalletBps"> {
  const supply = readOneWord(totalSupply) ?? 0n;
  const least = (kind: "transaction" | "wallet") => {
    const stated = limits
      .filter((limit) => limit.kind === kind)
      .flatMap(({ answer }) => readOneWord(answer) ?? [])
      .filter((limit) => limit > 0n && limit < supply)
      .map((limit) => Number((limit * WHOLE_BPS) / supply));
    return stated.length === 0 ? null : Math.min(...stated);
  };
  return { maxTransactionBps: least("transaction"), maxWalletBps: least("wallet") };
}

export function measureFigures(
  runs: readonly RunFindings[],
): Pick<TradeFigures, "buyTaxBps" | "sellTaxBps" | "transferTaxBps" | "largestBuyPpm"> {
  const worst = (...names: LegName[]): number | null => {
    const taxes = runs
      .filter(({ sharePpm }) => sharePpm <= LARGE_PPM)
      .flatMap((run) =>
        (run.legs ?? []).flatMap(({ leg, taxBps }) =>
          names.includes(leg) && taxBps !== null ? [taxBps] : [],
        ),
      );
    return taxes.length === 0 ? null : Math.max(...taxes);
  };
  const bought = runs.filter((run) => legOf(run, "buy").success);
  const isLimited = runs.some((run) => run.legs !== null && !legOf(run, "buy").success);
  return {
    buyTaxBps: worst("buy"),
    sellTaxBps: worst("sellHalf", "sellRest"),
    transferTaxBps: worst("transfer"),
    largestBuyPpm:
      isLimited && bought.length > 0 ? Math.max(...bought.map(({ sharePpm }) => sharePpm)) : null,
  };
}
