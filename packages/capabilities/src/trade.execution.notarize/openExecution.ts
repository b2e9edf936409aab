import {
  asProof,
  type DecodedHeader,
  type DecodedReceipt,
  type DecodedTransaction,
  decodeReceipt,
  decodeTransaction,
  findInOrderedTrie,
  type Hex,
  openHeader,
  StateProofError,
} from "@assay/protocol";
import type { TradeExecutionReadings } from "./readings.js";

type Execution = TradeExecutionReadings["execution"];
type Part = Execution["transaction"];

/** A transaction and its receipt, as far as the readings show them. */
export interface OpenedExecution {
  readonly header: DecodedHeader | null;
  /** Null where its bytes are of an unknown form. */
  readonly transaction: DecodedTransaction | null;
  readonly receipt: DecodedReceipt | null;
  /** Whether the header commits to them. Otherwise they are only what a node reports. */
  readonly isTransactionProven: boolean;
  readonly isReceiptProven: boolean;
}

/**
 * Follows the block's hash to its header, and the header's roots to the transaction and its receipt. Throws
 * `StateProofError` where one contradicts the other: then the readings describe no execution.
 */
export function openExecution(
  txHash: Hex,
  { block, execution }: Pick<TradeExecutionReadings, "block" | "execution">,
): OpenedExecution {
  const { number, hash, canonicalHash, index } = execution;
  if (canonicalHash !== hash || number > block.number)
    throw new StateProofError(`block ${hash} is not part of the chain up to ${block.number}`);
  const header =
    execution.header.status === "value" ? openHeader(execution.header.value as Hex, hash as Hex) : null;
  if (header && header.number !== number)
    throw new StateProofError(`block ${hash} has the number ${header.number}, not ${number}`);
  const transactionBytes = readPart(execution.transaction, header?.transactionsRoot, index, "transaction");
  const receiptBytes = readPart(execution.receipt, header?.receiptsRoot, index, "receipt");
  const transaction = transactionBytes && asProof(() => decodeTransaction(transactionBytes));
  if (transaction && transaction.hash !== txHash)
    throw new StateProofError(`the transaction hashes to ${transaction.hash}, not to ${txHash}`);
  return {
    header,
    transaction,
    receipt: receiptBytes && asProof(() => decodeReceipt(receiptBytes)),
    isTransactionProven: execution.transaction.proof.status === "value",
    isReceiptProven: execution.receipt.proof.status === "value",
  };
}

function readPart({ proof, told }: Part, root: Hex | undefined, index: number, what: string): Hex | null {
  if (proof.status !== "value") return told as Hex | null;
  if (root === undefined) throw new StateProofError(`there is no header to prove the ${what} by`);
  if (told !== null) throw new StateProofError(`the ${what} is both proven and given apart`);
  return findInOrderedTrie(proof.value as Hex[], root, index, what);
}
