import type { ProgramOpcode } from "../code/describeProgram.js";
import type { Note } from "../verdict/note.js";
import { describeHolder } from "./judgeAccounts.js";
import type { LaunchReadings } from "./launchReadings.js";

export type ProgramCode =
  | "CODE_DELEGATES"
  | "CODE_SELF_DESTRUCTS"
  | "CALLS_OTHERS"
  | "CALLEES_UNREAD"
  | "LOOKS_AT_CODE"
  | "HASH_LOCK"
  | "PATHS_NOT_FOLLOWED";

const CALLING: readonly ProgramOpcode[] = ["CALL", "STATICCALL"];
/** Code without these answers the same to the same question for ever. */
export const CHANGING: readonly ProgramOpcode[] = [
  "SLOAD",
  "TLOAD",
  "CALL",
  "CALLCODE",
  "DELEGATECALL",
  "STATICCALL",
  "CREATE",
  "CREATE2",
  "SELFDESTRUCT",
  "BALANCE",
  "SELFBALANCE",
  "TIMESTAMP",
  "NUMBER",
  "BLOCKHASH",
  "COINBASE",
  "PREVRANDAO",
  "GASLIMIT",
  "ORIGIN",
  "GASPRICE",
  "BASEFEE",
  "EXTCODESIZE",
  "EXTCODEHASH",
  "EXTCODECOPY",
  "GAS",
];

/** What the program and the contracts that it calls during a trade could become. */
export function judgeProgram(readings: LaunchReadings, owner: string | null): Note<ProgramCode>[] {
  const { program, callees, accounts, implementation } = readings;
  if (program === null) return [];
  const has = (opcode: ProgramOpcode) => program.opcodes.includes(opcode);
  const notes: Note<ProgramCode>[] = [];
  // Behind a proxy the instruction is how upgrades are made, and those have a reason of their own.
  if (implementation === null && (has("DELEGATECALL") || has("CALLCODE")))
    notes.push({ code: "CODE_DELEGATES" });
  if (has("SELFDESTRUCT")) notes.push({ code: "CODE_SELF_DESTRUCTS" });
  if (has("EXTCODEHASH") || has("EXTCODECOPY")) notes.push({ code: "LOOKS_AT_CODE" });
  notes.push(...noteLocks(program));
  if (!CALLING.some(has)) return notes;
  if (callees === null) return notes;
  if (callees.status !== "value") {
    const limitation = "The program calls other contracts, and no node said which.";
    return [...notes, { code: "CALLEES_UNREAD", limitation }];
  }
  const called = callees.value.filter(({ code, opcodes }) => {
    if (code.status !== "value") return true;
    return code.value.form !== "empty" && CHANGING.some((opcode) => opcodes.includes(opcode));
  });
  const named = called.map(({ address }) => address);
  // A contract that the token stores and did not call this time may be asked another time.
  const stored = readings.keys
    .filter(
      ({ address, sources }) =>
        address !== owner &&
        !sources.includes("creation") &&
        sources.some((source) => source === "storage" || source === "constant"),
    )
    .map(({ address }) => address)
    .filter((address) => {
      const code = accounts.find((account) => account.address === address)?.code;
      const isStateless = callees.value.some(
        (callee) => callee.address === address && !named.includes(address),
      );
      return (
        !isStateless &&
        code?.status === "value" &&
        code.value.form === "contract" &&
        describeHolder(readings, address) === "contract"
      );
    });
  const all = [...new Set([...named, ...stored])];
  if (all.length > 0)
    notes.push({
      code: "CALLS_OTHERS",
      limitation: `What a transfer does can depend on ${all.join(", ")}, which is outside this check.`,
    });
  return notes;
}

/** Conditions that only somebody who knows a secret can meet. */
function noteLocks({
  locks,
  trade,
}: Pick<NonNullable<LaunchReadings["program"]>, "locks" | "trade">): Note<ProgramCode>[] {
  // Not read in older answers.
  if (locks === undefined) return [];
  // A claim with a proof does nothing to others, whatever the hash is.
  const harmless = new Set<string>(trade?.harmless);
  const found = locks?.functions.filter((selector) => !harmless.has(selector)) ?? [];
  if (found.length > 0) {
    const limitation = `What happens where a hash is met was not tried: ${found.join(", ")}.`;
    return [{ code: "HASH_LOCK", limitation }];
  }
  if (locks?.isComplete) return [];
  const limitation = "The functions of a trade have more paths than were followed for hidden conditions.";
  return [{ code: "PATHS_NOT_FOLLOWED", limitation }];
}
