import { findRepeatedName } from "@assay/protocol/repeatedName";
import { AssayClientError } from "../assayClientError.js";

/** A file of settings that does not follow its rules. The message names every field at fault, with its rule. */
export class SettingsError extends AssayClientError {
  override readonly name = "SettingsError";
  override readonly code = "invalid_settings";
  override readonly retryable = false;
  readonly faults: readonly SettingsFault[];

  constructor(file: string, faults: readonly SettingsFault[]) {
    super([`${file} is not valid:`, ...faults.map(({ field, rule }) => `  ${field} ${rule}`)].join("\n"));
    this.faults = faults;
  }
}

export interface SettingsFault {
  readonly field: string;
  readonly rule: string;
}

/** Reads one value: the value it stands for, or the rule that it breaks. */
export type Read<T> = (value: unknown, field: string, faults: SettingsFault[]) => T | undefined;

const fail = (faults: SettingsFault[], field: string, rule: string): undefined => {
  faults.push({ field, rule });
};

/** A value that passes a test. */
export const one =
  <T>(rule: string, pick: (value: unknown) => T | undefined): Read<T> =>
  (value, field, faults) =>
    pick(value) ?? fail(faults, field, rule);

export const oneOf = <const T extends string>(...names: readonly T[]): Read<T> =>
  one(`must be ${listWords(names)}`, (value) => names.find((name) => name === value));

export const text: Read<string> = one("must be a text that is not empty", (value) =>
  typeof value === "string" && value !== "" ? value : undefined,
);

/** An amount of USD or ether. */
export const amount: Read<number> = one(
  "must be a number of 0 or more, with at most six decimals",
  (value) =>
    typeof value === "number" &&
    value >= 0 &&
    value <= 1e9 &&
    Math.abs(Math.round(value * 1e6) / 1e6 - value) < 1e-9
      ? value
      : undefined,
);

export const address: Read<string> = one("must be an address: 0x and 40 hex digits", (value) =>
  typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value) ? value.toLowerCase() : undefined,
);

export const httpUrl: Read<string> = one(
  "must be an address of the form http://host or https://host",
  (value) =>
    typeof value === "string" && /^https?:\/\//i.test(value) && URL.canParse(value)
      ? value.replace(/\/+$/, "")
      : undefined,
);

export const list =
  <T>(read: Read<T>): Read<readonly T[]> =>
  (value, field, faults) => {
    if (!Array.isArray(value)) return fail(faults, field, "must be a list");
    return value.flatMap((item, index) => read(item, `${field}[${index}]`, faults) ?? []);
  };

/** An object whose names are free. */
export const mapOf =
  <T>(nameRule: RegExp, rule: string, read: Read<T>): Read<Readonly<Record<string, T>>> =>
  (value, field, faults) => {
    if (!isRecord(value)) return fail(faults, field, "must be an object");
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, item]): [string, T][] => {
        if (!nameRule.test(name)) fail(faults, `${field}.${name}`, rule);
        const found = read(item, `${field}.${name}`, faults);
        return found === undefined ? [] : [[name, found]];
      }),
    );
  };

type Shape = Readonly<Record<string, Read<unknown>>>;
type Found<S extends Shape> = { readonly [Name in keyof S]?: Exclude<ReturnType<S[Name]>, undefined> };

/** An object with these fields, each optional, and no others: a misspelt limit must not count as none. */
export const fields =
  <const S extends Shape>(shape: S): Read<Found<S>> =>
  (value, field, faults) => {
    if (!isRecord(value)) return fail(faults, field || "It", "must be an object");
    const found: Record<string, unknown> = {};
    for (const [name, item] of Object.entries(value)) {
      const path = field ? `${field}.${name}` : name;
      const read = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (read) found[name] = read(item, path, faults);
      else fail(faults, path, `is not a setting: there are ${listWords(Object.keys(shape), "and")}`);
    }
    return found as Found<S>;
  };

/** Throws SettingsError, with every fault, unless the text is JSON of this shape. */
export function readSettings<T>(file: string, content: string, read: Read<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(content.replace(/^\ufeff/, ""));
  } catch (error) {
    throw new SettingsError(file, [{ field: "It", rule: `must be JSON: ${(error as Error).message}` }]);
  }
  const repeated = findRepeatedName(content);
  const faults: SettingsFault[] = repeated === null ? [] : [{ field: repeated, rule: "must be named once" }];
  const found = read(value, "", faults);
  if (faults.length > 0 || found === undefined) throw new SettingsError(file, faults);
  return found;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const listWords = (words: readonly string[], last = "or") =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
