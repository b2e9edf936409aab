import { CHAIN_ID } from "@assay/protocol";

type Fields = Readonly<Record<string, unknown>>;

export type Unjudged =
  | { readonly ok: true; readonly notes: readonly string[] }
  | { readonly ok: false; readonly problem: string };

const refuse = (problem: string) => ({ ok: false, problem }) as const;

/** The guard's input, and the fields that name the chain it is about. */
const JUDGED: ReadonlySet<string> = new Set(["from", "to", "data", "input", "value", "chainId", "type"]);
/** These decide what it costs and when it is mined, not what it does. */
const FEES: ReadonlySet<string> = new Set([
  ...["nonce", "gas", "gasLimit", "gasPrice", "maxFeePerGas", "maxPriorityFeePerGas"],
]);
const SIGNATURE: ReadonlySet<string> = new Set(["hash", "r", "s", "v", "yParity"]);
const BLOBS: ReadonlySet<string> = new Set([
  ...["blobs", "blobVersionedHashes", "maxFeePerBlobGas", "sidecars", "kzg", "commitments", "proofs"],
]);

const TYPES: Readonly<Record<string, number>> = {
  legacy: 0,
  eip2930: 1,
  eip1559: 2,
  eip4844: 3,
  eip7702: 4,
};

/**
 * Checks the fields of a transaction that the guards' input does not have. Harmless ones become notes; any other refuses
 * the whole transaction, because the part that can be judged may be harmless without it.
 */
export function findUnjudged(transaction: Fields): Unjudged {
  const { authorizationList, accessList, chainId, type } = transaction;
  const isGiven = (value: unknown) =>
    value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
  const known = readType(type);
  if (isGiven(authorizationList) || known.type === 4) return refuse(describeDelegation(authorizationList));
  if (!known.ok) return known;
  const names = Object.keys(transaction).filter((name) => isGiven(transaction[name]));
  if (names.some((name) => BLOBS.has(name)))
    return refuse("The transaction carries blobs (EIP-4844). Base takes none and no guard judges them.");
  const strange = names.filter(
    (name) => ![JUDGED, FEES, SIGNATURE].some((set) => set.has(name)) && name !== "accessList",
  );
  if (strange.length > 0)
    return refuse(
      `No guard judges ${strange.join(", ")}. Do not sign it unless you know what that does. To check the rest, remove it and paste again.`,
    );
  if (isGiven(chainId) && readWhole(chainId) !== String(CHAIN_ID))
    return refuse(
      `The transaction is for chain ${readWhole(chainId) ?? String(chainId)}; Assay judges Base, ${CHAIN_ID}.`,
    );
  const fees = [...FEES].filter((name) => names.includes(name));
  return {
    ok: true,
    notes: [
      ...(fees.length > 0 ? [`Not judged: ${fees.join(", ")}.`] : []),
      ...(isGiven(accessList) ? ["Its access list is not judged: it only changes the cost of gas."] : []),
      ...(isGiven(chainId) ? [] : ["It names no chain; it is judged as a transaction for Base."]),
    ],
  };
}

type KnownType =
  | { readonly ok: true; readonly type: number | undefined }
  | { readonly ok: false; readonly type: number | undefined; readonly problem: string };

/** The transaction's type as a number (EIP-2718), from a number, hex or the name that libraries use. */
export function readType(type: unknown): KnownType {
  if (type === undefined || type === null) return { ok: true, type: undefined };
  const named = typeof type === "string" && Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  const number = named ?? Number(readWhole(type) ?? Number.NaN);
  if (number >= 0 && number <= 2) return { ok: true, type: number };
  if (number === 4) return { ok: false, type: 4, problem: describeDelegation(undefined) };
  return {
    ok: false,
    type: number === 3 ? 3 : undefined,
    problem:
      number === 3
        ? "The transaction carries blobs (EIP-4844). Base takes none and no guard judges them."
        : `The transaction is of type ${String(type)}, which no guard knows. Do not sign it.`,
  };
}

function describeDelegation(list: unknown): string {
  const addresses = (Array.isArray(list) ? list : [])
    .map((one: unknown) => (one ?? {}) as Fields)
    .map(({ address, contractAddress }) =>
      String(address ?? contractAddress ?? "an address it does not name"),
    );
  const whom = addresses.length > 0 ? addresses.join(" and ") : "another contract";
  return `This transaction also hands your account's code to ${whom} (EIP-7702); no guard judges that. Do not sign it unless you know that contract and mean it to act as your account from then on.`;
}

/** A whole number in decimal, from a number, hex or decimal text. */
export function readWhole(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return String(value);
  if (typeof value === "bigint") return value.toString();
  return typeof value === "string" && /^(0x[0-9a-f]+|[0-9]+)$/i.test(value)
    ? BigInt(value).toString()
    : undefined;
}
