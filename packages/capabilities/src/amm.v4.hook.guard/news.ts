import { formatPpm } from "../shared/news/formatAmount.js";
import { line, listSome, spell, yesNo } from "../shared/news/line.js";
import type { WriteNews } from "../shared/news/news.js";

/** What a pool's hook does to a trade. */
export const writeNews: WriteNews = ({ findings, input, tokens }) => {
  const [pool, hook] = [findings.at("pool"), findings.at("hook")];
  const trips = findings.at("trips").list();
  const losses = trips.flatMap((trip) => trip.at("lossPpm").number() ?? []);
  const worst = losses.length === 0 ? undefined : Math.max(...losses);
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
    powers: hook
      .at("control", "admins")
      .list()
      .flatMap((one) =>
        line(one.at("address").address() ?? "Somebody", "can replace the hook's code", "warn"),
      ),
    sections: [
      {
        title: "Trades that were tried",
        lines: trips.flatMap((trip) => {
          const [loss, stated] = [trip.at("lossPpm").number(), trip.at("statedLossPpm").number()];
          const share = trip.at("shareBps").number();
          const from = trip.at("zeroForOne").flag() ? "currency0" : "currency1";
          if (share === undefined) return [];
          const size = `${share / 100} % of the liquidity, ${currency(from) ?? from} first`;
          if (loss === undefined) return line(size, trip.at("refusal").text() ?? "did not run", "bad");
          return line(
            size,
            `loses ${formatPpm(loss)} there and back${stated === undefined ? "" : `; its fees say ${formatPpm(stated)}`}`,
            stated !== undefined && loss > stated ? "warn" : "good",
          );
        }),
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
