import type { Hex } from "@assay/protocol";
import accountCodes from "./accountCodes.json" with { type: "json" };

export const accountKinds = ["safe_proxy", "safe_singleton", "erc4337", "eip7702_delegate"] as const;
export type AccountKind = (typeof accountKinds)[number];

/** Code of a genuine account, a singleton or a delegate. */
export interface KnownAccountCode {
  readonly name: string;
  readonly version: string;
  readonly kind: AccountKind;
  readonly source: string;
}

const byHash: ReadonlyMap<string, KnownAccountCode> = new Map(
  accountCodes.codes.map(({ hash, kind, ...rest }) => [hash, { ...rest, kind: kind as AccountKind }]),
);

/** By the keccak-256 hash of runtime code. Proxies of one version share their code, so that every Safe is found. */
export function findKnownAccountCode(codeHash: Hex): KnownAccountCode | undefined {
  return byHash.get(codeHash.toLowerCase());
}
