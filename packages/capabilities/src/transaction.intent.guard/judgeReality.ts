import { MULTICALL3 } from "../shared/chain-facts/knownContracts.js";
import { listHiddenFees } from "../shared/simulation/simulationConditions.js";
import type { Note } from "../shared/verdict/note.js";
import { declaredOutflow } from "./declaredOutflow.js";
import type { IntentCase } from "./intentCase.js";
import type { TracedFlow, TracedPermission } from "./readTrace.js";

export type RealityCode =
  | "SIMULATION_EVADED"
  | "SIMULATION_DISAGREES"
  | "SIMULATION_RECOGNISABLE"
  | "UNDECLARED_OUTFLOW"
  | "UNDECLARED_APPROVAL"
  | "TRACE_UNAVAILABLE"
  | "TRACE_UNREAD";

type Notes = Note<RealityCode>[];

/** A token whose balances are shares of something is off by a few of its smallest units: one in a thousand is allowed. */
const ROUNDING = 1000n;
/** Gas of every transaction, and of each byte of its calldata that is zero or not (EIP-2028). */
const BASE_GAS = 21_000n;
const ZERO_BYTE_GAS = 4n;
const BYTE_GAS = 16n;
/** The minimum gas of calldata, per token: a zero byte is one token, any other byte is four (EIP-7623). */
const FLOOR_GAS = 10n;

/**
 * The measured run differs from the real one in two things that a contract can see: the sender has code, and with some
 * nodes the fees are zero. Whether a contract used that shows where the node traces the plain transaction.
 */
export function judgeReality(one: IntentCase): Notes {
  return [...judgeTrace(one), ...noteConditions(one)];
}

function judgeTrace(one: IntentCase): Notes {
  const { trace } = one.readings;
  if (trace.status === "value")
    return [...compareEnds(one), ...compareFlows(one), ...comparePermissions(one)];
  if (trace.status === "absent") {
    const limitation =
      "No node offers traces of calls. While differences are measured the sender has code, which a contract can see; only whether the plain call ends the same way and needs as much gas was compared.";
    return [{ code: "TRACE_UNAVAILABLE", limitation }, ...compareCalls(one)];
  }
  const reason = trace.status === "unanswered" ? trace.reason : trace.status;
  const limitation = `The trace of the plain transaction was not read (${reason}), so whether it does the same while the sender has no code is not known.`;
  return [{ code: "TRACE_UNREAD", limitation }, ...compareCalls(one)];
}

const disagrees = (what: string): Note<"SIMULATION_DISAGREES"> => ({
  code: "SIMULATION_DISAGREES",
  limitation: `${what}, so the measured differences may not be what would happen.`,
});

function compareEnds({ readings: { trace, simulation, call } }: IntentCase): Notes {
  if (trace.status !== "value") return [];
  const { success, returned } = trace.value;
  const notes: Notes = [];
  if (call.status !== "unanswered" && success !== (call.status !== "reverted"))
    notes.push(disagrees("The plain call and its trace end differently"));
  if (simulation.status !== "value") return notes;
  if (success !== simulation.value.success)
    notes.push(disagrees("The traced transaction and the runner's end differently"));
  else if (success && returned !== simulation.value.returned)
    notes.push(disagrees("The traced transaction and the runner's do not return the same"));
  return notes;
}

function compareFlows(one: IntentCase): Notes {
  return (one.traced?.flows ?? []).flatMap((flow) => compareFlow(one, flow));
}

function compareFlow(one: IntentCase, flow: TracedFlow): Notes {
  const { holder, token, id, outflow } = flow;
  const measured = one.effects?.balances.find(
    (entry) => entry.holder === holder && entry.token === token && entry.id === id,
  );
  if (measured === undefined) {
    if (outflow <= declaredOutflow(one, flow)) return [];
    const limitation = `Of ${token ?? "the native currency"} more leaves ${holder} than the calldata says, by the node's trace; it was not measured.`;
    return [{ code: "UNDECLARED_OUTFLOW", limitation }];
  }
  const left = measured.before - measured.after;
  const excess = outflow - left;
  if (excess > (left > 0n ? left / ROUNDING : 0n)) return [{ code: "SIMULATION_EVADED" }];
  // A token may move without an event, but native currency cannot move without a frame of the trace.
  if (token === null && excess !== 0n)
    return [disagrees("More native currency leaves in the runner's call than in the traced transaction")];
  return excess > 0n
    ? [disagrees("Slightly more leaves in the traced transaction than in the runner's")]
    : [];
}

function comparePermissions(one: IntentCase): Notes {
  return (one.traced?.permissions ?? []).flatMap((permission) => comparePermission(one, permission));
}

function comparePermission(one: IntentCase, traced: TracedPermission): Notes {
  const { keeper, token, owner, spender, amount } = traced;
  if (BigInt(spender) === 0n || (traced.kind !== "item" && amount === 0n)) return [];
  const isSame = (approval: { keeper: string; token: string; owner: string; spender: string }) =>
    approval.keeper === keeper &&
    approval.token === token &&
    approval.owner === owner &&
    approval.spender === spender;
  const measured = one.effects?.permissions.find(({ approval }) => isSame(approval));
  if (measured && traced.kind !== "item")
    return amount > measured.after ? [{ code: "SIMULATION_EVADED" }] : [];
  if (one.listed.acts.some((act) => act.kind === "approval" && isSame(act))) return [];
  // Many tokens emit the remaining allowance whenever some of it is used.
  const isUsed = one.traced?.flows.some((flow) => flow.holder === owner && flow.token === token);
  if (traced.kind === "allowance" && isUsed) return [];
  const limitation = `By the node's trace ${spender} may from now on take of ${token} what is ${owner}'s, of which the calldata says nothing.`;
  return [{ code: "UNDECLARED_APPROVAL", limitation }];
}

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
  const bytes = data.slice(2).match(/../g) ?? [];
  const zeros = BigInt(bytes.filter((byte) => byte === "00").length);
  const others = BigInt(bytes.length) - zeros;
  const needed = BASE_GAS + zeros * ZERO_BYTE_GAS + others * BYTE_GAS + BigInt(simulatedGas);
  const floor = BASE_GAS + (zeros + others * 4n) * FLOOR_GAS;
  const measured = needed > floor ? needed : floor;
  const difference = BigInt(estimatedGas) - measured;
  const sent = value === "0" ? 0n : VALUE_GAS;
  return (
    difference > MORE_GAS.least + measured / MORE_GAS.share ||
    -difference > LESS_GAS.least + measured / LESS_GAS.share + sent
  );
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

function mayReadHiddenFee(
  { input, hasData, routers }: IntentCase,
  program: Program,
  hidden: readonly string[],
): boolean {
  const { address, looksAt, isCalledByOthers } = program;
  // A contract that only makes the calls given to it may return the fee to its caller; here the sender does not ask for it.
  const isMessenger = !isCalledByOthers && (address === MULTICALL3 || routers.has(address));
  if (looksAt.status === "value")
    return !isMessenger && looksAt.value.some((opcode) => hidden.includes(opcode));
  // A payment to a delegated account goes to its key, independent of what its code does on receipt.
  return !(looksAt.status === "absent" && address === input.to && !hasData);
}
