import {
  type AbiFunction,
  type AbiParameter,
  decodeAbiParameters,
  encodeAbiParameters,
  type Hex,
  hexToBytes,
  parseAbiItem,
} from "viem";
import { measureAbi } from "../calls/measureAbi.js";
import type { Meaning } from "./meaning.js";

export interface DecodedArguments {
  readonly meaning: Meaning;
  readonly inputs: readonly AbiParameter[];
  readonly args: readonly unknown[];
  /** Whether encoding the arguments gives the same bytes: nothing is hidden between or behind them. */
  readonly complete: boolean;
}

/** The first meaning that explains every byte, or else the first that can be decoded. Never throws. */
export function decodeFirst(meanings: readonly Meaning[], bytes: Hex): DecodedArguments | undefined {
  let partial: DecodedArguments | undefined;
  for (const meaning of meanings) {
    const decoded = decodeAs(meaning, bytes);
    if (decoded?.complete) return decoded;
    partial ??= decoded;
  }
  return partial;
}

function decodeAs(meaning: Meaning, bytes: Hex): DecodedArguments | undefined {
  const { inputs } = parseDeclaration(meaning.declaration);
  if (inputs.length === 0) return { meaning, inputs, args: [], complete: bytes === "0x" };
  try {
    measureAbi(inputs, hexToBytes(bytes));
    const args = decodeAbiParameters(inputs, bytes) as readonly unknown[];
    return { meaning, inputs, args, complete: encodeAbiParameters(inputs, args) === bytes.toLowerCase() };
  } catch {
    return undefined;
  }
}

const parsed = new Map<string, AbiFunction>();

/** Parsing takes longer than decoding, and the declarations are few. */
function parseDeclaration(declaration: string): AbiFunction {
  const known = parsed.get(declaration);
  if (known) return known;
  const abi = parseAbiItem(`function ${declaration}`) as AbiFunction;
  parsed.set(declaration, abi);
  return abi;
}
