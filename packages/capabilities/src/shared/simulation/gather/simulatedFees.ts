import type { BlockHeader, CallRead, ChainRead } from "@assay/chain";
import { type Hex, mapReading, type Reading } from "@assay/protocol";
import { decodeAbiParameters, parseAbiParameters } from "viem";
import type { SimulationConditions } from "../simulationConditions.js";

/** Wei. A header without a base fee, or with none to speak of, still gives a price that is not zero. */
const LEAST_GAS_PRICE = 1_000_000n;
/** The most that any simulated call is given: what a transaction may use on Base. */
const MOST_GAS = 16_777_216n;

/**
 * What a wallet would offer: twice the base fee, and a little more that no contract can foresee, as it follows from the
 * hash of the very block in which the call is made.
 */
export function gasPriceAt({ baseFeePerGas, hash }: Pick<BlockHeader, "baseFeePerGas" | "hash">): bigint {
  const base = 2n * (baseFeePerGas ?? 0n);
  const price = base > LEAST_GAS_PRICE ? base : LEAST_GAS_PRICE;
  return price + (BigInt(`0x${hash.slice(-4)}`) * price) / 0x80000n;
}

/** Whether somebody who holds this can pay what is sent, but not also all the gas that a simulated call is given. */
export const needsLoan = (heldWei: bigint, valueWei: bigint, gasPrice: bigint): boolean =>
  heldWei >= valueWei && heldWei < valueWei + MOST_GAS * gasPrice;

/**
 * The read at this price. A node takes the price of all the gas from the sender before the call begins; where that is
 * more than there is, it is lent, so that the call finds exactly what the sender holds.
 */
export function priceRead<R extends ChainRead>(
  read: R,
  gasPrice: bigint,
  loan?: { readonly heldWei: bigint },
): R {
  if (read.kind !== "call" && read.kind !== "gasEstimate" && read.kind !== "trace") return read;
  const { from } = read;
  if (from === undefined) return read;
  if (loan === undefined) return { ...read, gasPrice };
  // Few nodes take overrides for an estimate; unpriced, it asks for no funds beyond the value.
  if (read.kind === "gasEstimate") return read;
  const gas = Number((read.kind === "call" && read.gas) || MOST_GAS);
  const balance = loan.heldWei + BigInt(gas) * gasPrice;
  const overrides = { ...read.overrides, [from]: { ...read.overrides?.[from], balance } };
  return { ...read, gasPrice, overrides, ...(read.kind === "call" ? { gas } : {}) };
}

/** GASPRICE and BASEFEE, returned as two words by code that is never deployed. */
const LOOK: Hex = "0x3a5f524860205260405ff3";
const words = parseAbiParameters("uint256 gasPrice, uint256 baseFee");

/** What of the fees code can see in a simulated call of this sender. */
export const readFees = (from: Hex): CallRead => ({ kind: "call", from, to: null, data: LOOK });

export function parseFees(answer: Reading<Hex>): SimulationConditions["seen"] {
  if (answer.status === "value" && answer.value.length !== 2 + 128) return { status: "absent" };
  return mapReading(answer, (data) => {
    const [gasPrice, baseFee] = decodeAbiParameters(words, data);
    return { gasPrice: gasPrice.toString(), baseFee: baseFee.toString() };
  });
}
