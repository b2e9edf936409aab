import type { Found } from "../shared/news/found.js";
import { capital, line, spell, yesNo } from "../shared/news/line.js";
import type { WriteNews } from "../shared/news/news.js";

/** What is compared, and what it means that it is another now. */
const compared: Readonly<Record<string, readonly [name: string, changed: string]>> = {
  codeHash: ["Hash of the code", "its code is another"],
  implementation: ["Runs the code of", "it runs other code"],
  delegates: ["Passes calls on to", "it passes calls on to others"],
  facets: ["Made of parts", "its parts are others"],
  admin: ["Can replace the code", "somebody else can replace its code"],
  beacon: ["Takes its code from", "something else tells it its code"],
};

/** What it means that nothing was read there. */
const absent: Readonly<Record<string, string>> = {
  implementation: "no other contract",
  admin: "nobody that was found",
  beacon: "no other contract",
  paused: "does not say",
};

/** The same where both are addresses, with both of them. */
const replaced: Readonly<Record<string, string>> = {
  implementation: "it runs the code of",
  admin: "its code can be replaced by",
  beacon: "its code is named by",
};

const describeChange = (name: string, one: Found): string => {
  const isPaused = one.at("after").flag();
  if (name === "paused" && isPaused !== undefined)
    return isPaused ? "it is paused now" : "it is not paused any more";
  const [was, is] = [one.at("before").address(), one.at("after").address()];
  if (Object.hasOwn(replaced, name) && was !== undefined && is !== undefined)
    return `${replaced[name]} ${is} instead of ${was}`;
  return (Object.hasOwn(compared, name) ? compared[name]?.[1] : undefined) ?? `${spell(name)} is another`;
};

/** What of a contract is another than before. */
export const writeNews: WriteNews = ({ findings }) => {
  const fields = findings.at("fields").entries();
  const changed = fields
    .filter(([, one]) => one.at("changed").flag() === true)
    // Whom it passes calls on to follows from whose code it runs.
    .filter(([name], _, all) => name !== "delegates" || all.every(([other]) => other !== "implementation"))
    .map(([name, one]) => describeChange(name, one));
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
        title:
          findings.at("isBaseline").flag() === true ? "What later readings are compared with" : "Compared",
        lines: fields
          .filter(([name]) => !saysNothing(name, fields))
          .flatMap(([name, one]) => {
            const [was, is] = [
              one.at("before").text() ?? show(one.at("before").value),
              one.at("after").text() ?? show(one.at("after").value),
            ];
            const isChanged = one.at("changed").flag();
            return line(
              (Object.hasOwn(compared, name) ? compared[name]?.[0] : undefined) ??
                capital(spell(name) ?? name),
              isChanged ? `${was} → ${is}` : is === "none" && Object.hasOwn(absent, name) ? absent[name] : is,
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

/** Lines that say nothing more: whom it passes calls on to is mostly the one whose code it runs. */
function saysNothing(name: string, fields: readonly (readonly [string, Found])[]): boolean {
  // Few contracts are made of parts; that one is not says nothing about it.
  if (name === "facets")
    return fields.every(
      ([other, one]) =>
        other !== "facets" || ["before", "after"].every((when) => one.at(when).value === null),
    );
  if (name !== "delegates") return false;
  const [run, passed] = ["implementation", "delegates"].map((wanted) =>
    fields.find(([other]) => other === wanted),
  );
  return ["before", "after"].every(
    (when) => passed?.[1].at(when).text() === run?.[1].at(when).text() && run !== undefined,
  );
}

const show = (value: unknown): string =>
  typeof value === "boolean"
    ? (yesNo(value) ?? "")
    : value === null || value === undefined
      ? "none"
      : Array.isArray(value)
        ? `${value.length} entries`
        : String(value);
