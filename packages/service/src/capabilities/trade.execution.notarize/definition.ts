import { getCapabilitySpec } from "@assay/protocol";
import { evaluateTradeExecution, type TradeExecutionReadings } from "@assay/rules";
import type { Capability } from "../types.js";
import { gatherTradeExecution } from "./gather.js";

export const tradeExecutionNotarize: Capability<"trade.execution.notarize", TradeExecutionReadings> = {
  spec: { ...getCapabilitySpec("trade.execution.notarize"), id: "trade.execution.notarize" },
  gather: gatherTradeExecution,
  evaluate: evaluateTradeExecution,
  // What decides is in the lists of another block than the answer's own; its proofs are among the readings.
  listFacts: () => [],
  watchedBy: null,
  longLivedPart: null,
};
