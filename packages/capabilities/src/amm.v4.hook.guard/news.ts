import { formatPpm } from "../shared/news/formatAmount.js";
import type { Found } from "../shared/news/found.js";
import { line, listSome, spell, yesNo } from "../shared/news/line.js";
import type { Line, WriteNews } from "../shared/news/news.js";

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
        title: "Trades that were tried",
        lines: listTrips(trips, (name) => currency(name) ?? name),
      },
      {
        title: "The pool",
        lines: [
          ...line(
            "Currencies",
            listSome([currency("currency0"), currency("currency1")].flatMap((one) => one ?? [])),
          ),
          ...line("Fee", fee === undefined ? undefined : formatPpm(fee)),
          ...line("Liquidity at the price", pool.at("liquidity").text()),
          ...line("Price tick", pool.at("tick").number()?.toString()),
          ...line("Hook", hook.value === null ? "none" : input.at("hooks").address()),
          ...line(
            "Runs in swaps",
            yesNo(hook.at("isInSwaps").flag()),
            hook.at("isInSwaps").flag() ? "warn" : undefined,
          ),
          ...line(
            "May act",
            listSome(
              hook
                .at("permissions")
                .list()
                .flatMap((one) => spell(one.text()) ?? []),
            ),
          ),
          ...line(
            "Can differ by",
            listSome(
              hook
                .at("opcodes")
                .list()
                .flatMap((one) => one.text() ?? []),
            ),
            "warn",
          ),
          ...line("Pool id", pool.at("poolId").text()),
        ],
      },
    ],
  };
};

/** Trades with one outcome are one line: each was tried by several callers. */
function listTrips(trips: readonly Found[], currency: (name: string) => string): Line[] {
  const lines = trips.flatMap((trip) => {
    const [loss, stated] = [trip.at("lossPpm").number(), trip.at("statedLossPpm").number()];
    const share = trip.at("shareBps").number();
    if (share === undefined) return [];
    const size = `${share / 100} % of the liquidity, ${currency(trip.at("zeroForOne").flag() ? "currency0" : "currency1")} first`;
    if (loss === undefined) return line(size, tellRefusal(trip.at("refusal").text()), "bad");
    return line(
      size,
      `loses ${formatPpm(loss)} there and back${stated === undefined ? "" : `; its fees say ${formatPpm(stated)}`}`,
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
