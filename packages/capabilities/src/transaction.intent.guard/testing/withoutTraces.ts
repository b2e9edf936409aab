import type { ChainRead } from "@assay/chain";
import type { Change } from "@assay/chain/testing/alteredChain";
import { valueReading } from "@assay/protocol";
import { gasPriceAt } from "../../shared/simulation/gather/simulatedFees.js";

const word = (value: bigint) => value.toString(16).padStart(64, "0");
const isFeeProbe = (read: ChainRead) => read.kind === "call" && read.to === null;

/** As geth does: calls with a price see the base fee of their block. */
export const showingFees: Change = (read, honest, block) =>
  isFeeProbe(read) ? valueReading(`0x${word(gasPriceAt(block))}${word(block.baseFeePerGas ?? 0n)}`) : honest;

/** A node that offers no traces. */
export const withoutTraces: Change = (read, honest, block) =>
  read.kind === "trace" ? { status: "absent" } : showingFees(read, honest, block);
