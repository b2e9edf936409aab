import { bytesSchema, type Hex, hash32Schema, keccak256 } from "@assay/protocol";
import { hexToBytes } from "viem";
import { z } from "zod";
import { findMetadataTail } from "./findMetadataTail.js";

export const codeForms = ["empty", "native_b20", "eip7702_delegation", "eip1167_clone", "contract"] as const;
type CodeForm = (typeof codeForms)[number];

/**
 * What is recorded about a piece of bytecode. The bytes themselves are left out: a state proof covers the
 * hash, and any node returns the bytes.
 */
export const codeFingerprintSchema = z.strictObject({
  codeHash: hash32Schema,
  bytecodeBytes: z.int().min(0),
  /** Hash without the compiler's metadata tail; null when only a part of the code was read. */
  strippedCodeHash: hash32Schema.nullable(),
  form: z.enum(codeForms),
  /** The address to which the code passes every call: the delegate or the clone's target. */
  target: z
    .string()
    .regex(/^0x[0-9a-f]{40}$/, "must be a lowercase address")
    .transform((value) => value as Hex)
    .nullable(),
});

export type CodeFingerprint = z.output<typeof codeFingerprintSchema>;

/** Hashes a piece of bytecode and recognises the forms that are not ordinary code. */
export function fingerprintBytecode(code: Hex): CodeFingerprint {
  const bytes = hexToBytes(bytesSchema.parse(code));
  const codeHash = keccak256(bytes);
  const tail = findMetadataTail(bytes);
  return {
    codeHash,
    bytecodeBytes: bytes.length,
    strippedCodeHash: tail === null ? codeHash : keccak256(bytes.subarray(0, tail)),
    ...recogniseForm(code.toLowerCase().slice(2)),
  };
}

/** The same for code of which only the beginning was copied: no stripped hash can be given. */
export function fingerprintCodeStart(start: Hex, codeHash: Hex, bytecodeBytes: number): CodeFingerprint {
  return {
    codeHash,
    bytecodeBytes,
    strippedCodeHash: null,
    ...recogniseForm(start.toLowerCase().slice(2)),
  };
}

/**
 * Whole programs that copy the calldata, delegate to a fixed address and return its answer.
 * Nothing after the last byte can run, so bytes that follow are arguments the target reads.
 */
const CLONES: readonly RegExp[] = [
  // EIP-1167, and the same with arguments appended by OpenZeppelin and Solady.
  /^363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3/,
  // The 44-byte form of 0age, used by Solady's LibClone and Sequence wallets.
  /^3d3d3d3d363d3d37363d73([0-9a-f]{40})5af43d3d93803e602a57fd5bf3/,
  // Solady's form with PUSH0 (EIP-3855).
  /^5f5f365f5f37365f73([0-9a-f]{40})5af43d5f5f3e6029573d5ffd5b3d5ff3/,
  // Clones with immutable arguments: the arguments are also appended to the calldata.
  /^3d3d3d3d363d3d3761[0-9a-f]{4}603736393661[0-9a-f]{4}013d73([0-9a-f]{40})5af43d3d93803e603557fd5bf3/,
];

function recogniseForm(code: string): { form: CodeForm; target: Hex | null } {
  if (code === "") return { form: "empty", target: null };
  // A byte no program may start with (EIP-3541): Base puts it where a precompile runs a native token.
  if (code === "ef") return { form: "native_b20", target: null };
  const delegate = /^ef0100([0-9a-f]{40})$/.exec(code)?.[1];
  if (delegate !== undefined) return { form: "eip7702_delegation", target: `0x${delegate}` };
  for (const pattern of CLONES) {
    const target = pattern.exec(code)?.[1];
    if (target !== undefined) return { form: "eip1167_clone", target: `0x${target}` };
  }
  const target = findVanityTarget(code);
  return target === null ? { form: "contract", target: null } : { form: "eip1167_clone", target };
}

/** EIP-1167's variation for addresses with leading zeros: a shorter push, and a jump moved by as much. */
function findVanityTarget(code: string): Hex | null {
  const match = /^363d3d373d3d3d363d(6[0-9a-f]|7[0-2])/.exec(code);
  if (match?.[1] === undefined) return null;
  const pushed = Number.parseInt(match[1], 16) - 0x5f;
  const target = code.slice(20, 20 + pushed * 2);
  const jump = (0x2b - (20 - pushed)).toString(16).padStart(2, "0");
  if (!code.slice(20 + pushed * 2).startsWith(`5af43d82803e903d9160${jump}57fd5bf3`)) return null;
  return `0x${target.padStart(40, "0")}`;
}
