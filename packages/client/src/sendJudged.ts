import { CHAIN_ID, type Hex } from "@assay/protocol";
import {
  type Account,
  type Chain,
  isAddressEqual,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerializableEIP1559,
  type TransactionSerializedEIP1559,
  type Transport,
  type Client as ViemClient,
} from "viem";
import { prepareTransactionRequest, sendRawTransaction } from "viem/actions";

export type Wallet = ViemClient<Transport, Chain | undefined, Account | undefined>;

/** What a guard judges of a transaction. */
export interface Judged {
  readonly from: Hex;
  readonly to: Hex;
  readonly data: Hex;
  readonly value: bigint;
}

/** What no guard judges: in which order it is taken, and what it may cost in gas. */
export interface Terms {
  readonly gas?: bigint | undefined;
  readonly nonce?: number | undefined;
  readonly maxFeePerGas?: bigint | undefined;
  readonly maxPriorityFeePerGas?: bigint | undefined;
}

/** A transaction that is complete but for its signature. `nonce` is missing where the wallet counts for itself. */
export interface FilledTransaction extends Judged {
  readonly gas: bigint;
  readonly nonce: number | undefined;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/**
 * Asks the wallet's node for what the caller left open. `needed` is the gas that the node measured, whatever was given.
 * Nothing that the wallet's chain or client would add to a transaction is asked: it was not judged.
 */
export async function fillTransaction(
  wallet: Wallet,
  account: Account,
  judged: Judged,
  terms: Terms,
): Promise<{ readonly filled: FilledTransaction; readonly neededGas: bigint }> {
  const { from, ...call } = judged;
  const { gas, ...given } = terms;
  const isLocal = account.type === "local";
  const prepared = await prepareTransactionRequest(wallet, {
    ...{ ...call, ...given, account: from, chain: null, chainId: CHAIN_ID, type: "eip1559" },
    ...(isLocal && account.nonceManager && { nonceManager: account.nonceManager }),
    parameters: isLocal ? ["fees", "gas", "nonce"] : ["fees", "gas"],
  } as never);
  const found = prepared as FilledTransaction;
  return {
    neededGas: found.gas,
    filled: {
      ...judged,
      gas: gas ?? found.gas,
      maxFeePerGas: given.maxFeePerGas ?? found.maxFeePerGas,
      maxPriorityFeePerGas: given.maxPriorityFeePerGas ?? found.maxPriorityFeePerGas,
      nonce: isLocal ? found.nonce : given.nonce,
    },
  };
}

/**
 * Has exactly this signed, and returns how to send it. Where the key is at hand the signed bytes are compared with those
 * that were to be signed: undefined when they differ, or another account signed. An injected wallet signs and sends in one
 * step, and gets these fields and no others.
 */
export async function signExactly(
  wallet: Wallet,
  account: Account,
  filled: FilledTransaction,
): Promise<(() => Promise<Hex>) | undefined> {
  const { from, to, data, value, gas, nonce, maxFeePerGas, maxPriorityFeePerGas } = filled;
  if (account.type === "local") {
    const transaction = {
      ...{ type: "eip1559", chainId: CHAIN_ID, to, data, value },
      ...{ gas, nonce, maxFeePerGas, maxPriorityFeePerGas },
    } as TransactionSerializableEIP1559;
    const signed = (await account.signTransaction(transaction)) as TransactionSerializedEIP1559;
    return (await isSignedAs(signed, transaction, from))
      ? () => sendRawTransaction(wallet, { serializedTransaction: signed })
      : undefined;
  }
  const request = {
    ...{ type: "0x2" as const, chainId: numberToHex(CHAIN_ID), from, to, data, value: numberToHex(value) },
    gas: numberToHex(gas),
    ...(nonce !== undefined && { nonce: numberToHex(nonce) }),
    maxFeePerGas: numberToHex(maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas),
  };
  return () => wallet.request({ method: "eth_sendTransaction", params: [request] }, { retryCount: 0 });
}

async function isSignedAs(
  signed: TransactionSerializedEIP1559,
  expected: TransactionSerializableEIP1559,
  from: Hex,
): Promise<boolean> {
  const { r: _r, s: _s, v: _v, yParity: _y, ...unsigned } = parseTransaction(signed);
  if (serializeTransaction(unsigned) !== serializeTransaction(expected)) return false;
  return isAddressEqual(await recoverTransactionAddress({ serializedTransaction: signed }), from);
}
