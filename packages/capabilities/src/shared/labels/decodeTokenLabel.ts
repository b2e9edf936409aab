import type { Hex } from "@assay/protocol";
import { hexToBytes } from "viem";
import { LABEL_ANSWER_BYTES } from "./labelAnswer.js";

/** Longer than the name of any token people use. */
export const LABEL_CHARACTERS = 128;

export type TokenLabel =
  /** `text` is as the contract gave it, hidden characters included. */
  | { readonly form: "string" | "bytes32"; readonly text: string; readonly isTooLong: boolean }
  | { readonly form: null; readonly problem: string };

const WORD = 32;
const STRING_OFFSET = 32n;

/**
 * Reads what `name()` or `symbol()` returned: an ABI string as ERC-20 has it, or the bytes32 of tokens older than
 * that, text first and zeros after it.
 */
export function decodeTokenLabel(answer: Hex): TokenLabel {
  const bytes = hexToBytes(answer);
  if (bytes.length === WORD) return decodeWord(bytes);
  if (bytes.length < 2 * WORD || wordAt(bytes, 0) !== STRING_OFFSET) {
    return { form: null, problem: "is neither a string nor a bytes32" };
  }
  const stated = wordAt(bytes, 1);
  const held = bytes.subarray(2 * WORD);
  const isCut = stated > BigInt(held.length);
  if (isCut && bytes.length < LABEL_ANSWER_BYTES) {
    return { form: null, problem: "states a length that the answer does not have" };
  }
  return decodeText("string", isCut ? held : held.subarray(0, Number(stated)), isCut);
}

function decodeWord(bytes: Uint8Array): TokenLabel {
  const end = bytes.findLastIndex((byte) => byte !== 0) + 1;
  // A number is aligned to the right, a text to the left.
  if (end > 0 && bytes[0] === 0) return { form: null, problem: "is a number, not a text" };
  return decodeText("bytes32", bytes.subarray(0, end), false);
}

function decodeText(form: "string" | "bytes32", content: Uint8Array, isCut: boolean): TokenLabel {
  try {
    const text = decodeUtf8(content, isCut);
    return { form, text, isTooLong: isCut || [...text].length > LABEL_CHARACTERS };
  } catch {
    return { form: null, problem: "is not valid UTF-8" };
  }
}

/** A text that was cut may end inside a character; streaming leaves that one out instead of refusing it. */
function decodeUtf8(content: Uint8Array, isCut: boolean): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content, { stream: isCut });
}

function wordAt(bytes: Uint8Array, index: number): bigint {
  const word = bytes.subarray(index * WORD, (index + 1) * WORD);
  return word.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}
