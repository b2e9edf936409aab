import type { Hex } from "@assay/protocol/primitives";
import { findRepeatedName } from "@assay/protocol/repeatedName";
import { z } from "zod";
import { addressField, bytesField, decimalField, MAX_DATA_CHARACTERS } from "../shared/inputs/fields.js";
import { normalizeDocument, type TypedDocument } from "./typedDocument.js";

/** Characters of the JSON text of what is to be signed. */
export const MAX_MESSAGE_CHARACTERS = 262_144;
const MAX_CALLS = 50;

const tooLong = `must be at most ${MAX_MESSAGE_CHARACTERS} characters of JSON`;

type Refusal = { readonly code: "custom"; readonly message: string; readonly path: (string | number)[] };
const refusal = (message: string, path: readonly (string | number)[] = []): Refusal => ({
  code: "custom",
  message,
  path: [...path],
});

/** Takes JSON, or its text, as a query and a form have it. */
function jsonField<S extends z.ZodType>(shape: z.ZodType<object>, schema: S) {
  return z
    .union([shape, z.string().max(MAX_MESSAGE_CHARACTERS, tooLong)])
    .transform((given, context): z.output<S> => {
      let value: unknown = given;
      if (typeof given === "string")
        try {
          value = JSON.parse(given);
          const repeated = findRepeatedName(given);
          if (repeated !== null) {
            context.addIssue(
              refusal(`must name ${JSON.stringify(repeated.slice(0, 80))} once in its object`),
            );
            return z.NEVER;
          }
        } catch {
          context.addIssue(refusal("must be JSON"));
          return z.NEVER;
        }
      else if (JSON.stringify(given).length > MAX_MESSAGE_CHARACTERS) {
        context.addIssue(refusal(tooLong));
        return z.NEVER;
      }
      const parsed = schema.safeParse(value);
      if (parsed.success) return parsed.data;
      for (const { message, path } of parsed.error.issues)
        context.addIssue(refusal(message, path as (string | number)[]));
      return z.NEVER;
    });
}

const documentSchema = z.unknown().transform((value, context): TypedDocument => {
  const read = normalizeDocument(value);
  if ("document" in read) return read.document;
  context.addIssue(refusal(read.fault.rule, read.fault.path));
  return z.NEVER;
});

/** A quantity in decimal or in hex, as wallets send both. */
const quantityField = z.union([
  z.int().min(0, "must not be negative").transform(String),
  z
    .string()
    .regex(/^0x[0-9a-fA-F]{1,64}$/, "must be a decimal integer or 0x hex")
    .transform((value) => BigInt(value).toString()),
  decimalField,
]);
const bytes = bytesField(MAX_DATA_CHARACTERS);

/** In place of a factory: the account has the code of a delegate (EIP-7702). Entry points take it without its zeros too. */
const MARK_7702: Hex = "0x7702";
/** Bytes that begin with an address, or none at all. */
const headed = bytes.refine(
  (value) => value === "0x" || value === MARK_7702 || value.length >= 42,
  "must be empty, or an address and what follows it",
);

const authorizationSchema = z.strictObject({
  chainId: quantityField,
  address: addressField,
  // EIP-7702 takes no larger one.
  nonce: quantityField.refine((value) => BigInt(value) < 2n ** 64n, "must fit in 64 bits"),
});

const sharedOperation = {
  entryPoint: addressField,
  sender: addressField,
  nonce: quantityField,
  callData: bytes,
  callGasLimit: quantityField,
  verificationGasLimit: quantityField,
  preVerificationGas: quantityField,
  maxFeePerGas: quantityField,
  maxPriorityFeePerGas: quantityField,
  /** An operation is judged before it is signed; what stands here is not read. */
  signature: bytes.optional().transform(() => undefined),
};
const packedOperation = z.strictObject({
  entryPoint: addressField,
  sender: addressField,
  nonce: quantityField,
  initCode: headed.default("0x"),
  callData: bytes,
  accountGasLimits: bytes.refine((value) => value.length === 66, "must be 32 bytes in hex"),
  preVerificationGas: quantityField,
  gasFees: bytes.refine((value) => value.length === 66, "must be 32 bytes in hex"),
  paymasterAndData: headed.default("0x"),
  signature: sharedOperation.signature,
});
const operation06 = z.strictObject({
  ...sharedOperation,
  initCode: headed,
  paymasterAndData: headed.default("0x"),
});
const operation07 = z.strictObject({
  ...sharedOperation,
  factory: addressField.nullish().transform((value) => value ?? null),
  factoryData: bytes.nullish().transform((value): Hex => value ?? "0x"),
  paymaster: addressField.nullish().transform((value) => value ?? null),
  paymasterVerificationGasLimit: quantityField.nullish().transform((value) => value ?? "0"),
  paymasterPostOpGasLimit: quantityField.nullish().transform((value) => value ?? "0"),
  paymasterData: bytes.nullish().transform((value): Hex => value ?? "0x"),
});

/** One operation in the one form that is judged. */
export interface UserOperation {
  readonly entryPoint: Hex;
  readonly sender: Hex;
  readonly nonce: string;
  readonly factory: Hex | null;
  readonly factoryData: Hex;
  readonly callData: Hex;
  readonly callGasLimit: string;
  readonly verificationGasLimit: string;
  readonly preVerificationGas: string;
  readonly maxFeePerGas: string;
  readonly maxPriorityFeePerGas: string;
  readonly paymaster: Hex | null;
  readonly paymasterVerificationGasLimit: string;
  readonly paymasterPostOpGasLimit: string;
  readonly paymasterData: Hex;
}

const ZERO_BYTES: Hex = "0x";
const half = (word: Hex, index: 0 | 1) =>
  BigInt(`0x${word.slice(2 + index * 32, 34 + index * 32)}`).toString();
const head = (data: Hex): Hex | null => {
  if (data === MARK_7702) return `0x${"7702".padEnd(40, "0")}`;
  return data.length >= 42 ? (data.slice(0, 42) as Hex) : null;
};
const tail = (data: Hex): Hex => (data.length > 42 ? `0x${data.slice(42)}` : ZERO_BYTES);
const gasIn = (data: Hex, from: number) => {
  const digits = data.slice(2 + from * 2, 2 + (from + 16) * 2);
  return digits.length === 32 ? BigInt(`0x${digits}`).toString() : "0";
};

/** Of 0.6 (one field for the factory and one for the paymaster), and of 0.7 and later (packed, or as bundlers take it). */
const operationSchema = z.unknown().transform((value, context): UserOperation => {
  const given = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const schema =
    "accountGasLimits" in given ? packedOperation : "initCode" in given ? operation06 : operation07;
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    for (const { message, path } of parsed.error.issues)
      context.addIssue(refusal(message, path as (string | number)[]));
    return z.NEVER;
  }
  const { signature: _, ...data } = parsed.data;
  if ("factory" in data) return data;
  const { initCode, paymasterAndData, ...rest } = data;
  const split = { factory: head(initCode), factoryData: tail(initCode), paymaster: head(paymasterAndData) };
  if ("callGasLimit" in rest)
    return {
      ...rest,
      ...split,
      paymasterVerificationGasLimit: "0",
      paymasterPostOpGasLimit: "0",
      paymasterData: tail(paymasterAndData),
    };
  return unpackOperation(data as PackedOperation);
});

interface PackedOperation
  extends Pick<UserOperation, "entryPoint" | "sender" | "nonce" | "callData" | "preVerificationGas"> {
  readonly initCode: Hex;
  readonly accountGasLimits: Hex;
  readonly gasFees: Hex;
  readonly paymasterAndData: Hex;
}

/** Of 0.7 and later: two amounts of gas in each word. */
export function unpackOperation(packed: PackedOperation): UserOperation {
  const { initCode, paymasterAndData, accountGasLimits, gasFees, ...others } = packed;
  return {
    ...others,
    factory: head(initCode),
    factoryData: tail(initCode),
    paymaster: head(paymasterAndData),
    verificationGasLimit: half(accountGasLimits, 0),
    callGasLimit: half(accountGasLimits, 1),
    maxPriorityFeePerGas: half(gasFees, 0),
    maxFeePerGas: half(gasFees, 1),
    paymasterVerificationGasLimit: gasIn(paymasterAndData, 20),
    paymasterPostOpGasLimit: gasIn(paymasterAndData, 36),
    paymasterData:
      paymasterAndData.length > 2 + 52 * 2 ? `0x${paymasterAndData.slice(2 + 52 * 2)}` : ZERO_BYTES,
  };
}

const callSchema = z.strictObject({
  to: addressField,
  data: bytes.nullish().transform((value): Hex => value ?? "0x"),
  value: quantityField.nullish().transform((value) => value ?? "0"),
});
const callsSchema = z
  .array(callSchema)
  .min(1, "must hold at least one call")
  .max(MAX_CALLS, `must hold at most ${MAX_CALLS} calls`);

/** As `personal_sign` takes it: 0x and hex digits are bytes. Bytes that are text are written as that text. */
const messageField = z
  .string()
  .min(1, "must not be empty")
  .max(MAX_MESSAGE_CHARACTERS, `must be at most ${MAX_MESSAGE_CHARACTERS} characters`)
  .transform((given) => {
    if (!/^0x([0-9a-fA-F]{2})+$/.test(given)) return given;
    const text = readText(given as Hex);
    return text === null || /^0x([0-9a-fA-F]{2})*$/.test(text) ? given.toLowerCase() : text;
  });

/** The text that bytes are in UTF-8; null where they are none, or hold control characters. */
export function readText(data: Hex): string | null {
  const octets = Uint8Array.from(data.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(octets);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: bytes with control characters are no text.
    return /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text) ? null : text;
  } catch {
    return null;
  }
}

const anything = z.looseObject({});
/** What may be signed; every question has exactly one. */
export const forms = ["typedData", "personalMessage", "authorization", "userOperation", "calls"] as const;

export const input = z
  .strictObject({
    signer: addressField.describe("address that is asked to sign"),
    typedData: jsonField(anything, documentSchema)
      .optional()
      .describe("EIP-712 document to sign, as JSON or its text"),
    personalMessage: messageField
      .optional()
      .describe("text to sign with personal_sign, or its bytes as 0x and hex digits"),
    authorization: jsonField(anything, authorizationSchema)
      .optional()
      .describe("EIP-7702 authorization to sign: chainId, address and nonce, as JSON or its text"),
    userOperation: jsonField(anything, operationSchema)
      .optional()
      .describe("ERC-4337 user operation to sign (0.6 to 0.8), with entryPoint, as JSON or its text"),
    calls: jsonField(z.array(anything), callsSchema)
      .optional()
      .describe("EIP-5792 calls to send: a list of to, data and value, as JSON or its text"),
    origin: z
      .string()
      .max(300, "must be at most 300 characters")
      .regex(/^https?:\/\/[^\s/?#@]+$/, "must be an origin: https:// and a host")
      .transform((value) => value.toLowerCase())
      .optional()
      .describe("origin of the site that asks for it"),
  })
  .superRefine((value, context) => {
    const given = forms.filter((name) => value[name] !== undefined);
    if (given.length === 1) return;
    const rule = `must be the only one of ${forms.join(", ")}`;
    if (given.length === 0)
      context.addIssue({
        code: "custom",
        message: `or one of ${forms.slice(1).join(", ")} is required`,
        path: ["typedData"],
      });
    for (const name of given) context.addIssue({ code: "custom", message: rule, path: [name] });
  });

export type MessageIntentInput = z.output<typeof input>;
