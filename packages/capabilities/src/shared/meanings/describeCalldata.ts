import {
  type AbiParameter,
  decodeAbiParameters,
  encodeAbiParameters,
  type Hex,
  hexToBytes,
  size,
  slice,
} from "viem";
import { measureAbi } from "../calls/measureAbi.js";
import { type CallFacts, type DescriptorLookups, formatField } from "./formatField.js";
import type { DescribedFunction, Descriptor } from "./readDescriptor.js";
import { readDescriptorPath } from "./readDescriptorPath.js";

export interface DescribedCall {
  readonly signature: string;
  readonly intent: string;
  readonly owner: string | null;
  readonly fields: readonly { readonly label: string; readonly value: string }[];
  /** Whether encoding the arguments gives the same bytes, and every field could be written. */
  readonly complete: boolean;
}

/**
 * What a descriptor says about calldata. Undefined when it does not describe the function, or the data does not hold
 * the function's arguments. Never throws.
 */
export function describeCalldata(
  descriptor: Descriptor,
  data: Hex,
  facts: CallFacts,
  lookups: DescriptorLookups = {},
): DescribedCall | undefined {
  if (size(data) < 4) return undefined;
  const selector = slice(data, 0, 4).toLowerCase();
  const described = descriptor.functions.find((one) => one.selector === selector);
  if (described === undefined) return undefined;
  const bytes = size(data) === 4 ? "0x" : slice(data, 4);
  try {
    const args = decodeArguments(described.abi.inputs, bytes);
    const written = described.fields.filter(({ isShown }) => isShown).map((field) => writeField(field));
    const isExact = encodeAbiParameters(described.abi.inputs, args) === bytes.toLowerCase();
    return {
      signature: described.signature,
      intent: described.intent,
      owner: descriptor.owner,
      fields: written.flat().flatMap((one) => (one === undefined ? [] : [one])),
      complete: isExact && written.flat().every((one) => one !== undefined),
    };

    function writeField(field: DescribedFunction["fields"][number]) {
      const read = (path: string, at?: readonly number[]) =>
        readDescriptorPath(path, described?.abi.inputs ?? [], args, facts, at);
      const found =
        field.path === undefined ? [{ value: field.value, type: "string", at: [] }] : read(field.path);
      return found.map(({ value, type, at }) => {
        const text = formatField(field, value, type, (path) => read(path, at)[0]?.value, lookups);
        return text === undefined ? undefined : { label: field.label, value: text };
      });
    }
  } catch {
    return undefined;
  }
}

function decodeArguments(inputs: readonly AbiParameter[], bytes: Hex): readonly unknown[] {
  if (inputs.length === 0) return [];
  measureAbi(inputs, hexToBytes(bytes));
  return decodeAbiParameters(inputs, bytes) as readonly unknown[];
}
