import { capital, line, spell } from "../shared/news/line.js";
import type { WriteNews } from "../shared/news/news.js";

/** What of a contract is another than before. */
export const writeNews: WriteNews = ({ findings }) => {
  const fields = findings.at("fields").entries();
  const changed = fields.filter(([, one]) => one.at("changed").flag() === true).map(([name]) => spell(name));
  const before = findings.at("beforeBlock").whole();
  const after = findings.at("afterBlock").whole();
  const sentence = changed.length === 0 ? undefined : `Changed since block ${before}: ${changed.join(", ")}.`;
  return {
    headline:
      findings.at("isBaseline").flag() === true
        ? `Nothing to compare with yet: this is the first time that it was read, at block ${after}.`
        : (sentence ??
          (before === undefined
            ? undefined
            : `Its code and who controls it are as they were at block ${before}.`)),
    warning:
      findings.at("isBaseline").flag() === true
        ? `Nothing to compare with yet: this is the first time that it was read, at block ${after}.`
        : sentence,
    sections: [
      {
        title: "Compared",
        lines: fields.flatMap(([name, one]) => {
          const [was, is] = [
            one.at("before").text() ?? show(one.at("before").value),
            one.at("after").text() ?? show(one.at("after").value),
          ];
          const isChanged = one.at("changed").flag();
          return line(
            capital(spell(name) ?? name),
            isChanged ? `${was} → ${is}` : is,
            isChanged ? "warn" : undefined,
          );
        }),
      },
      {
        title: "When",
        isMinor: true,
        lines: [
          ...line("Before", before === undefined ? undefined : `block ${before}`),
          ...line("Now", after === undefined ? undefined : `block ${after}`),
        ],
      },
    ],
  };
};

const show = (value: unknown): string =>
  value === null || value === undefined
    ? "none"
    : Array.isArray(value)
      ? `${value.length} entries`
      : String(value);
