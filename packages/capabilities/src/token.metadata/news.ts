import { tellForm } from "../shared/news/codeWords.js";
import { formatAmount } from "../shared/news/formatAmount.js";
import { capital, line, spell } from "../shared/news/line.js";
import type { WriteNews } from "../shared/news/news.js";

/** What a token calls itself, and whether it is the one of that name. */
export const writeNews: WriteNews = ({ findings }) => {
  const [name, symbol] = [findings.at("name").text(), findings.at("symbol").text()];
  const decimals = findings.at("decimals").number();
  const supply = findings.at("totalSupply").whole();
  const amount =
    supply === undefined
      ? undefined
      : `${formatAmount(supply, decimals)}${symbol === undefined ? "" : ` ${symbol}`}`;
  const canonical = findings.at("canonical", "symbol").text();
  const other = findings.at("resembles", "symbol").text();
  return {
    headline:
      name === undefined || symbol === undefined
        ? undefined
        : `It calls itself “${name}” (${symbol})${amount === undefined ? "" : ` and has issued ${amount}`}.`,
    sections: [
      {
        title: "The token",
        lines: [
          ...line("Name", name),
          ...line("Symbol", symbol),
          ...line("Decimals", decimals?.toString()),
          ...line("Issued", amount),
          ...line("Is the well-known", canonical, "good"),
          ...line("Passes for", other, "bad"),
          ...line("The well-known one is", findings.at("resembles", "address").address(), "bad"),
          ...findings
            .at("warnings")
            .list()
            .flatMap((one) =>
              line(
                `Doubt: ${spell(one.at("field").text()) ?? "a label"}`,
                one.at("detail").text() ?? capital(spell(one.at("code").text()) ?? ""),
                "warn",
              ),
            ),
          ...line("What it is", tellForm(findings.at("form"))),
        ],
      },
    ],
  };
};
