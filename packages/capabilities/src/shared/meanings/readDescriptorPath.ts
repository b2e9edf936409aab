import { type AbiParameter, type Hex, isHex, numberToHex, size, slice } from "viem";
import type { CallFacts } from "./formatField.js";
import { stripRoot } from "./readDescriptor.js";

export interface FoundValue {
  readonly value: unknown;
  /** The ABI type, as `uint256`; `bytes` for a slice. */
  readonly type: string;
  /** Which items of lists were taken, so that another path can follow to the same items. */
  readonly at: readonly number[];
}

/** Every value at a path of ERC-7730: several where it goes through all items of a list (`[]`). */
export function readDescriptorPath(
  path: string,
  inputs: readonly AbiParameter[],
  args: readonly unknown[],
  facts: CallFacts,
  at: readonly number[] = [],
): FoundValue[] {
  if (path.startsWith("@.")) {
    const key = path.slice(2) as keyof CallFacts;
    const value = facts[key];
    return value === undefined ? [] : [{ value, type: key === "value" ? "uint256" : "address", at }];
  }
  const [head = "", ...rest] = stripRoot(path).split(".");
  const index = inputs.findIndex(({ name }) => name === head);
  const input = inputs[index];
  return input === undefined ? [] : follow(rest, args[index], input, [], at);
}

function follow(
  keys: readonly string[],
  value: unknown,
  parameter: AbiParameter,
  taken: readonly number[],
  at: readonly number[],
): FoundValue[] {
  const [key, ...rest] = keys;
  const item = itemOf(parameter);
  if (key === undefined) {
    if (item !== undefined && Array.isArray(value))
      return value.flatMap((one, index) => follow([], one, item, [...taken, index], at));
    return [{ value, type: parameter.type, at: taken }];
  }
  const range = /^\[(-?\d*)(?:(:)(-?\d*))?\]$/.exec(key);
  if (range && item !== undefined && Array.isArray(value)) {
    const chosen = chooseItems(value, range, at[taken.length]);
    return chosen.flatMap((index) => follow(rest, value[index], item, [...taken, index], at));
  }
  if (range && rest.length === 0) {
    const cut = sliceBytes(value, parameter.type, range);
    return cut === undefined ? [] : [{ value: cut, type: "bytes", at: taken }];
  }
  if (!("components" in parameter) || value === null || typeof value !== "object") return [];
  const index = parameter.components.findIndex(({ name }) => name === key);
  const component = parameter.components[index];
  if (component === undefined) return [];
  // A tuple with an unnamed part is decoded as a list.
  const inner = Array.isArray(value) ? value[index] : (value as Record<string, unknown>)[key];
  return follow(rest, inner, component, taken, at);
}

function itemOf(parameter: AbiParameter): AbiParameter | undefined {
  const match = /^(.*)\[\d*\]$/.exec(parameter.type);
  return match ? { ...parameter, type: match[1] as string } : undefined;
}

type Range = RegExpExecArray;

function chooseItems(
  list: readonly unknown[],
  [, from, colon, to]: Range,
  same: number | undefined,
): number[] {
  const indexes = [...list.keys()];
  if (colon === undefined && from === "") return same === undefined ? indexes : [same];
  if (colon === undefined) return indexes.slice(Number(from)).slice(0, 1);
  return indexes.slice(from === "" ? 0 : Number(from), to === "" ? undefined : Number(to));
}

/** Bytes of a value; a whole number is taken as its 32 bytes. */
function sliceBytes(value: unknown, type: string, [, from, colon, to]: Range): Hex | undefined {
  const bytes =
    typeof value === "bigint" && type.startsWith("uint")
      ? numberToHex(value, { size: 32 })
      : isHex(value)
        ? value
        : undefined;
  if (bytes === undefined) return undefined;
  const all = size(bytes);
  const place = (text: string | undefined, otherwise: number) => {
    const at = text === undefined || text === "" ? otherwise : Number(text);
    return at < 0 ? all + at : at;
  };
  const start = place(from, 0);
  const end = colon === undefined ? start + 1 : place(to, all);
  return start < 0 || start >= end || end > all ? undefined : slice(bytes, start, end);
}
