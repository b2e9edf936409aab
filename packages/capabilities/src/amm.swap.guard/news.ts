import { wordsFor } from "../shared/news/codeWords.js";
import { formatAmount, formatBps, formatMoment } from "../shared/news/formatAmount.js";
import type { Found } from "../shared/news/found.js";
import { line, spell } from "../shared/news/line.js";
import type { Change, Line, WriteNews } from "../shared/news/news.js";
import type { TokenBook } from "../shared/news/tokenBook.js";
import type { SwapRouterKind } from "../shared/swaps/swapRouters.js";
import { type SwapGuardCode, swapGuardReasons } from "./reasons.js";

const routers: Readonly<Record<SwapRouterKind, string>> = {
  uniswap_v2: "Uniswap v2",
  aerodrome: "Aerodrome",
  swap_router_02: "Uniswap v3 (SwapRouter02)",
  swap_router: "Uniswap v3 (SwapRouter)",
  slipstream: "Aerodrome Slipstream",
  universal_router: "Uniswap (Universal Router)",
};

/** What a swap takes and gives, beside its own limit and beside what the market gives. */
export const writeNews: WriteNews = ({ findings, tokens, result }) => {
  const swap = findings.at("swap");
  const [tokenIn, tokenOut] = [tokenOf(swap.at("tokenIn")), tokenOf(swap.at("tokenOut"))];
  const isMeasured = findings.at("measured").value !== null;
  const outcome = findings.at(isMeasured ? "measured" : "measuredIfApproved");
  const [paid, received] = [outcome.at("paid").whole(), outcome.at("received").whole()];
  const amount = (found: Found, token: typeof tokenIn) => {
    const whole = found.whole();
    return whole === undefined ? undefined : tokens.priced(whole, token);
  };
  const flow = (name: string, sign: string, whole: bigint | undefined, token: typeof tokenIn): Change[] =>
    whole === undefined
      ? []
      : [
          {
            name,
            text: `${sign}${tokens.priced(whole, token)}`,
            tone: sign === "+" ? "good" : "bad",
            ...tokens.name(token),
          },
        ];
  const market = findings.at("market", "lossBps").number();
  return {
    headline: tellSwap(paid, received, tokenIn, tokenOut, tokens, market),
    warning: tellLimit(result.reasonCodes, swap, outcome, { tokenIn, tokenOut }, tokens),
    detail:
      isMeasured || paid === undefined
        ? ""
        : "It runs only after the router is approved; measured as if it were.",
    changes: [...flow("You pay", "−", paid, tokenIn), ...flow("You receive", "+", received, tokenOut)],
    powers: swap
      .at("permissions")
      .list()
      .flatMap((one) =>
        line(one.at("spender").address() ?? "Somebody", "may spend tokens of yours afterwards", "warn"),
      ),
    sections: [
      {
        title: "The price",
        lines: [
          ...line("Pays at most", amount(swap.at("maxIn"), tokenIn)),
          ...line("Pays exactly", amount(swap.at("amountIn"), tokenIn)),
          ...line("Receives at least", amount(swap.at("minOut"), tokenOut)),
          ...line("Receives exactly", amount(swap.at("amountOut"), tokenOut)),
          ...share("Worse than the market", findings.at("market", "lossBps")),
          ...line("The market gives", amount(findings.at("market", "gives"), tokenOut)),
          ...share("Moves the price by", findings.at("priceImpactBps")),
          ...share("Fee of the token on transfer", findings.at("transferFeeBps")),
          ...share("Difference that counts as fair", findings.at("toleranceBps")),
          ...share("Lost when half is sold back", findings.at("resale", "lossBps")),
        ],
      },
      { title: "The route", isMinor: true, lines: describeRoute(swap, findings) },
    ],
  };
};

const tokenOf = (side: Found) => (side.at("isNative").flag() ? null : (side.at("address").address() ?? null));

function tellSwap(
  paid: bigint | undefined,
  received: bigint | undefined,
  tokenIn: ReturnType<typeof tokenOf>,
  tokenOut: ReturnType<typeof tokenOf>,
  tokens: TokenBook,
  lossBps: number | undefined,
): string | undefined {
  if (paid === undefined || received === undefined) return undefined;
  const market =
    lossBps === undefined
      ? ""
      : lossBps <= 0
        ? ", as the market gives"
        : `, ${formatBps(lossBps)} less than the market gives`;
  return `You pay ${tokens.priced(paid, tokenIn)} and receive ${tokens.priced(received, tokenOut)}${market}.`;
}

/** Reasons that the swap's own limit is too loose. */
const LOOSE: ReadonlySet<string> = new Set<SwapGuardCode>([
  "MIN_OUT_ZERO",
  "MIN_OUT_NEGLIGIBLE",
  "MIN_OUT_BELOW_TOLERANCE",
]);

/** Where nothing but its limit speaks against a swap: what it may give instead of what it would give now. */
function tellLimit(
  codes: readonly string[],
  swap: Found,
  outcome: Found,
  { tokenIn, tokenOut }: Readonly<Record<"tokenIn" | "tokenOut", ReturnType<typeof tokenOf>>>,
  tokens: TokenBook,
): string | undefined {
  const [paid, received] = [outcome.at("paid").whole(), outcome.at("received").whole()];
  const least = swap.at("minOut").whole();
  if (paid === undefined || received === undefined || least === undefined) return undefined;
  const weighing = codes.filter((code) => !weighsNothing(code));
  if (weighing.length === 0 || !weighing.every((code) => LOOSE.has(code))) return undefined;
  const limit = least === 0n ? "nothing" : `only ${tokens.priced(least, tokenOut)}`;
  return `You pay ${tokens.priced(paid, tokenIn)} and would receive ${tokens.priced(received, tokenOut)} now, but it goes through even if you get ${limit}.`;
}

const weighsNothing = (code: string) =>
  Object.hasOwn(swapGuardReasons, code) && swapGuardReasons[code as SwapGuardCode].verdict === "allow";

/** A figure, or the range it lies in. */
function share(name: string, found: Found): Line[] {
  const figure = found.number();
  if (figure !== undefined) return line(name, formatBps(figure));
  const [least, most] = [found.at("atLeast").number(), found.at("atMost").number()];
  if (least === undefined || most === undefined) return [];
  return line(name, least === most ? formatBps(most) : `${formatBps(least)} to ${formatBps(most)}`);
}

function describeRoute(swap: Found, findings: Found): Line[] {
  const deadline = swap.at("deadline").whole();
  const gas = findings.at("gasEstimate").whole();
  return [
    ...line("Exchange", wordsFor(routers, swap.at("router")) ?? spell(swap.at("router").text())),
    ...line("Function", swap.at("function").text()),
    ...line(
      "Path",
      swap
        .at("path")
        .list()
        .map((one) => one.text())
        .join(" → ") || undefined,
    ),
    ...line(
      "Pool fees",
      swap
        .at("hops")
        .list()
        .flatMap((hop) => hop.at("fee").number() ?? [])
        .map((fee) => `${fee / 10_000} %`)
        .join(", ") || undefined,
    ),
    ...line("Recipient", swap.at("recipient").address()),
    ...line(
      "Other recipients",
      swap
        .at("otherRecipients")
        .list()
        .flatMap((one) => one.address() ?? [])
        .join(", ") || undefined,
      "warn",
    ),
    ...line(
      "Deadline",
      deadline === undefined
        ? "none: it can be sent at any time"
        : formatMoment(Number(deadline % 100_000_000_000n)),
    ),
    ...line("Gas", gas === undefined ? undefined : formatAmount(gas, 0)),
  ];
}
