import { line, listSome, spell } from "../shared/news/line.js";
import type { WriteNews } from "../shared/news/news.js";

const names: Readonly<Record<string, string>> = {
  erc20: "an ERC-20 token",
  erc721: "an ERC-721 collection",
  erc1155: "an ERC-1155 collection",
};
const titles: Readonly<Record<string, string>> = {
  erc165: "ERC-165 (says what it supports)",
  erc20: "ERC-20 (token)",
  erc721: "ERC-721 (collection)",
  erc721Metadata: "ERC-721 names and pictures",
  erc1155: "ERC-1155 (collections)",
};

/** Which standards a contract follows. */
export const writeNews: WriteNews = ({ findings }) => {
  const standards = findings.at("standards").entries();
  const follows = standards.filter(([, one]) => one.at("implements").text() === "yes").map(([name]) => name);
  const main = follows.flatMap((name) => names[name] ?? []);
  const slots = findings.at("controlSlots").entries();
  return {
    headline: main.length > 0 ? `This is ${main.join(" and ")}.` : undefined,
    sections: [
      {
        title: "Standards",
        lines: standards.flatMap(([name, one]) => {
          const missing = one
            .at("selectorsMissing")
            .list()
            .flatMap((each) => each.text() ?? []);
          const state = one.at("implements").text();
          const isPart =
            state !== "yes" && (one.at("selectorsFound").number() ?? 0) > 0 && missing.length > 0;
          return line(
            titles[name] ?? name,
            isPart ? `${state}: without ${listSome(missing, 3)}` : state,
            state === "yes" ? "good" : undefined,
          );
        }),
      },
      {
        title: "What it answers when it is asked",
        isMinor: true,
        lines: findings
          .at("probes")
          .entries()
          .flatMap(([name, one]) => line(spell(name) ?? name, spell(one.text()))),
      },
      {
        title: "The contract",
        lines: [
          ...line("What it is", spell(findings.at("form").text())),
          ...line("Kind of proxy", findings.at("proxy", "kind").text() ?? "no proxy"),
          ...line("Runs the code of", findings.at("proxy", "implementation").address()),
          ...slots.flatMap(([name, one]) => line(`Slot ${spell(name)}`, one.text())),
          ...line("Functions found", findings.at("scans", "subject", "selectors").number()?.toString()),
          ...line("Size of the code", `${findings.at("bytecodeBytes").number() ?? 0} bytes`),
          ...line("Hash of the code", findings.at("codeHash").text()),
        ],
      },
    ],
  };
};
