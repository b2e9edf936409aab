import type { Hex } from "@assay/protocol";

/** A message that a wallet is asked to sign, with what it is. */
export interface MessageCase {
  readonly name: string;
  readonly group: "honest" | "hostile";
  /** The form, by which types are counted. */
  readonly kind: string;
  /** As a caller gives it. */
  readonly input: Readonly<Record<string, unknown>> & { readonly signer: Hex };
}

export interface Document {
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>;
  readonly primaryType: string;
  readonly domain: Readonly<Record<string, unknown>>;
  readonly message: Readonly<Record<string, unknown>>;
}

/** Fields as `type name, type name`. */
export const fields = (text: string) =>
  text
    .split(",")
    .map((one) => one.trim().split(" "))
    .map(([type = "", name = ""]) => ({ name, type }));

/** Types as `Name(type name,…)`, the primary type first. */
export function document(
  types: readonly string[],
  domain: Readonly<Record<string, unknown>>,
  message: Readonly<Record<string, unknown>>,
): Document {
  const read = types.map((text): [string, ReturnType<typeof fields>] => {
    const [, name = "", inside = ""] = /^([\w:]+)\((.*)\)$/.exec(text) ?? [];
    return [name, fields(inside)];
  });
  return {
    types: Object.fromEntries(read),
    primaryType: read[0]?.[0] ?? "",
    domain: { chainId: 8453, ...domain },
    message,
  };
}

/** JSON in which whole numbers of any size are text, as wallets send them. */
export const toJson = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, one) => (typeof one === "bigint" ? one.toString() : one)));
