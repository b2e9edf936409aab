import type { Hex } from "@assay/protocol";

/** A place in JSON of any shape. Asking it for something that is not there gives undefined, and never throws. */
export interface Found {
  readonly value: unknown;
  at(...path: readonly (string | number)[]): Found;
  list(): readonly Found[];
  entries(): readonly (readonly [name: string, value: Found])[];
  text(): string | undefined;
  number(): number | undefined;
  /** A whole number, as JSON writes large ones: in decimal digits. */
  whole(): bigint | undefined;
  flag(): boolean | undefined;
  address(): Hex | undefined;
}

export function openFound(value: unknown): Found {
  return {
    value,
    at: (...path) => openFound(path.reduce<unknown>(step, value)),
    list: () => (Array.isArray(value) ? value.map(openFound) : []),
    entries: () =>
      isRecord(value) ? Object.entries(value).map(([name, one]) => [name, openFound(one)]) : [],
    text: () => (typeof value === "string" && value !== "" ? value : undefined),
    number: () => (typeof value === "number" && Number.isFinite(value) ? value : undefined),
    whole: () => readWhole(value),
    flag: () => (typeof value === "boolean" ? value : undefined),
    address: () =>
      typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value) ? (value as Hex) : undefined,
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const step = (value: unknown, name: string | number): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string | number, unknown>)[name]
    : undefined;

function readWhole(value: unknown): bigint | undefined {
  if (typeof value === "string" && /^-?\d{1,78}$/.test(value)) return BigInt(value);
  return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : undefined;
}
