import type { ChainRead } from "@assay/chain";
import { toFunctionSelector } from "viem";

/** Whether a read lets the probe run this function, by itself or among others. */
export const isAsking = (signature: string) => (read: ChainRead) =>
  read.kind === "call" && read.data.includes(toFunctionSelector(signature).slice(2));
