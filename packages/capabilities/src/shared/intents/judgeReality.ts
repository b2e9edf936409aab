import type { Hex } from "@assay/protocol";
import { MULTICALL3 } from "../chain-facts/knownContracts.js";
import { listHiddenFees } from "../simulation/simulationConditions.js";
import type { Note } from "../verdict/note.js";
import type { IntentCase } from "./intentCase.js";

export type RealityCode =
  | "SIMULATION_DISAGREES"
  | "SIMULATION_RECOGNISABLE"
  | "TRACE_UNAVAILABLE"
  | "TRACE_UNREAD";

type Notes = Note<RealityCode>[];

/** Gas of every transaction, and of each byte of its calldata that is zero or not (EIP-2028). */
const BASE_GAS = 21_000n;
const ZERO_BYTE_GAS = 4n;
const BYTE_GAS = 16n;
/** The minimum gas of calldata, per token: a zero byte is one token, any other byte is four (EIP-7623). */
const FLOOR_GAS = 10n;

/**
 * Where a node traces the plain transaction, its effects are those of the transaction itself. Without a trace they come from
 * a run that differs in two things that a contract can see: the sender has code, and with some nodes the fees are zero.
 */
export function judgeReality(one: IntentCase): Notes {
  return [...judgeTrace(one), ...noteConditions(one)];
}

function judgeTrace(one: IntentCase): Notes {
  const { trace } = one.readings;
  if (trace.status === "value") return compareLosses(one);
  if (trace.status === "absent") {
    const limitation =
      "No node offers traces of calls. While differences are measured the sender has code, which a contract can see; only whether the plain call ends the same way and needs as much gas was compared.";
    return [{ code: "TRACE_UNAVAILABLE", limitation }, ...compareCalls(one)];
  }
  const reason = trace.status === "unanswered" ? trace.reason : trace.status;
  const limitation = `The trace of the plain transaction was not read (${reason}), so whether it does the same while the sender has no code is not known.`;
  return [{ code: "TRACE_UNREAD", limitation }, ...compareCalls(one)];
}

/** A token whose balances are shares of something is off by a few of its smallest units: one in a thousand is allowed. */
const ROUNDING = 1000n;

/** The trace must show at least what the runner measured to leave: a node that hides a loss is contradicted by it. */
function compareLosses({ effects, traced, measurements }: IntentCase): Notes {
  if (effects === null || traced === null) return [];
  const hidden = effects.balances.some(({ holder, token, id, before, after }) => {
    if (after >= before || !measurements.holders.includes(holder)) return false;
    const shown = traced.net
      .filter(
        ({ asset, holder: of }) => of === holder && asset.token === token && (id === null || asset.id === id),
      )
      .reduce((sum, { change }) => sum - change, 0n);
    const left = before - after;
    // A token without events is counted as it was measured.
    const isSilent = !traced.movements.some(({ asset }) => asset.token === token) && token !== null;
    return !isSilent && left > shown + left / ROUNDING;
  });
  return hidden ? [disagrees("More leaves in the measured run than in the traced transaction")] : [];
}

const disagrees = (what: string): Note<"SIMULATION_DISAGREES"> => ({
  code: "SIMULATION_DISAGREES",
  limitation: `${what}, so the measured differences may not be what would happen.`,
});

/** Without a trace: compares what the plain call returns, and the gas it needs, with the runner's. */
function compareCalls({ readings: { call, simulation, gasEstimate }, input }: IntentCase): Notes {
  if (simulation.status !== "value" || !simulation.value.success) return [];
  const notes: Notes = [];
  const returned = call.status === "value" ? call.value : call.status === "absent" ? "0x" : undefined;
  if (returned !== undefined && returned !== simulation.value.returned)
    notes.push(disagrees("The plain call and the runner's do not return the same"));
  if (gasEstimate.status === "value" && needsOtherGas(input, simulation.value.gasUsed, gasEstimate.value))
    notes.push(disagrees("The plain transaction and the runner's do not need the same gas"));
  return notes;
}

/**
 * An estimate finds storage cold that the runner has just read, is rounded up, and does not pay for sending value on.
 * Of honest transactions on the local chain (22,000 to 490,000 gas) it lay at most 4,200 and a fifteenth above what the
 * runner used, and 1,100 and a hundredth below, value apart. Taking a token by an old allowance needs 16,000 or more.
 */
const MORE_GAS = { least: 5_000n, share: 16n };
const LESS_GAS = { least: 2_000n, share: 64n };
/** Gas that a call with value costs when it creates the account (EIP-150, EIP-161). */
const VALUE_GAS = 34_000n;

function needsOtherGas(
  { data, value }: IntentCase["input"],
  simulatedGas: string,
  estimatedGas: string,
): boolean {
  const measured = addIntrinsicGas(data, BigInt(simulatedGas));
  const difference = BigInt(estimatedGas) - measured;
  const sent = value === "0" ? 0n : VALUE_GAS;
  return (
    difference > MORE_GAS.least + measured / MORE_GAS.share ||
    -difference > LESS_GAS.least + measured / LESS_GAS.share + sent
  );
}

/** What a transaction needs whose calls need this much: its own cost and that of its calldata come on top. */
export function addIntrinsicGas(data: Hex, simulatedGas: bigint): bigint {
  const bytes = data.slice(2).match(/../g) ?? [];
  const zeros = BigInt(bytes.filter((byte) => byte === "00").length);
  const others = BigInt(bytes.length) - zeros;
  const needed = BASE_GAS + zeros * ZERO_BYTE_GAS + others * BYTE_GAS + simulatedGas;
  const floor = BASE_GAS + (zeros + others * 4n) * FLOOR_GAS;
  return needed > floor ? needed : floor;
}

/** Where the node hides the gas price or the base fee from simulated calls, code that reads it must not have run. */
function noteConditions(one: IntentCase): Notes {
  const { conditions, programs, trace } = one.readings;
  const hidden = listHiddenFees(conditions);
  if (hidden.length === 0) return [];
  const recognisable = (limitation: string): Notes => [{ code: "SIMULATION_RECOGNISABLE", limitation }];
  if (conditions.seen.status !== "value")
    return recognisable("Which fees simulated calls can see was not read.");
  const names = hidden.map((name) => (name === "GASPRICE" ? "gas price" : "base fee")).join(" and ");
  if (trace.status !== "value" || trace.value.creates || programs.isCut)
    return recognisable(
      `The node does not show the ${names} to simulated calls, and it is not fully known which code would read it.`,
    );
  const readers = programs.list.filter((program) => mayReadHiddenFee(one, program, hidden));
  if (readers.length === 0) return [];
  return recognisable(
    `The node does not show the ${names} to simulated calls; the code of ${readers.map(({ address }) => address).join(", ")} may read it.`,
  );
}

type Program = IntentCase["readings"]["programs"]["list"][number];

function mayReadHiddenFee(one: IntentCase, program: Program, hidden: readonly string[]): boolean {
  const { address, looksAt, isCalledByOthers } = program;
  const { kind, reading } = one.viewParty(address);
  // Published code has no reason to deceive; it may return the fee to a caller, but here the sender does not ask for it.
  const isRead = looksAt.status !== "unanswered";
  if (isRead && (kind === "known" || kind === "own" || reading?.account != null))
    return isCalledByOthers && address === MULTICALL3;
  if (isRead && one.routers.has(address) && !isCalledByOthers) return false;
  if (looksAt.status === "value") return looksAt.value.some((opcode) => hidden.includes(opcode));
  // A payment to a delegated account goes to its key, independent of what its code does on receipt.
  return !(looksAt.status === "absent" && address === one.input.to && !one.hasData);
}
