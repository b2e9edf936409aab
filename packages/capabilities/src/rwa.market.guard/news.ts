import type { Hex } from "@assay/protocol";
import { formatAmount, formatSeconds } from "../shared/news/formatAmount.js";
import { capital, line, listSome, spell, yesNo } from "../shared/news/line.js";
import type { Line, WriteNews } from "../shared/news/news.js";
import type { TokenBook } from "../shared/news/tokenBook.js";

const powerWords: Readonly<Record<string, string>> = {
  freeze: "freeze what you hold",
  seize: "take it from you",
  mint: "issue more of it",
  pause: "stop all transfers",
  limit: "limit transfers",
  admit: "decide who may hold it",
  fee: "take a fee of transfers",
  rename: "rename it",
  upgrade: "replace its code",
};

/** Who can freeze or seize an asset. */
export const writeNews: WriteNews = ({ verdict, findings, tokens, input }) => {
  const issuer = findings.at("issuer");
  const [name, symbol] = [issuer.at("name").text(), issuer.at("symbol").text()];
  const found = findings.at("powers", "found").list();
  const kinds = [...new Set(found.flatMap((one) => one.at("kind").text() ?? []))];
  const can = kinds.map((kind) => powerWords[kind] ?? kind);
  const holders = findings
    .at("powers", "holders")
    .list()
    .flatMap((one) => one.at("address").address() ?? []);
  const heldBy = holders[0] ?? "The issuer";
  const sentence =
    can.length === 0
      ? undefined
      : `The issuer of ${name === undefined ? "this asset" : `“${name}”`} can ${joinSome(can)}.`;
  const supply = findings.at("supply", "total").whole();
  return {
    headline: sentence,
    warning:
      verdict === "review" && (kinds.includes("freeze") || kinds.includes("seize")) ? sentence : undefined,
    powers: kinds.flatMap((kind) => line(heldBy, `can ${powerWords[kind] ?? kind}`, "warn")),
    sections: [
      {
        title: "The issuer",
        lines: [
          ...line("Listed as", issuer.at("listedAs", "issuer").text(), "good"),
          ...line("Name", name),
          ...line("Symbol", symbol),
          ...line("Has these powers", listSome(holders, 3)),
          ...line(
            "Open to anyone",
            listSome(
              findings
                .at("powers", "openToAnyone")
                .list()
                .flatMap((one) => one.text() ?? []),
            ),
            "bad",
          ),
          ...line("Owner", findings.at("control", "owner", "address").address()),
          ...line(
            "Passes for",
            listSome(
              issuer
                .at("resembles")
                .list()
                .flatMap((one) => one.at("symbol").text() ?? []),
            ),
            "bad",
          ),
        ],
      },
      {
        title: "The asset",
        lines: [
          ...line(
            "Issued",
            supply === undefined
              ? undefined
              : tellSupply(supply, input.at("address").address() ?? null, tokens),
          ),
          ...line("At most", findings.at("supply", "cap").text()),
          ...line(
            "Paused",
            yesNo(findings.at("paused").flag()),
            findings.at("paused").flag() ? "bad" : undefined,
          ),
          ...line(
            "A transfer between two strangers",
            spell(findings.at("transfers", "betweenStrangers").text()),
          ),
          ...line("A transfer from a pool", spell(findings.at("transfers", "fromPool").text())),
          ...line(
            "Pools",
            findings.at("pools").list().length > 0 ? `${findings.at("pools").list().length}` : "none found",
          ),
          ...line("Market is open", yesNo(findings.at("isMarketOpen").flag())),
          ...describeFeed(findings.at("feed")),
          ...line(
            "Who may hold it is kept in",
            findings.at("permissions", "erc3643", "identityRegistry").address(),
          ),
        ],
      },
      {
        title: "The functions of these powers",
        isMinor: true,
        lines: kinds.flatMap((kind) =>
          line(
            capital(powerWords[kind] ?? kind),
            listSome(
              found
                .filter((one) => one.at("kind").text() === kind)
                .flatMap((one) => one.at("function").text()?.split("(")[0] ?? []),
            ),
          ),
        ),
      },
    ],
  };
};

function joinSome(items: readonly string[]): string {
  const left = items.length - 3;
  const shown = left > 0 ? [...items.slice(0, 3), `do ${left} more thing${left === 1 ? "" : "s"}`] : items;
  return [shown.slice(0, -1).join(", "), shown.at(-1)].filter(Boolean).join(" and ");
}

/** A token's own symbol is a stranger's word, and how many decimals it has is not read. */
function tellSupply(supply: bigint, token: Hex | null, tokens: TokenBook): string {
  return tokens.name(token).decimals === undefined
    ? `${formatAmount(supply, undefined)} of its smallest unit`
    : tokens.amount(supply, token);
}

function describeFeed(feed: Parameters<WriteNews>[0]["findings"]): Line[] {
  const [answer, decimals] = [feed.at("answer").whole(), feed.at("decimals").number()];
  const age = feed.at("ageSeconds").whole();
  if (answer === undefined || decimals === undefined) return [];
  const old = age === undefined ? "" : `, ${formatSeconds(Number(age))} old`;
  return line("Price feed", `$${formatAmount(answer, decimals)}${old}`);
}
