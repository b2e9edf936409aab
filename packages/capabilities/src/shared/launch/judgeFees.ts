import { listHiddenFees } from "../simulation/simulationConditions.js";
import type { Note } from "../verdict/note.js";
import type { LaunchReadings } from "./launchReadings.js";

export type FeeCode = "SIMULATION_RECOGNISABLE";

/** Whether the token could distinguish simulated trades from real ones by fees that the node did not show. */
export function judgeFees({ trades, fees }: LaunchReadings): {
  readonly notes: readonly Note<FeeCode>[];
  readonly limitations: readonly string[];
} {
  const { conditions, programs } = fees;
  const hidden = trades.length === 0 ? [] : listHiddenFees(conditions);
  if (hidden.length === 0) return { notes: [], limitations: [] };
  const names = hidden.map((name) => (name === "GASPRICE" ? "gas price" : "base fee")).join(" and ");
  const limitations = [
    `The node does not show the ${names} to simulated calls; whether contracts that the token calls read it is not known.`,
  ];
  const readsHiddenFee =
    conditions.seen.status !== "value" ||
    programs.some(
      ({ looksAt }) => looksAt.status !== "value" || looksAt.value.some((opcode) => hidden.includes(opcode)),
    );
  return { notes: readsHiddenFee ? [{ code: "SIMULATION_RECOGNISABLE" }] : [], limitations };
}
