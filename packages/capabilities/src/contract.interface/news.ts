import { tellBytes, tellForm, tellProxy } from "../shared/news/codeWords.js";
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

const probes: Readonly<Record<string, string>> = {
  supportsErc165: "Says that it names its standards (ERC-165)",
  supportsInvalid: "Says yes to a standard that cannot be",
  supportsErc721: "Says that it is a collection (ERC-721)",
  supportsErc721Metadata: "Says that its items have names",
  supportsErc1155: "Says that it is a collection (ERC-1155)",
  totalSupply: "How much there is of it",
  balanceOf: "How much of it an account has",
  decimals: "How many decimals it has",
};
const slots: Readonly<Record<string, string>> = {
  eip1967Admin: "Can replace the code",
  zeppelinosAdmin: "Can replace the code",
};

/** Two names say what is missing; more of them only that it follows another standard. */
const tellMissing = (missing: readonly string[]): string =>
  missing.length > 2 ? `${missing.length} of its functions are missing` : `without ${listSome(missing)}`;

/** Which standards a contract follows. */
export const writeNews: WriteNews = ({ findings }) => {
  const standards = findings.at("standards").entries();
  const follows = standards.filter(([, one]) => one.at("implements").text() === "yes").map(([name]) => name);
  const main = follows.flatMap((name) => names[name] ?? []);
  const controls = findings.at("controlSlots").entries();
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
            isPart ? `${state}: ${tellMissing(missing)}` : state,
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
          .flatMap(([name, one]) => line(probes[name] ?? spell(name) ?? name, spell(one.text()))),
      },
      {
        title: "The contract",
        lines: [
          ...line("What it is", tellForm(findings.at("form"))),
          ...line("A proxy", tellProxy(findings.at("proxy", "kind")) ?? "no"),
          ...line("Runs the code of", findings.at("proxy", "implementation").address()),
          ...controls.flatMap(([name, one]) => line(slots[name] ?? `Slot ${spell(name)}`, one.text())),
          ...line("Functions found", findings.at("scans", "subject", "selectors").number()?.toString()),
          ...line("Size of the code", tellBytes(findings.at("bytecodeBytes"))),
          ...line("Hash of the code", findings.at("codeHash").text()),
        ],
      },
    ],
  };
};
