import { wordsFor } from "../shared/news/codeWords.js";
import { formatPpm } from "../shared/news/formatAmount.js";
import type { Found } from "../shared/news/found.js";
import { line, listSome, spell, yesNo } from "../shared/news/line.js";
import type { Line, WriteNews } from "../shared/news/news.js";
import type { VaryingOpcode } from "./listVaryingOpcodes.js";

const acts: Readonly<Record<string, string>> = {
  beforeInitialize: "before the pool begins",
  afterInitialize: "after the pool has begun",
  beforeAddLiquidity: "before liquidity is added",
  afterAddLiquidity: "after liquidity was added",
  beforeRemoveLiquidity: "before liquidity is taken out",
  afterRemoveLiquidity: "after liquidity was taken out",
  beforeSwap: "before a swap",
  afterSwap: "after a swap",
  beforeDonate: "before a gift to the pool",
  afterDonate: "after a gift to the pool",
  beforeSwapReturnsDelta: "on what a swap pays",
  afterSwapReturnsDelta: "on what a swap gives",
  afterAddLiquidityReturnsDelta: "on what adding liquidity costs",
  afterRemoveLiquidityReturnsDelta: "on what taking liquidity out gives",
};

/** What its program may depend on, by instruction. */
const causes: Readonly<Record<VaryingOpcode, string>> = {
  BALANCE: "somebody's ether",
  SELFBALANCE: "its own ether",
  ORIGIN: "who sent the transaction",
  EXTCODESIZE: "the code of other accounts",
  EXTCODECOPY: "the code of other accounts",
  EXTCODEHASH: "the code of other accounts",
  BLOCKHASH: "earlier blocks",
  COINBASE: "who builds the block",
  TIMESTAMP: "the time",
  NUMBER: "the block's number",
  PREVRANDAO: "chance",
  GASLIMIT: "the block's size",
  GASPRICE: "what gas costs",
  BASEFEE: "what gas costs",
  BLOBHASH: "data beside the transaction",
  BLOBBASEFEE: "what gas costs",
  GAS: "how much gas is left",
  SLOAD: "what it remembers",
  SSTORE: "what it remembers",
  TLOAD: "what it remembers within a transaction",
  TSTORE: "what it remembers within a transaction",
  CREATE: "contracts that it makes",
  CREATE2: "contracts that it makes",
  CALL: "other contracts",
  CALLCODE: "other contracts' code",
  DELEGATECALL: "other contracts' code",
  STATICCALL: "other contracts",
  SELFDESTRUCT: "its own end",
};

/** What a pool's hook does to a trade. */
export const writeNews: WriteNews = ({ findings, input, tokens }) => {
  const [pool, hook] = [findings.at("pool"), findings.at("hook")];
  const trips = findings.at("trips").list();
  const losses = trips.flatMap((trip) => trip.at("lossPpm").number() ?? []);
  const worst = losses.length === 0 ? undefined : Math.max(...losses);
  const stated = trips
    .find((trip) => trip.at("lossPpm").number() === worst)
    ?.at("statedLossPpm")
    .number();
  const currency = (name: string) => {
    const token = input.at(name).address();
    return token === undefined ? undefined : /^0x0+$/.test(token) ? "ETH" : tokens.name(token).symbol;
  };
  const fee = pool.at("lpFee").number();
  return {
    headline:
      worst === undefined
        ? undefined
        : `${hook.value === null ? "The pool has no hook. A" : "A"} trade there and back loses ${formatPpm(worst)}.`,
    // A trade that costs much says more than the reason's threshold; one that fails has its reason.
    warning:
      worst === undefined || losses.length < trips.length || worst < 20_000
        ? undefined
        : `A trade there and back loses ${formatPpm(worst)}${stated === undefined ? "" : `; its fees explain ${formatPpm(stated)}`}.`,
    powers: hook
      .at("control", "admins")
      .list()
      .flatMap((one) =>
        line(one.at("address").address() ?? "Somebody", "can replace the hook's code", "warn"),
      ),
    sections: [
      {
        title: "Trades there and back, by their share of the liquidity",
        lines: listTrips(trips, nameFirst(currency)),
      },
      {
        title: "The pool",
        lines: [
          ...line(
            "Currencies",
            listSome([currency("currency0"), currency("currency1")].flatMap((one) => one ?? [])),
          ),
          ...line("Fee", fee === undefined ? undefined : formatPpm(fee)),
          ...line("Hook", hook.value === null ? "none" : input.at("hooks").address()),
          ...line(
            "Runs in every swap",
            yesNo(hook.at("isInSwaps").flag()),
            hook.at("isInSwaps").flag() ? "warn" : undefined,
          ),
          ...line(
            "May act",
            listSome(
              hook
                .at("permissions")
                .list()
                .flatMap((one) => wordsFor(acts, one) ?? spell(one.text()) ?? []),
            ),
          ),
          ...line(
            "May behave differently by",
            listSome([
              ...new Set(
                hook
                  .at("opcodes")
                  .list()
                  .flatMap((one) => wordsFor(causes, one) ?? one.text() ?? []),
              ),
            ]),
            "warn",
          ),
        ],
      },
      {
        title: "The pool, for programs",
        isMinor: true,
        lines: [
          ...line("Liquidity at the price", pool.at("liquidity").text()),
          ...line("Price tick", pool.at("tick").number()?.toString()),
          ...line("Pool id", pool.at("poolId").text()),
        ],
      },
    ],
  };
};

/** Which currency is sold first; a token without a known symbol is named by the other one, if that has one. */
function nameFirst(currency: (name: string) => string | undefined) {
  const [zero, one] = [currency("currency0"), currency("currency1")];
  const isNamed = (symbol: string | undefined) => symbol !== undefined && !symbol.startsWith("0x");
  return (isZeroFirst: boolean): string => {
    const [first, last] = isZeroFirst ? [zero, one] : [one, zero];
    if (!isNamed(first) && isNamed(last)) return `${last} last`;
    return `${first ?? (isZeroFirst ? "the first currency" : "the second currency")} first`;
  };
}

/** Trades with one outcome are one line: each was tried by several callers. */
function listTrips(trips: readonly Found[], tellFirst: (isZeroFirst: boolean) => string): Line[] {
  const lines = trips.flatMap((trip) => {
    const [loss, stated] = [trip.at("lossPpm").number(), trip.at("statedLossPpm").number()];
    const share = trip.at("shareBps").number();
    if (share === undefined) return [];
    const size = `${share / 100} %, ${tellFirst(trip.at("zeroForOne").flag() === true)}`;
    if (loss === undefined) return line(size, tellRefusal(trip.at("refusal").text()), "bad");
    return line(
      size,
      `loses ${formatPpm(loss)}${stated === undefined ? "" : `; its fees take ${formatPpm(stated)}`}`,
      stated !== undefined && loss > stated ? "warn" : "good",
    );
  });
  return lines.filter(
    ({ name, text }, place) => lines.findIndex((one) => one.name === name && one.text === text) === place,
  );
}

/** Longer ones are bytes that no person reads; the evidence has them. */
const LONGEST_REFUSAL = 60;

const tellRefusal = (reason: string | undefined): string =>
  reason === undefined || reason.length > LONGEST_REFUSAL || /0x[0-9a-f]{9}/i.test(reason)
    ? "fails"
    : `fails: ${reason}`;
