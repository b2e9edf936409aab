import type { BlockHeader, Execution, MinedTransaction, ProvenPart } from "@assay/chain";
import {
  AssayError,
  EncodingError,
  type Hex,
  type JsonObject,
  jsonAddressOrNothing,
  jsonBytes,
  jsonQuantity,
  StateProofError,
  typeOf,
} from "@assay/protocol";
import type { GatherContext, Gathered, Gatherer } from "../../gathering.js";
import { findSwapRouter } from "../../shared/swaps/decodeSwap.js";
import { finalityOf, findSwap } from "../evaluate.js";
import type { TradeExecutionInput } from "../input.js";
import { openExecution } from "../openExecution.js";
import { planBalances } from "../planBalances.js";
import type { TradeExecutionReadings } from "../readings.js";
import { getCitedGuard } from "./citedGuard.js";
import { countOthers, readBalances } from "./readBalances.js";

type Readings = TradeExecutionReadings;

/** For a transaction and for a receipt, in hex digits: 256 KiB each, twice the largest transaction that nodes accept. */
const MAX_PART_CHARACTERS = 2 * 256 * 1024;
/** The lifetime of an answer about a block that is not final. */
const UNSAFE_TTL_SECONDS = 10;
const SAFE_TTL_SECONDS = 60;

/**
 * Reads where the transaction was mined and how final that is; then its whole block, and that the newest block descends
 * from it; then the balances around it. Each step needs the one before.
 */
async function gatherTradeExecution(
  context: GatherContext,
  { txHash, guardInvocationId }: TradeExecutionInput,
): Promise<Gathered<Readings>> {
  const { chain, block } = context;
  const [mined, finality, citeGuard] = await Promise.all([
    chain.findMined(txHash),
    chain.readFinality(),
    guardInvocationId === undefined ? null : getCitedGuard(context, guardInvocationId),
  ]);
  if (mined === undefined)
    throw new AssayError("transaction_not_mined", "No node has mined a transaction with that hash.");
  if (mined.blockNumber > block.number) {
    const detail = `It was mined in block ${mined.blockNumber}, and the newest block known is ${block.number}. Ask again.`;
    throw new AssayError("transaction_not_mined", detail);
  }
  const [execution, canonicalHash] = await Promise.all([
    chain.readExecution(mined),
    chain.getAncestor(mined.blockNumber, block),
  ]);
  if (canonicalHash !== mined.blockHash)
    throw new AssayError("chain_unavailable", "The transaction's block was replaced while it was read.");
  verifySize(execution);
  const readings: Omit<Readings, "router" | "balances" | "guard"> = {
    block: { number: block.number, hash: block.hash, timestamp: block.timestamp },
    execution: {
      number: mined.blockNumber,
      hash: mined.blockHash,
      canonicalHash,
      index: mined.index,
      header: execution.header,
      transaction: toPart(execution.transaction),
      receipt: toPart(execution.receipt),
      told: readReported(mined),
    },
    finality,
  };
  const opened = open(txHash, readings);
  const router = opened.transaction?.to
    ? findSwapRouter(
        // Programs of the Universal Router say too little about one swap to compare it with.
        context.swapRouters.filter(({ kind }) => kind !== "universal_router"),
        opened.transaction.to,
      )
    : undefined;
  const swap = findSwap(opened, { router: router ?? null });
  const sender = opened.transaction?.from ?? (readings.execution.told.from as Hex);
  const places = opened.receipt?.success ? planBalances(sender, swap, opened.receipt.logs).places : [];
  const balances = await readBalances(chain, parentOf(execution.block), execution.block, places);
  const { receipts } = execution;
  const level = finalityOf(readings);
  return {
    readings: {
      ...readings,
      router: router ?? null,
      balances: balances.map((balance, i) => {
        const place = places[i];
        return { ...balance, others: receipts && place ? countOthers(receipts, mined.index, place) : null };
      }),
      guard: citeGuard?.(opened.transaction) ?? null,
    },
    ...(level !== "finalized" && { ttlSeconds: level === "safe" ? SAFE_TTL_SECONDS : UNSAFE_TTL_SECONDS }),
  };
}

const toPart = ({ proof, told }: ProvenPart): Readings["execution"]["receipt"] => ({
  proof: proof.status === "value" ? { ...proof, value: [...proof.value] } : proof,
  told,
});

/** An answer holds both in full. Longer ones are refused before anyone pays. */
function verifySize({ transaction, receipt }: Execution): void {
  for (const { proof, told } of [transaction, receipt]) {
    const length =
      proof.status === "value"
        ? proof.value.reduce((sum, node) => sum + node.length, 0)
        : (told?.length ?? 0);
    if (length > MAX_PART_CHARACTERS)
      throw new AssayError("execution_too_large", "The transaction or its logs have more than 256 KiB.");
  }
}

/** What a node reports and what it proves must agree. Otherwise it is no source for a verdict. */
function open(txHash: Hex, readings: Pick<Readings, "block" | "execution">) {
  try {
    return openExecution(txHash, readings);
  } catch (error) {
    if (error instanceof StateProofError)
      throw new AssayError("chain_unavailable", `A node contradicts itself: ${error.message}.`);
    throw error;
  }
}

/** Reads are pinned by hash and number only, so the other fields do not matter. */
const parentOf = (block: BlockHeader): BlockHeader => ({
  ...block,
  number: block.number - 1,
  hash: block.parentHash,
});

function readReported({ transaction, receipt }: MinedTransaction): Readings["execution"]["told"] {
  try {
    const to = jsonAddressOrNothing(transaction, "to");
    return {
      type: typeOf(transaction),
      from: jsonBytes(transaction, "from", 20),
      to: to === "0x" ? null : to,
      value: readDecimal(transaction, "value"),
      gasUsed: readDecimal(receipt, "gasUsed"),
      effectiveGasPrice: isGiven(receipt, "effectiveGasPrice")
        ? readDecimal(receipt, "effectiveGasPrice")
        : "0",
      l1Fee: isGiven(receipt, "l1Fee") ? readDecimal(receipt, "l1Fee") : null,
    };
  } catch (error) {
    if (error instanceof EncodingError)
      throw new AssayError(
        "chain_unavailable",
        `A node's account of the transaction is malformed: ${error.message}.`,
      );
    throw error;
  }
}

const isGiven = (from: JsonObject, name: string) => from[name] !== undefined && from[name] !== null;

function readDecimal(from: JsonObject, name: string): string {
  const bytes = jsonQuantity(from, name);
  return bytes === "0x" ? "0" : BigInt(bytes).toString();
}

export const gatherer: Gatherer<TradeExecutionInput, TradeExecutionReadings> = {
  gather: gatherTradeExecution,
};
