import { CHAIN_ID } from "@assay/protocol";
import type { InputValues } from "../form/checkInput.js";

export type Pasted =
  | { readonly ok: true; readonly kind: "request" | "transaction" | "calldata"; readonly values: InputValues }
  | { readonly ok: false; readonly problem: string };

const refuse = (problem: string): Pasted => ({ ok: false, problem });

/**
 * A transaction in any form in which people have one: a JSON-RPC request or its parameters, a transaction object, a
 * serialized transaction, or calldata alone. What is missing is left for the form to ask.
 */
export async function readPasted(text: string): Promise<Pasted> {
  const trimmed = text.trim();
  if (/^[[{]/.test(trimmed)) {
    let value: unknown;
    try {
      value = JSON.parse(trimmed);
    } catch {
      return refuse("This looks like JSON and is not well-formed.");
    }
    return readRequest(value);
  }
  const hex = /^(0x)?([0-9a-f]{2})+$/i.test(trimmed)
    ? trimmed.toLowerCase().replace(/^(?!0x)/, "0x")
    : undefined;
  if (hex === undefined)
    return refuse("Paste hex bytes, a transaction object or an eth_sendTransaction request.");
  return (
    (await readSerialized(hex as `0x${string}`)) ?? { ok: true, kind: "calldata", values: { data: hex } }
  );
}

function readRequest(value: unknown): Pasted {
  const transaction = findTransaction(value);
  if (!transaction) return refuse("No transaction is in this JSON: from, to, value and data are looked for.");
  const { from, to, data, input, value: amount, chainId } = transaction;
  if (chainId !== undefined && toDecimal(chainId) !== String(CHAIN_ID))
    return refuse(
      `The transaction is for chain ${toDecimal(chainId) ?? String(chainId)}; Assay judges Base, ${CHAIN_ID}.`,
    );
  if (to === undefined || to === null)
    return refuse("The transaction creates a contract. The guards judge calls, which name an address in to.");
  const wei = amount === undefined ? "" : toDecimal(amount);
  if (wei === undefined) return refuse("value is neither hex nor a decimal number of wei.");
  return {
    ok: true,
    kind: "request",
    values: { from: String(from ?? ""), to: String(to), data: String(data ?? input ?? ""), value: wei },
  };
}

/** Inside a request, inside its parameters, or the object itself. */
function findTransaction(value: unknown): Record<string, unknown> | undefined {
  if (Array.isArray(value)) return findTransaction(value[0]);
  if (typeof value !== "object" || value === null) return undefined;
  if ("params" in value) return findTransaction(value.params);
  return "to" in value || "data" in value || "input" in value
    ? (value as Record<string, unknown>)
    : undefined;
}

function toDecimal(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return String(value);
  return typeof value === "string" && /^(0x[0-9a-f]+|[0-9]+)$/i.test(value)
    ? BigInt(value).toString()
    : undefined;
}

/** Undefined for bytes that are no serialized transaction (EIP-2718 or legacy). */
async function readSerialized(hex: `0x${string}`): Promise<Pasted | undefined> {
  const { parseTransaction, recoverTransactionAddress } = await import("viem");
  try {
    const { to, data, value, chainId, r } = parseTransaction(hex);
    if (chainId !== undefined && chainId !== CHAIN_ID)
      return refuse(`The transaction is for chain ${chainId}; Assay judges Base, ${CHAIN_ID}.`);
    if (!to)
      return refuse(
        "The transaction creates a contract. The guards judge calls, which name an address in to.",
      );
    const from =
      r === undefined ? "" : await recoverTransactionAddress({ serializedTransaction: hex as never });
    return {
      ok: true,
      kind: "transaction",
      values: { from, to, data: data ?? "0x", value: (value ?? 0n).toString() },
    };
  } catch {
    return undefined;
  }
}
