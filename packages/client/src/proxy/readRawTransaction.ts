import { CHAIN_ID, type Hex } from "@assay/protocol";
import {
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerialized,
} from "viem";
import { recoverAuthorizationAddress } from "viem/utils";
import { InvalidArgumentError } from "../invalidArgumentError.js";

export interface SignedTransaction {
  readonly bytes: Hex;
  readonly hash: Hex;
  readonly from: Hex;
  /** Null where it creates a contract. */
  readonly to: Hex | null;
  readonly data: Hex;
  readonly valueWei: bigint;
  readonly nonce: bigint;
  readonly feeWei: bigint;
  /** Of EIP-7702, each with the account that signed it. */
  readonly authorizations: readonly {
    readonly signer: Hex;
    readonly chainId: string;
    readonly address: Hex;
    readonly nonce: string;
  }[];
}

const kinds: Readonly<Record<string, string>> = {
  "01": "eip2930",
  "02": "eip1559",
  "04": "eip7702",
};

/** Decodes a signed transaction. Throws InvalidArgumentError where it is not one that is judged, or not written as its fields demand. */
export async function readRawTransaction(bytes: Hex): Promise<SignedTransaction> {
  const first = bytes.slice(2, 4);
  if (first === "03") throw new InvalidArgumentError("a transaction with blobs (EIP-4844) is not judged.");
  // A list of RLP is a legacy transaction; anything else below 0x80 is a type (EIP-2718).
  if (!(first in kinds) && !(Number.parseInt(first, 16) >= 0xc0))
    throw new InvalidArgumentError(`transactions of type 0x${first} are not judged.`);
  const serialized = bytes as TransactionSerialized;
  let parsed: ParsedTransaction;
  let from: Hex;
  try {
    parsed = parseTransaction(serialized) as object;
    from = await recoverTransactionAddress({ serializedTransaction: serialized } as never);
  } catch {
    throw new InvalidArgumentError("the bytes are not a signed transaction.");
  }
  const { r, s, v, yParity, chainId, to, value = 0n, nonce = 0, data = "0x" } = parsed;
  if (chainId === undefined)
    throw new InvalidArgumentError(
      "the transaction names no chain (EIP-155), so it could be sent on every chain.",
    );
  if (chainId !== CHAIN_ID)
    throw new InvalidArgumentError(
      `the transaction is for chain ${chainId}, but Assay judges chain ${CHAIN_ID} (Base).`,
    );
  // One transaction has one spelling: a node that reads these bytes otherwise would read another transaction.
  const written = serializeTransaction(parsed as never, { r, s, v, yParity } as never);
  if (written !== bytes)
    throw new InvalidArgumentError("the bytes are not the one way to write this transaction.");
  const { gas = 0n, gasPrice, maxFeePerGas, authorizationList = [] } = parsed;
  return {
    bytes,
    hash: keccak256(bytes),
    from: from.toLowerCase() as Hex,
    to: to ? (to.toLowerCase() as Hex) : null,
    data,
    valueWei: value,
    nonce: BigInt(nonce),
    feeWei: gas * (maxFeePerGas ?? gasPrice ?? 0n),
    authorizations: await Promise.all(authorizationList.map(readAuthorization)),
  };
}

type Authorization = NonNullable<ParsedTransaction["authorizationList"]>[number];

async function readAuthorization(authorization: Authorization) {
  const { chainId, address, nonce } = authorization;
  const signer = await recoverAuthorizationAddress({ authorization } as never).catch(() => {
    throw new InvalidArgumentError("an authorization (EIP-7702) has no valid signature.");
  });
  return {
    signer: signer.toLowerCase() as Hex,
    chainId: `${chainId}`,
    address: address.toLowerCase() as Hex,
    nonce: `${nonce}`,
  };
}

/** The fields of all types together. */
interface ParsedTransaction {
  readonly r?: Hex;
  readonly s?: Hex;
  readonly v?: bigint;
  readonly yParity?: number;
  readonly chainId?: number;
  readonly to?: Hex | null;
  readonly value?: bigint;
  readonly nonce?: number;
  readonly data?: Hex;
  readonly gas?: bigint;
  readonly gasPrice?: bigint;
  readonly maxFeePerGas?: bigint;
  readonly authorizationList?: readonly { chainId: number; address: Hex; nonce: number }[];
}
