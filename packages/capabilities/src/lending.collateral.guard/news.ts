import type { Hex } from "@assay/protocol";
import { formatAmount, formatBps, formatSeconds } from "../shared/news/formatAmount.js";
import type { Found } from "../shared/news/found.js";
import { line } from "../shared/news/line.js";
import type { Line, WriteNews } from "../shared/news/news.js";
import type { TokenBook } from "../shared/news/tokenBook.js";
import { type LendingCollateralCode, lendingCollateralReasons } from "./reasons.js";

/** 18 decimals, as the market counts health. */
const WAD = 18;

/** What a borrow leaves of a position. */
export const writeNews: WriteNews = ({ findings, input, tokens, result }) => {
  const position = findings.at("position");
  const [loan, collateral] = [
    input.at("loanToken").address() ?? null,
    input.at("collateralToken").address() ?? null,
  ];
  const fall = position.at("fallToLiquidationBps").number();
  const health = readHealth(position.at("health", "after"));
  const amount = (found: Found, token: typeof loan) => {
    const whole = found.whole();
    return whole === undefined ? undefined : tokens.priced(whole, token);
  };
  const allowed = position.at("debt", "allowed").whole();
  const after = position.at("debt", "after").whole();
  const pledged = tellCollateral(findings, { loan, collateral }, tokens);
  const sentence =
    after === undefined || fall === undefined || pledged === undefined
      ? undefined
      : `You would owe ${tokens.priced(after, loan)} on ${pledged}, and be liquidated once the collateral has lost ${formatBps(fall)} of its price.`;
  return {
    // More than is allowed: by how much says more than that it is. So does the fall that is borne, where nothing else is doubtful.
    warning:
      allowed === undefined || after === undefined || after <= allowed
        ? result.reasonCodes.every(isOnlyFall)
          ? sentence
          : undefined
        : `You would owe ${tokens.priced(after, loan)}, and your collateral carries ${tokens.priced(allowed, loan)}.`,
    headline: sentence,
    sections: [
      {
        title: "Your position",
        lines: [
          ...line("Health after", health, health !== undefined && Number(health) < 1.1 ? "bad" : undefined),
          ...line("Price may fall by", fall === undefined ? undefined : formatBps(fall)),
          ...line("Debt after", amount(position.at("debt", "after"), loan)),
          ...line("Debt that is allowed", amount(position.at("debt", "allowed"), loan)),
          ...line("Most you could borrow", amount(position.at("mostBorrowable"), loan)),
          ...line("Collateral", pledged),
          ...line(
            `Liquidated when 1 ${tokens.name(collateral).symbol} costs`,
            tellPrice(position.at("liquidationPrice"), { loan, collateral }, tokens),
          ),
          ...line(
            `Price of 1 ${tokens.name(collateral).symbol} now`,
            tellPrice(findings.at("oracle", "price"), { loan, collateral }, tokens),
          ),
          ...position
            .at("healthAfterFall")
            .entries()
            .flatMap(([share, one]) => describeFall(share, one)),
          ...line("Health before", readHealth(position.at("health", "before")) ?? "no debt"),
          ...line("Debt before", amount(position.at("debt", "before"), loan)),
          ...line(
            "Unhealthy by interest alone after",
            health !== undefined && Number(health) < 1
              ? undefined
              : seconds(position.at("secondsUntilUnhealthy")),
          ),
        ],
      },
      {
        title: "The market",
        lines: [
          ...line("Left to borrow after it", amount(findings.at("computed", "liquidityAfter"), loan)),
          ...line("Lends up to", share(findings.at("market", "lltv"))),
          ...line("Interest per year", perYear(findings.at("market", "ratePerSecond"))),
          ...line("Oracle", findings.at("oracle", "address").address()),
          ...findings
            .at("oracle", "feeds")
            .list()
            .flatMap((feed) => describeFeed(feed)),
          ...line("Market id", input.at("marketId").text()),
        ],
      },
    ],
  };
};

/** Whether a reason speaks against nothing but a fall of the price. */
const isOnlyFall = (code: string): boolean =>
  code.startsWith("UNHEALTHY_AFTER_FALL") ||
  (Object.hasOwn(lendingCollateralReasons, code) &&
    lendingCollateralReasons[code as LendingCollateralCode].verdict === "allow");

/** The collateral, and what the market's own oracle says that it is worth where a loan is in dollars. */
function tellCollateral(
  findings: Found,
  { loan, collateral }: Readonly<Record<"loan" | "collateral", Hex | null>>,
  tokens: TokenBook,
): string | undefined {
  const [held, price] = [
    findings.at("computed", "collateral").whole(),
    findings.at("oracle", "price").whole(),
  ];
  if (held === undefined) return undefined;
  const usd =
    price === undefined ? undefined : tokens.worth((held * price) / 10n ** BigInt(PRICE_DECIMALS), loan);
  return `${tokens.amount(held, collateral)}${usd === undefined ? "" : ` (${usd})`}`;
}

/** 36 decimals, corrected by those of the two tokens (IOracle of Morpho). */
const PRICE_DECIMALS = 36;

function tellPrice(
  found: Found,
  { loan, collateral }: Readonly<Record<"loan" | "collateral", Hex | null>>,
  tokens: TokenBook,
): string | undefined {
  const price = found.whole();
  const [paid, priced] = [tokens.name(loan), tokens.name(collateral)];
  if (price === undefined || paid.decimals === undefined || priced.decimals === undefined) return undefined;
  return `${formatAmount(price, PRICE_DECIMALS + paid.decimals - priced.decimals)} ${paid.symbol}`;
}

const readHealth = (found: Found): string | undefined => {
  const whole = found.whole();
  return whole === undefined ? undefined : (Number(whole / 10n ** 14n) / 10_000).toFixed(2);
};

function describeFall(share: string, one: Found): Line[] {
  const health = readHealth(one);
  return line(
    `Health after a fall of ${share.replace("%", " %")}`,
    health,
    health !== undefined && Number(health) < 1 ? "bad" : undefined,
  );
}

const seconds = (found: Found) => {
  const whole = found.whole();
  return whole === undefined ? undefined : formatSeconds(Number(whole));
};

const share = (found: Found) => {
  const whole = found.whole();
  return whole === undefined ? undefined : `${formatAmount(whole, WAD - 2)} % of the collateral`;
};

const YEAR_SECONDS = 31_536_000n;
const perYear = (found: Found) => {
  const whole = found.whole();
  return whole === undefined
    ? undefined
    : `${(Number((whole * YEAR_SECONDS) / 10n ** 12n) / 10_000).toFixed(2)} %`;
};

function describeFeed(feed: Found): Line[] {
  const [pair, answer, decimals] = [
    feed.at("pair").text(),
    feed.at("answer").whole(),
    feed.at("decimals").number(),
  ];
  const age = feed.at("ageSeconds").number();
  if (pair === undefined || answer === undefined || decimals === undefined) return [];
  return line(
    `Feed ${pair}`,
    `${formatAmount(answer, decimals)}${age === undefined ? "" : `, ${formatSeconds(age)} old`}`,
  );
}
