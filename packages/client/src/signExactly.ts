import { CHAIN_ID, type Hex } from "@assay/protocol";
import {
  type Account,
  isAddressEqual,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerializableEIP1559,
  type TransactionSerializedEIP1559,
} from "viem";
import { sendRawTransaction } from "viem/actions";
import type { FilledTransaction } from "./fillTransaction.js";
import { asViemClient, type Wallet } from "./wallet.js";

/**
 * Has exactly this transaction signed, and returns a function that sends it. The bytes that a local account signed are
 * compared with the transaction: undefined when they differ, or when another account signed. An injected wallet signs and
 * sends in one step, and gets these fields and no others.
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
      ? () => sendRawTransaction(asViemClient(wallet), { serializedTransaction: signed })
      : undefined;
  }
  const request = {
    ...{ type: "0x2" as const, chainId: numberToHex(CHAIN_ID), from, to, data, value: numberToHex(value) },
    gas: numberToHex(gas),
    ...(nonce !== undefined && { nonce: numberToHex(nonce) }),
    maxFeePerGas: numberToHex(maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas),
  };
  return () =>
    asViemClient(wallet).request({ method: "eth_sendTransaction", params: [request] }, { retryCount: 0 });
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
