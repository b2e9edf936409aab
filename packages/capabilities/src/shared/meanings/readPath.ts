import { type AbiParameter, type Hex, isHex, size, slice } from "viem";
import type { Path } from "./meaning.js";

/** Values that are not arguments. */
export interface CallContext {
  readonly to?: Hex | undefined;
  readonly from?: Hex | undefined;
  /** Wei. */
  readonly value?: bigint | undefined;
  /** What the contract is known to be, as `ERC-721`, where a selector has several meanings. */
  readonly standard?: string | undefined;
  /** Names of parties that readings record. */
  readonly name?: ((address: Hex) => string | undefined) | undefined;
}

/** The value at a path; undefined when there is none. */
export function readPath(
  path: Path,
  inputs: readonly AbiParameter[],
  args: readonly unknown[],
  context: CallContext,
): unknown {
  if (path.startsWith("@")) return context[path.slice(1) as "to" | "from" | "value"];
  const [head = "", ...rest] = path.split(".");
  const at = inputs.findIndex((input) => input.name === head);
  return rest.reduce(step, args[at === -1 ? Number(head) : at]);
}

function step(value: unknown, key: string): unknown {
  if (Array.isArray(value)) {
    if (key === "first") return value[0];
    return value.at(key === "last" ? -1 : Number(key));
  }
  if (isHex(value)) return readPackedEnd(value, key);
  return value !== null && typeof value === "object" ? (value as Record<string, unknown>)[key] : undefined;
}

/** The token at one end of a packed path of a concentrated router. */
function readPackedEnd(path: Hex, key: string): Hex | undefined {
  if (size(path) < 20) return undefined;
  if (key === "first") return slice(path, 0, 20);
  return key === "last" ? slice(path, size(path) - 20) : undefined;
}
