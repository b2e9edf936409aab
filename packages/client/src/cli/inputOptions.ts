import { type CapabilityId, capabilities, getCapability } from "@assay/capabilities/capabilities";

import { Option } from "commander";
import { makeRequired } from "./requiredOptions.js";

interface InputOption {
  /** Field of the capability's input. */
  readonly field: string;
  readonly option: Option;
}

/** Options every command has; an input field of the same name is asked for as `--input-<name>`. */
const TAKEN: ReadonlySet<string> = new Set([
  "url",
  "audience",
  "json",
  "wallet",
  "asset",
  "data-dir",
  "quote",
  "save",
  "signer",
]);

const toKebabCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** One command line option for each field of a capability's input schema. */
export function listInputOptions(id: CapabilityId): InputOption[] {
  return Object.entries(getCapability(id).input.shape).map(([field, schema]) => {
    const kebab = toKebabCase(field);
    const whenOmitted = schema.safeParse(undefined);
    const omitted =
      whenOmitted.success && (whenOmitted.data ?? null) !== null ? ` (default: ${whenOmitted.data})` : "";
    const option = new Option(
      `--${TAKEN.has(kebab) ? "input-" : ""}${kebab} <value>`,
      `${schema.description ?? field}${omitted}`,
    );
    return { field, option: whenOmitted.success ? option : makeRequired(option) };
  });
}

/** Options for request fields that are not input of a capability. */
const OTHER_FLAGS: Readonly<Record<string, string>> = {
  limit: "--limit",
  note: "--note",
  block: "--block",
  implementation: "--implementation",
  fromBlock: "--from-block",
  toBlock: "--to-block",
  rewardUsd: "--reward",
  deadline: "--deadline",
  computedAtBlock: "--block",
};

/** The option a field is given by, for messages. */
export function findInputFlag(field: string): string | undefined {
  for (const { id } of capabilities) {
    const found = listInputOptions(id).find((entry) => entry.field === field);
    if (found) return found.option.long;
  }
  return Object.hasOwn(OTHER_FLAGS, field) ? OTHER_FLAGS[field] : undefined;
}

/** The capability's input from parsed options. */
export function readInput(
  id: CapabilityId,
  options: Readonly<Record<string, unknown>>,
): Record<string, string> {
  return Object.fromEntries(
    listInputOptions(id).flatMap(({ field, option }) => {
      const value = options[option.attributeName()];
      return typeof value === "string"
        ? [[field, toDecimal(getCapability(id).input.shape, field, value)]]
        : [];
    }),
  );
}

type Field = { safeParse(value: unknown): { readonly success: boolean } };

/** A number that wallets write in hex, where the field takes decimal alone. */
function toDecimal(shape: Readonly<Record<string, Field>>, field: string, value: string): string {
  if (!/^0x[0-9a-f]{1,64}$/i.test(value) || shape[field]?.safeParse(value).success) return value;
  const decimal = BigInt(value).toString();
  return shape[field]?.safeParse(decimal).success ? decimal : value;
}
