import type { ProgramSign } from "../shared/machine/programReading.js";
import type { Note } from "../shared/verdict/note.js";
import type { ContractGuardReadings } from "./readings.js";

/** Reasons for code that takes tokens or ether from its callers. */
export type TakingCode = "TAKES_APPROVED_TOKENS" | "TAKES_ETHER_FOR_NOTHING" | "DELEGATE_SWEEPS";

const TAKES_TOKENS: readonly ProgramSign[] = ["takes_from_anyone", "takes_all", "takes_for_nothing"];
const TAKES_ETHER: readonly ProgramSign[] = ["forwards_ether", "keeps_ether"];
const SWEEPS: readonly ProgramSign[] = ["forwards_ether", "sweeps"];

/** What the code that runs does to those who call it, as its paths show. */
export function judgeCode({ code, program, behind }: ContractGuardReadings): Note<TakingCode>[] {
  const signs = [...(program?.signs ?? []), ...(behind?.program?.signs ?? [])];
  const has = (some: readonly ProgramSign[]): boolean => signs.some((sign) => some.includes(sign));
  const isDelegated = code.status === "value" && code.value.form === "eip7702_delegation";
  const notes: Note<TakingCode>[] = [];
  if (isDelegated && has(SWEEPS)) notes.push({ code: "DELEGATE_SWEEPS" });
  if (has(TAKES_TOKENS)) notes.push({ code: "TAKES_APPROVED_TOKENS" });
  if (has(TAKES_ETHER)) notes.push({ code: "TAKES_ETHER_FOR_NOTHING" });
  return notes;
}
