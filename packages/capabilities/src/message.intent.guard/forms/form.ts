import type { Hex } from "@assay/protocol";
import { encodeFunctionData, parseAbiItem } from "viem";
import type { Meaning, SignedCall, SignedRun } from "../meaning.js";
import type { TypedDocument, TypedStruct } from "../typedDocument.js";
import type { Venues } from "../venues.js";

/** A typed document of a form that is known, with its message read by name. */
export interface KnownDocument {
  readonly signer: Hex;
  readonly document: TypedDocument;
  /** `verifyingContract` of the domain. */
  readonly verifier: Hex | null;
  readonly message: TypedStruct;
  /** Published contracts by what they do, as they were recorded. */
  readonly venues: Venues;
  /** Reads a document that this one holds. */
  readInner(document: TypedDocument, signer: Hex): Meaning;
  readText(text: string, signer: Hex): Meaning;
}

export type ReadForm = (known: KnownDocument) => Meaning | undefined;

/** Forms by the text that their type hash is made of: a contract accepts that type and no other. */
export type Forms = Readonly<Record<string, ReadForm>>;

export const ZERO: Hex = "0x0000000000000000000000000000000000000000";
export const NATIVE_MARK: Hex = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

export const address = (value: unknown): Hex => value as Hex;
export const text = (value: unknown): string => value as string;
export const struct = (value: unknown): TypedStruct => value as TypedStruct;
export const structs = (value: unknown): readonly TypedStruct[] => value as readonly TypedStruct[];

/** Calldata of a function named by its signature. */
export function encodeCall(signature: string, args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi: [parseAbiItem(`function ${signature}`)], args } as never);
}

export const call = (to: Hex, signature: string, args: readonly unknown[]): SignedCall => ({
  to,
  data: encodeCall(signature, args),
  value: "0",
});

export const approveCall = (token: Hex, spender: Hex, amount: string | bigint): SignedCall =>
  call(token, "approve(address spender, uint256 amount)", [spender, BigInt(amount)]);

export const transferCall = (token: Hex, to: Hex, amount: string): SignedCall =>
  call(token, "transfer(address to, uint256 amount)", [to, BigInt(amount)]);

/** Calls that the owner makes, one after the other. Several are judged as one batch of the owner's. */
export function runAsOwner(owner: Hex, calls: readonly SignedCall[]): SignedRun {
  const [only] = calls;
  const base = {
    caller: owner,
    steps: calls,
    lendsToCaller: false,
    safe: null,
    isWrittenAsBatch: calls.length !== 1,
  };
  if (calls.length === 1 && only) return { ...base, judged: { from: owner, ...only } };
  const items = calls.map(({ to, value, data }) => ({ target: to, value: BigInt(value), data }));
  const data = encodeCall("executeBatch((address target, uint256 value, bytes data)[] calls)", [items]);
  return { ...base, judged: { from: owner, to: owner, data, value: "0" } };
}

export const max = (a: string, b: string): string => (BigInt(a) > BigInt(b) ? a : b);
export const min = (a: string, b: string): string => (BigInt(a) < BigInt(b) ? a : b);
