import { type Hex, mapReading, type Reading } from "@assay/protocol";
import { isReservedAddress } from "../shared/chain-facts/reservedAddresses.js";
import { parseOwner } from "../shared/control/listControllers.js";
import { addressInWord, isZeroWord } from "../shared/words/addressInWord.js";
import { decodeQuestionRecord, type QuestionRecord } from "./decodeQuestionRecord.js";
import type { ConditionJudgement } from "./judgeCondition.js";
import { noteSlots } from "./judgeMarket.js";
import { isKnownProcedure, type ProcedureKind } from "./knownProcedures.js";
import type { ConditionPlan } from "./planCondition.js";
import type { OracleReadings } from "./readings.js";
import type { Decider, Judgement, PredictionNote } from "./reasons.js";

interface OracleJudgement extends Judgement {
  readonly decidedBy: readonly Decider[];
  /** The oracle's record of the question; null where it has none that can be decoded. */
  readonly record: QuestionRecord | null;
  readonly procedure: Procedure | null;
}

export interface Procedure {
  /** As the oracle states it, unless the contract is known. */
  readonly kind: ProcedureKind;
  readonly address: Hex;
  /** Whether it is a published deployment, and neither the oracle nor the market itself. */
  readonly isKnown: boolean;
  readonly codeHash: Hex;
  readonly state: ProcedureState | null;
}

/** UMA's names in the order of its numbers. Reality.eth's states are given the nearest of these names. */
const STATES = ["invalid", "requested", "proposed", "expired", "disputed", "resolved", "settled"] as const;
type ProcedureState = (typeof STATES)[number];

const UNDECIDED: OracleJudgement = { notes: [], known: [], decidedBy: [], record: null, procedure: null };

/** Judges who reports on the condition, who could change the oracle's code, and whose answer the oracle waits for. */
export function judgeOracle(
  market: string,
  plan: ConditionPlan,
  readings: OracleReadings | null,
  { isTokensKnown, isResolved }: Pick<ConditionJudgement, "isTokensKnown" | "isResolved">,
): OracleJudgement {
  if (readings === null || readings.address !== plan.oracle || readings.questionId !== plan.questionId)
    return { ...UNDECIDED, notes: [unread("the oracle")] };
  const { address, code } = readings;
  if (isReservedAddress(address)) return { ...UNDECIDED, notes: [{ code: "ORACLE_CANNOT_REPORT" }] };
  const isAccount =
    code.status === "absent" ||
    (code.status === "value" && (code.value.form === "empty" || code.value.form === "eip7702_delegation"));
  const oracle: Decider = {
    role: "oracle",
    address,
    kind: isAccount ? "account" : code.status === "value" ? "contract" : "unread",
    codeHash: code.status === "value" && code.value.form !== "empty" ? code.value.codeHash : null,
    basis: "condition_id",
  };
  const known = [
    isTokensKnown
      ? `Only ${address} can report payouts for the condition.`
      : `The condition's id names ${address} as its oracle; whether others can report is not known.`,
  ];
  if (isAccount) {
    const isDelegated = code.status === "value" && code.value.form === "eip7702_delegation";
    const notes: PredictionNote[] = [{ code: "ORACLE_IS_ACCOUNT" }];
    if (isDelegated) notes.push({ code: "DELEGATED_ACCOUNT" });
    return { ...UNDECIDED, notes, known, decidedBy: [oracle] };
  }
  return judgeContract(market as Hex, readings, oracle, known, isTokensKnown && isResolved);
}

function judgeContract(
  market: Hex,
  readings: OracleReadings,
  oracle: Decider,
  known: readonly string[],
  isFinal: boolean,
): OracleJudgement {
  const { code, slots, owner, question } = readings;
  const procedure = readProcedure(readings.procedure, [readings.address, market]);
  const found = procedure.status === "value" ? procedure.value : null;
  const record = question.status === "value" ? decodeQuestionRecord(question.value) : null;
  const notes: PredictionNote[] = [];
  if (code.status === "value") notes.push({ code: "ORACLE_IS_CONTRACT" });
  else notes.push(unread("the code of the oracle"));
  if (code.status === "value" && code.value.form === "eip1167_clone")
    notes.push({ code: "MINIMAL_PROXY", limitation: "The code that the oracle always runs was not read." });
  if (question.status === "unanswered") notes.push(unread("getQuestion() of the oracle"));
  if (procedure.status === "unanswered") notes.push(unread("whom the oracle takes its answer from"));
  notes.push(
    ...noteSlots(slots, "oracle", "ORACLE_UPGRADEABLE"),
    ...noteOwner(owner),
    ...(procedure.status === "unanswered" ? [] : noteProcedure(found, isFinal)),
    ...noteRecord(record, isFinal),
  );
  return {
    notes,
    known: [...known, ...(found === null ? [] : [describeProcedure(found)])],
    decidedBy: [oracle, ...listControllers(readings), ...(found?.isKnown ? [toDecider(found)] : [])],
    record,
    procedure: found,
  };
}

const unread = (what: string): PredictionNote => ({
  code: "ORACLE_UNREAD",
  limitation: `Not read: ${what}.`,
});

function noteOwner(owner: Reading<Hex>): PredictionNote[] {
  switch (parseOwner(owner).status) {
    case "named":
      return [{ code: "ORACLE_HAS_OWNER" }];
    case "nobody":
      return [{ code: "OWNER_RENOUNCED" }];
    case "unread":
      return [{ code: "OWNER_UNREAD", limitation: "owner() of the oracle was not read: no node answered." }];
    case "unreadable":
      return [{ code: "OWNER_UNREADABLE", limitation: "owner() of the oracle returned no address." }];
    case "none":
      return [];
  }
}

/** Null where the oracle names no known kind of procedure. */
function readProcedure(answer: Reading<Hex>, waiting: readonly Hex[]): Reading<Procedure | null> {
  return mapReading(answer, (data) => {
    const [number, contract, codeHash, state] = data.slice(2).match(/.{64}/g) ?? [];
    if (data.length !== 2 + 4 * 64 || (BigInt(`0x${number}`) !== 1n && BigInt(`0x${number}`) !== 2n))
      return null;
    const kind = BigInt(`0x${number}`) === 1n ? "optimistic_oracle" : "reality_eth";
    const address = addressInWord(`0x${contract}`);
    return {
      kind,
      address,
      isKnown: isKnownProcedure(kind, address, waiting),
      codeHash: `0x${codeHash}`,
      state: STATES[Number(BigInt(`0x${state}`))] ?? null,
    };
  });
}

function noteProcedure(procedure: Procedure | null, isFinal: boolean): PredictionNote[] {
  // A report is final in the published code, so how the oracle decided no longer matters.
  if (!procedure?.isKnown) return isFinal ? [] : [noteUnknown(procedure)];
  const form: PredictionNote = {
    code: procedure.kind === "optimistic_oracle" ? "DECIDED_BY_PROPOSAL" : "DECIDED_BY_BONDED_ANSWERS",
  };
  return [form, noteState(procedure.state)];
}

/** The author of the oracle may also be the author of the procedure that it waits for. */
function noteUnknown(procedure: Procedure | null): PredictionNote {
  if (procedure === null) return { code: "ORACLE_RULE_UNKNOWN" };
  const limitation = `${procedure.address}, which the oracle says it waits for, is no deployment of UMA's optimistic oracle or of Reality.eth that is known: who answers there was not read.`;
  return { code: "ORACLE_RULE_UNKNOWN", limitation };
}

function noteState(state: ProcedureState | null): PredictionNote {
  switch (state) {
    case null:
      return unread("how far the procedure is that the oracle waits for");
    case "invalid":
      return { code: "PROCEDURE_NOT_BEGUN" };
    case "requested":
      return { code: "PROCEDURE_OPEN" };
    case "proposed":
    case "expired":
      return { code: "PROPOSAL_STANDS" };
    case "disputed":
      return { code: "PROPOSAL_DISPUTED" };
    case "resolved":
    case "settled":
      return { code: "PROCEDURE_SETTLED" };
  }
}

function noteRecord(record: QuestionRecord | null, isFinal: boolean): PredictionNote[] {
  if (record === null) return [];
  const notes: PredictionNote[] = [];
  if (record.isPaused) notes.push({ code: "ORACLE_PAUSED" });
  if (record.isManual) notes.push({ code: "ORACLE_DECIDES_BY_HAND" });
  if (record.isResolved !== isFinal) notes.push({ code: "ORACLE_STATE_CONFLICTS" });
  return notes;
}

const describeProcedure = ({ kind, address, isKnown, state }: Procedure): string => {
  if (!isKnown) return `The oracle says it waits for a contract at ${address}, which is not known.`;
  const form = kind === "optimistic_oracle" ? "an optimistic oracle" : "Reality.eth";
  return `The oracle says it waits for ${form} at ${address}, whose state for the question is: ${state ?? "not read"}.`;
};

const toDecider = ({ kind, address, codeHash }: Procedure): Decider => ({
  role: kind,
  address,
  kind: "contract",
  codeHash: isZeroWord(codeHash) ? null : codeHash,
  basis: "self_reported",
});

/** The accounts that can replace the oracle's code, and its owner. Their own code was not read. */
function listControllers({ slots, owner }: OracleReadings): Decider[] {
  const admin = slots.eip1967Admin;
  const named = parseOwner(owner);
  const toController = (role: Decider["role"], address: Hex, basis: Decider["basis"]): Decider => ({
    role,
    address,
    kind: "unread",
    codeHash: null,
    basis,
  });
  return [
    ...(admin.status === "value" && !isZeroWord(admin.value)
      ? [toController("oracle_admin", addressInWord(admin.value), "slot")]
      : []),
    ...(named.status === "named" ? [toController("oracle_owner", named.address, "self_reported")] : []),
  ];
}
