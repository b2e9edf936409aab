import { CHAIN_ID } from "@assay/protocol";
import { nothing, type PasteContext, type PossibleQuestion, type Recognized } from "./recognized.js";

export type JsonRecord = Readonly<Record<string, unknown>>;

interface Transaction {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly data: string;
  /** Wei, decimal. */
  readonly value: string;
}

/** A quantity in decimal, from decimal text, 0x hex or a safe number; undefined where it is none. */
export function readQuantity(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined;
  if (typeof value !== "string") return undefined;
  if (!/^([0-9]{1,78}|0x[0-9a-fA-F]{0,64})$/.test(value)) return undefined;
  return value === "0x" ? "0" : BigInt(value).toString();
}

/** The chain that a document names, in any of the spellings that wallets use; undefined where it names none. */
export function readChainId(value: unknown): string | undefined {
  const text = typeof value === "string" ? value.replace(/^eip155:/, "") : value;
  return readQuantity(text);
}

export const describeOtherChain = (chainId: string): string =>
  `It is for chain ${chainId}; only Base (${CHAIN_ID}) is judged.`;

/** Whether a document says that it is for another chain than Base. */
export function findOtherChain(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const chainId = readChainId(value);
  if (chainId === undefined) return "an unreadable chainId";
  return chainId === String(CHAIN_ID) ? undefined : chainId;
}

/** The guard for a transaction, with what is missing for it. */
export function askTransaction({ from, to, data, value }: Transaction, context: PasteContext): Recognized {
  const [sender, target] = [from ?? context.from, to ?? context.to];
  const input = { ...(sender && { from: sender }), ...(target && { to: target }), data, value };
  const missing = [...(sender ? [] : ["from"]), ...(target ? [] : ["to"])];
  const questions: PossibleQuestion[] = [{ capabilityId: "transaction.intent.guard", input, missing }];
  if (data !== "0x") questions.push({ capabilityId: "amm.swap.guard", input, missing });
  return { kind: "transaction", title: `a transaction${target ? ` to ${target}` : ""}`, questions };
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const BYTES = /^0x([0-9a-fA-F]{2})*$/;

export const CARRIES_AUTHORIZATIONS =
  "It carries EIP-7702 authorizations. Check each of them: they are no part of what is judged here.";

/** A transaction object as wallets, libraries and nodes write it. */
export function recognizeTransaction(fields: JsonRecord, context: PasteContext): Recognized {
  const title = "a transaction";
  const refuse = (problem: string) => nothing("transaction", title, problem);
  const otherChain = findOtherChain(fields.chainId);
  if (otherChain !== undefined) return refuse(describeOtherChain(otherChain));
  const data = fields.data ?? fields.input ?? "0x";
  if (
    fields.data != null &&
    fields.input != null &&
    String(fields.data).toLowerCase() !== String(fields.input).toLowerCase()
  )
    return refuse("Its data and its input differ, and one of them is not what will be signed.");
  if (typeof data !== "string" || !BYTES.test(data)) return refuse("Its data is not 0x and whole hex bytes.");
  for (const name of ["from", "to"] as const) {
    const given = fields[name];
    if (given != null && given !== "" && (typeof given !== "string" || !ADDRESS.test(given)))
      return refuse(`Its ${name} is not an address: 0x and 40 hex digits.`);
  }
  const value = fields.value == null || fields.value === "" ? "0" : readQuantity(fields.value);
  if (value === undefined) return refuse("Its value is neither a decimal integer nor 0x hex, in wei.");
  if (Array.isArray(fields.authorizationList) && fields.authorizationList.length > 0)
    return refuse(CARRIES_AUTHORIZATIONS);
  const [from, to] = [fields.from || undefined, fields.to || undefined] as (string | undefined)[];
  if (to === undefined && context.to === undefined && data !== "0x" && ("to" in fields || "from" in fields))
    return refuse("It has no recipient, so it creates a contract, which no guard judges.");
  return askTransaction({ from, to, data, value }, context);
}
