import type { BlockHeader, CallRead, ChainRead } from "@assay/chain";
import { type Hex, mapReading, type Reading } from "@assay/protocol";
import { decodeAbiParameters, parseAbiParameters } from "viem";
import { TRANSACTION_GAS_CAP } from "../../chain-facts/transactionGasCap.js";
import type { SimulationConditions } from "../simulationConditions.js";

/** Keeps the price above zero where the header has no base fee or a very low one. */
const MIN_GAS_PRICE_WEI = 1_000_000n;
/** The most gas that any simulated call is given. */
const MAX_GAS = BigInt(TRANSACTION_GAS_CAP);

/**
 * What a wallet would offer: twice the base fee, and a little more that no contract can foresee, because it follows from
 * the hash of the block at which the call is made.
 */
export function gasPriceAt({ baseFeePerGas, hash }: Pick<BlockHeader, "baseFeePerGas" | "hash">): bigint {
  const base = 2n * (baseFeePerGas ?? 0n);
  const price = base > MIN_GAS_PRICE_WEI ? base : MIN_GAS_PRICE_WEI;
  return price + (BigInt(`0x${hash.slice(-4)}`) * price) / 0x80000n;
}

/** Whether a sender who holds this can pay the value, but not also all the gas that a simulated call is given. */
export const needsLoan = (heldWei: bigint, valueWei: bigint, gasPrice: bigint): boolean =>
  heldWei >= valueWei && heldWei < valueWei + MAX_GAS * gasPrice;

/**
 * The read at this price. A node takes the price of all the gas from the sender before the call begins; where that is
 * more than there is, it is lent, so that the call finds exactly what the sender holds.
 */
export function priceRead<R extends ChainRead>(
  read: R,
  gasPrice: bigint,
  loan?: { readonly heldWei: bigint },
): R {
  if (read.kind !== "call" && read.kind !== "gasEstimate" && !isTrace(read)) return read;
  const { from } = read;
  if (from === undefined) return read;
  if (loan === undefined) return { ...read, gasPrice };
  // Few nodes take overrides for an estimate; unpriced, it asks for no funds beyond the value.
  if (read.kind === "gasEstimate") return read;
  const gas = Number((read.kind === "call" && read.gas) || MAX_GAS);
  const balance = loan.heldWei + BigInt(gas) * gasPrice;
  const overrides = { ...read.overrides, [from]: { ...read.overrides?.[from], balance } };
  return { ...read, gasPrice, overrides, ...(read.kind === "call" ? { gas } : {}) };
}

const isTrace = (read: ChainRead): read is Extract<ChainRead, { kind: "trace" | "storageChanges" }> =>
  read.kind === "trace" || read.kind === "storageChanges";

/** GASPRICE and BASEFEE, returned as two words by code that is never deployed. */
const READ_FEES_CODE: Hex = "0x3a5f524860205260405ff3";
const words = parseAbiParameters("uint256 gasPrice, uint256 baseFee");

/** Reads the fees that code can see in a simulated call of this sender. */
export const readFees = (from: Hex): CallRead => ({ kind: "call", from, to: null, data: READ_FEES_CODE });

export function parseFees(answer: Reading<Hex>): SimulationConditions["seen"] {
  if (answer.status === "value" && answer.value.length !== 2 + 128) return { status: "absent" };
  return mapReading(answer, (data) => {
    const [gasPrice, baseFee] = decodeAbiParameters(words, data);
    return { gasPrice: gasPrice.toString(), baseFee: baseFee.toString() };
  });
}
