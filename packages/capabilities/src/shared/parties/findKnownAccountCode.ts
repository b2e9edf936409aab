import type { Hex } from "@assay/protocol";
import { size } from "viem";
import accountCodes from "./accountCodes.json" with { type: "json" };
import { hashWithoutImmutables } from "./compareWithRegistry.js";

export const accountKinds = ["safe_proxy", "safe_singleton", "erc4337", "eip7702_delegate"] as const;
export type AccountKind = (typeof accountKinds)[number];

/** Code of a genuine account, a singleton or a delegate. */
export interface KnownAccountCode {
  readonly name: string;
  readonly version: string;
  readonly kind: AccountKind;
  readonly source: string;
}

interface ListedCode extends KnownAccountCode {
  readonly hash: Hex;
  /** Where its constructor writes values; the hash is that of the code with zeros there. */
  readonly immutables?: readonly (readonly [offset: number, length: number])[];
}

const codes = accountCodes.codes as unknown as readonly ListedCode[];
const byHash: ReadonlyMap<string, ListedCode> = new Map(codes.map((listed) => [listed.hash, listed]));
const withImmutables = codes.filter((listed) => listed.immutables !== undefined);

/**
 * By the keccak-256 hash of runtime code. Proxies of one version share their code, so that every Safe is found. A
 * builder's account that holds values of its constructor is found only if its bytes are given too.
 */
export function findKnownAccountCode(codeHash: Hex, code?: Hex): KnownAccountCode | undefined {
  const listed =
    byHash.get(codeHash.toLowerCase()) ?? (code === undefined ? undefined : findWithoutImmutables(code));
  if (listed === undefined) return undefined;
  const { name, version, kind, source } = listed;
  return { name, version, kind, source };
}

function findWithoutImmutables(code: Hex): ListedCode | undefined {
  return withImmutables.find(({ hash, immutables = [] }) => {
    const end = Math.max(...immutables.map(([offset, length]) => offset + length));
    return end <= size(code) && hashWithoutImmutables(code, immutables) === hash;
  });
}
