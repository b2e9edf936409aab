import { tellBytes, tellForm, tellProxy } from "../shared/news/codeWords.js";
import type { Found } from "../shared/news/found.js";
import { line, spell, yesNo } from "../shared/news/line.js";
import type { Line, WriteNews } from "../shared/news/news.js";

/** Who can change a contract. */
export const writeNews: WriteNews = ({ verdict, findings, input, lead }) => {
  const proxy = findings.at("proxy");
  const admins = findings.at("control", "admins").list();
  const owner = findings.at("control", "owner", "address").address();
  const party = findings.at("known", "party");
  const name = party.at("name").text();
  const subject = input.at("address").address();
  const heads = unique(admins.flatMap((one) => one.at("address").address() ?? []));
  const isFixed = proxy.value === null && findings.at("isContract").flag() === true;
  const replace =
    heads.length > 0
      ? `${heads.slice(0, 2).join(" and ")} can replace this contract's code.`
      : isFixed
        ? "Nobody was found who can replace this contract's code."
        : undefined;
  return {
    headline: replace ?? lead,
    warning: verdict === "review" && heads.length > 0 ? replace : undefined,
    powers: [
      ...admins.flatMap((one) => describeHolder(one, "can replace the code")),
      ...(owner === undefined ? [] : describeHolder(findings.at("control", "owner"), "owns the contract")),
    ],
    sections: [
      {
        title: "The contract",
        lines: [
          ...line("Published as", name, "good"),
          ...line("What it is", tellForm(findings.at("form"))),
          ...line("A proxy", tellProxy(proxy.at("kind"))),
          ...line("Runs the code of", proxy.at("implementation").address()),
          ...line("Takes its code from", proxy.at("beacon").address()),
          ...line(
            "Made of parts",
            proxy.at("facets").list().length > 0 ? `${proxy.at("facets").list().length}` : undefined,
          ),
          ...line(
            "Paused",
            yesNo(findings.at("paused").flag()),
            findings.at("paused").flag() ? "warn" : undefined,
          ),
          ...line("Size of the code", tellBytes(findings.at("bytecodeBytes"))),
          ...line("Size behind the proxy", tellBytes(findings.at("implementationCode", "bytecodeBytes"))),
          ...line("Hash of the code", findings.at("codeHash").text()),
        ],
      },
    ],
    names: name !== undefined && subject !== undefined ? [[subject, name]] : [],
  };
};

const unique = <T>(items: readonly T[]): T[] => [...new Set(items)];

const holderKinds: Readonly<Record<string, string>> = {
  account: "an account of one key",
  contract: "a contract",
};

function describeHolder(one: Found, does: string): Line[] {
  const address = one.at("address").address();
  if (address === undefined) return [];
  const kind = one.at("kind").text();
  const owner = one.at("owner", "address").address();
  const what = kind === undefined || !Object.hasOwn(holderKinds, kind) ? undefined : holderKinds[kind];
  const rest = owner === undefined ? "" : `; it belongs to ${owner}`;
  const other = kind === undefined ? "" : `, ${spell(kind)}`;
  // What the holder is stands before what it may do: after it, it would be said of the contract.
  return line(address, what ? `is ${what} that ${does}${rest}` : `${does}${other}${rest}`, "warn");
}
