import type { Hex } from "@assay/protocol";
import { stringToHex } from "viem";
import type { CodeAnalysis, StorageRecord } from "../code/codeAnalysis.js";
import { findOwnerPower, type PowerKind } from "../control/ownerPowers.js";
import { CONFISCATORY_TAX_BPS, HIGH_TAX_BPS } from "../pools/taxLimits.js";
import type { Note } from "../verdict/note.js";
import { readOneWord } from "../words/readOneWord.js";
import { type AccountKind, describeHolder, haveRolesGone } from "./judgeAccounts.js";
import type { LaunchActor, LaunchExercise, LaunchReadings } from "./launchReadings.js";
import { padSlot } from "./listKeys.js";
import { measureTaxBps } from "./measureTaxBps.js";
import {
  NO_FUNCTION,
  PAYMENT,
  refusingFunctions,
  standardFunctions,
  successionFunctions,
  tradeFunctions,
} from "./trialCalls.js";

export type PowerCode =
  | "NO_POWER_FOUND"
  | "POWERS_RENOUNCED"
  | "POWERS_HARMLESS"
  | "POWERS_SHARED"
  | "SALES_STOPPABLE_BY_OWNER"
  | "SALES_STOPPABLE_BY_HIDDEN_KEY"
  | "SALES_STOPPABLE_BY_ANYONE"
  | "SALES_STOPPABLE_BY_CONTRACT"
  | "SALE_TAX_RAISABLE"
  | "SUPPLY_INFLATABLE"
  | "SUPPLY_INFLATABLE_BY_ANYONE"
  | "OWNERSHIP_RECLAIMABLE"
  | "FUNCTION_UNEXPLAINED"
  | "FALLBACK_ACCEPTS"
  | "POWERS_UNREAD"
  | "POWERS_NOT_EXERCISED";
type Notes = Note<PowerCode>[];

type Effect = "stops" | "taxes" | "seizes" | "drains" | "mints" | "raises";

export interface HarmFindings {
  readonly caller: string;
  readonly holder: AccountKind | "anyone";
  readonly function: string;
  readonly kind: PowerKind | null;
  readonly data: string;
  readonly effect: Effect;
  readonly taxBps: number | null;
}

export interface PowerFindings {
  readonly functions: number;
  readonly keys: readonly {
    readonly address: string;
    readonly sources: readonly string[];
    readonly kind: AccountKind;
  }[];
  readonly harmful: readonly HarmFindings[];
  readonly accepted: readonly string[];
  readonly unexplained: readonly string[];
}

interface PowerJudgement {
  readonly notes: Notes;
  readonly powers: PowerFindings | null;
}

/** A change of more than this part of the pool, or of the supply, is no rounding. */
const NOTABLE = 10_000n;
/** A tax may vary by so much without anybody's doing. */
const SAME_TAX_BPS = 100;

/** Who could change what a holder gets, as far as it was tried, and which functions nobody was found for. */
export function judgePowers(readings: LaunchReadings, owner: string | null): PowerJudgement {
  const { program, actors } = readings;
  if (program === null || program.analysis.status !== "value") {
    const limitation = "The program was not analysed, so that its functions are not known.";
    return { notes: [{ code: "POWERS_UNREAD", limitation }], powers: null };
  }
  const analysis = program.analysis.value;
  const changing = analysis.functions.filter(
    ({ selector, isView }) => !isView && !standardFunctions.has(selector),
  );
  if (actors === null) return { notes: noteUntried(readings, []), powers: null };
  const acting = actors.filter(({ role }) => role !== "pretender");
  const usable = acting.filter(isUsable);
  const harmful = usable.flatMap((actor) => listHarm(readings, actor));
  const accepted = new Set(usable.flatMap(listAccepted));
  const unexplained = findUnexplained(readings, analysis, usable, accepted);
  const reclaimed = findReclaimed(readings, analysis, accepted, owner);
  const notes: Notes = [
    ...noteUntried(readings, acting),
    ...noteHarm(harmful, owner),
    ...(reclaimed.length > 0
      ? [
          {
            code: "OWNERSHIP_RECLAIMABLE" as const,
            limitation: `A key that nobody has now can be taken again through ${reclaimed.map(nameFunction).join(", ")}.`,
          },
        ]
      : []),
    ...(unexplained.length > 0
      ? [
          {
            code: "FUNCTION_UNEXPLAINED" as const,
            limitation: `Who may call these, or what they do with other arguments, was not found: ${unexplained.map(nameFunction).join(", ")}.`,
          },
        ]
      : []),
    ...(accepted.has(NO_FUNCTION) ? [{ code: "FALLBACK_ACCEPTS" as const }] : []),
  ];
  return {
    notes: [...notes, ...noteCalm(readings, changing.length, accepted, notes)],
    powers: {
      functions: changing.length,
      keys: readings.keys.map(({ address, sources }) => ({
        address,
        sources,
        kind: describeHolder(readings, address),
      })),
      harmful,
      accepted: [...accepted].map(nameFunction),
      unexplained: unexplained.map(nameFunction),
    },
  };
}

const nameFunction = (selector: string): string =>
  selector === PAYMENT ? "receive()" : (findOwnerPower(selector as Hex)?.signature ?? selector);

const selectorOf = (data: string): string => (data === "0x" ? PAYMENT : data.slice(0, 10));

const listExercises = ({ exercises }: LaunchActor): LaunchExercise[] =>
  exercises.flatMap((exercise) => (exercise.status === "value" ? [exercise.value] : []));

/** Whether a sale went through without any act, so that one after an act can be compared with it. */
const isUsable = (actor: LaunchActor): boolean =>
  listExercises(actor).some(({ bought, plainSale }) => bought.success && plainSale.success);

const listAccepted = (actor: LaunchActor): string[] =>
  listExercises(actor).flatMap(({ accepted, unchanged }) => [
    ...accepted.map(({ data }) => selectorOf(data)),
    ...unchanged,
  ]);

function listHarm(readings: LaunchReadings, actor: LaunchActor): HarmFindings[] {
  const holder = actor.role === "anyone" ? "anyone" : describeHolder(readings, actor.caller);
  return listExercises(actor).flatMap(({ accepted, plainSale }) =>
    accepted.flatMap(({ data, sale, changes }): HarmFindings[] => {
      const effect = findEffect(readings, sale, plainSale, changes);
      if (effect === null) return [];
      const power = findOwnerPower(data.slice(0, 10) as Hex);
      return [
        {
          caller: actor.caller,
          holder,
          function: nameFunction(selectorOf(data)),
          kind: power?.kind ?? null,
          data,
          effect,
          taxBps: sale.success ? measureTaxBps(sale) : null,
        },
      ];
    }),
  );
}

type Trial = LaunchExercise["accepted"][number];

function findEffect(
  { pooled, totalSupply }: LaunchReadings,
  sale: Trial["sale"],
  plain: Trial["sale"],
  changes: Trial["changes"],
): Effect | null {
  const pool = BigInt(pooled);
  const supply = readOneWord(totalSupply) ?? 0n;
  const isNotable = (change: string, of: bigint) => BigInt(change) * NOTABLE > of;
  // What may be taken is taken when it is worth it.
  if (BigInt(changes.trader) < 0n || BigInt(changes.allowance) > 0n) return "seizes";
  if (!sale.success) return "stops";
  const tax = measureTaxBps(sale) ?? 0;
  if (tax >= CONFISCATORY_TAX_BPS) return "taxes";
  // Nobody but the pool itself has business with what it holds.
  if (-BigInt(changes.pool) * 1_000_000n > pool) return "drains";
  const made = (BigInt(changes.caller) + BigInt(changes.trader)).toString();
  const isMade = isNotable(changes.caller, pool) || isNotable(made, pool);
  if (isMade || (supply > 0n && isNotable(changes.supply, supply))) return "mints";
  const isPoorer = BigInt(sale.received) * 10n < BigInt(plain.received) * 9n;
  const isTaxed = tax > HIGH_TAX_BPS && tax > (measureTaxBps(plain) ?? 0) + SAME_TAX_BPS;
  return isPoorer || isTaxed ? "raises" : null;
}

const GRAVE: ReadonlySet<Effect> = new Set(["stops", "taxes", "seizes", "drains"]);

function noteHarm(harmful: readonly HarmFindings[], owner: string | null): Notes {
  const codes = harmful.map(({ caller, holder, effect }): PowerCode => {
    if (holder === "shared") return "POWERS_SHARED";
    if (GRAVE.has(effect)) {
      if (holder === "anyone") return "SALES_STOPPABLE_BY_ANYONE";
      if (holder === "contract" || holder === "unread") return "SALES_STOPPABLE_BY_CONTRACT";
      return caller === owner ? "SALES_STOPPABLE_BY_OWNER" : "SALES_STOPPABLE_BY_HIDDEN_KEY";
    }
    if (effect === "mints") return holder === "anyone" ? "SUPPLY_INFLATABLE_BY_ANYONE" : "SUPPLY_INFLATABLE";
    return "SALE_TAX_RAISABLE";
  });
  return [...new Set(codes)].map((code) => ({ code }));
}

/** What a trade reads: what writes none of it cannot change a trade. */
const isTradeRecord = ({ reads }: StorageRecord): boolean =>
  reads.some((selector) => tradeFunctions.has(selector));

/** Whether a function writes something that a trade reads, a key that opens other functions, or nothing that was seen. */
function touchesTrade(analysis: CodeAnalysis, selector: string): boolean {
  const written = analysis.storage.filter(({ writes }) => writes.includes(selector));
  const isKey = ({ type, reads }: StorageRecord) =>
    /^(?:address|mapping\(address => (?:bool|uint8)\)|mapping\(bytes32 => .*)$/.test(type) &&
    reads.some((reader) => reader !== selector);
  return written.length === 0 || written.some((record) => isTradeRecord(record) || isKey(record));
}

/** Parameters of which the trials show every kind of value that matters. */
const EXPLORED = /^(?:address(?:\[\])?(?:,bool)?|bool|uint\d+|address,uint\d+|address(?:\[\])?,uint\d+)?$/;
/** Errors that say that a bound was reached: OpenZeppelin's cap, and in words. */
const BOUND_ERRORS = ["0x9e79f854", stringToHex("cap exceeded").slice(2), stringToHex("max supply").slice(2)];

function findUnexplained(
  readings: LaunchReadings,
  analysis: CodeAnalysis,
  usable: readonly LaunchActor[],
  accepted: ReadonlySet<string>,
): string[] {
  const stranger = usable.find(({ role }) => role === "anyone");
  const keys = usable.filter(({ role }) => role === "key");
  const pretenders = (readings.actors ?? []).filter(({ role }) => role === "pretender");
  const areRolesGone = haveRolesGone(readings, analysis);
  const harmless = new Set<string>(readings.program?.trade?.harmless);
  return analysis.functions
    .filter(({ selector, isView }) => !isView && !standardFunctions.has(selector) && !harmless.has(selector))
    .filter(({ selector, parameters }) => {
      if (accepted.has(selector)) {
        const isOpen = stranger !== undefined && listAccepted(stranger).includes(selector);
        // What a key may do with a list of numbers was tried with few of them.
        const isKnown = findOwnerPower(selector as Hex) !== undefined || EXPLORED.test(parameters);
        const byPlainKey = keys.some(
          (actor) =>
            listAccepted(actor).includes(selector) && describeHolder(readings, actor.caller) !== "shared",
        );
        const isSeen = analysis.storage.some(
          (record) => record.writes.includes(selector) && isTradeRecord(record),
        );
        return !isOpen && !isKnown && byPlainKey && isSeen && !refusingFunctions.has(selector);
      }
      if (refusingFunctions.has(selector))
        return (
          hasGuardOfItsOwn(analysis, selector) &&
          !isOpened(selector, stranger, [...keys, ...pretenders]) &&
          !areRolesGone
        );
      if (!touchesTrade(analysis, selector)) return false;
      if (areRolesGone) return false;
      if (isOpened(selector, stranger, pretenders)) return false;
      return !keys.some((actor) => isBounded(selector, parameters, stranger, actor));
    })
    .map(({ selector }) => selector);
}

/** A standard function that looks at an account or a list which no trade looks at has another purpose. */
function hasGuardOfItsOwn(analysis: CodeAnalysis, selector: string): boolean {
  return analysis.storage.some(
    (record) =>
      record.reads.includes(selector) &&
      !isTradeRecord(record) &&
      /^(?:address|bool|mapping\(address => (?:bool|uint8)\))$/.test(record.type),
  );
}

function findRefusal(actor: LaunchActor | undefined, selector: string): string | null {
  if (actor === undefined) return null;
  const refusal = listExercises(actor)
    .flatMap(({ refused }) => refused)
    .find((one) => one.selector === selector)?.refusal;
  if (refusal === undefined) return null;
  // Many refusals name who was refused, in bytes or in words.
  const name = actor.caller.slice(2);
  return refusal.replaceAll(name, "").replaceAll(stringToHex(name).slice(2), "");
}

/** Whether one of these accounts is let in where the stranger is not: by accepting the call or refusing it otherwise. */
function isOpened(
  selector: string,
  stranger: LaunchActor | undefined,
  actors: readonly LaunchActor[],
): boolean {
  const refusal = findRefusal(stranger, selector);
  return actors.some((actor) => {
    if (listAccepted(actor).includes(selector)) return true;
    const own = findRefusal(actor, selector);
    return own !== null && refusal !== null && own !== refusal;
  });
}

/** Whether a key is let in but refused for a reason that no argument changes. */
function isBounded(
  selector: string,
  parameters: string,
  stranger: LaunchActor | undefined,
  actor: LaunchActor,
): boolean {
  if (!isOpened(selector, stranger, [actor])) return false;
  const refusal = findRefusal(actor, selector) ?? "0x";
  return parameters === "" || BOUND_ERRORS.some((error) => refusal.includes(error));
}

/** Functions that somebody may call and that write a key which nobody has. */
function findReclaimed(
  readings: LaunchReadings,
  analysis: CodeAnalysis,
  accepted: ReadonlySet<string>,
  owner: string | null,
): string[] {
  const pretenders = (readings.actors ?? []).filter(({ place }) => place !== null);
  const atPlace = ({ slot, offset }: StorageRecord) =>
    pretenders.filter(({ place }) => place?.slot === padSlot(slot as Hex) && place.offset === offset);
  // A successor who has yet to accept gets no more than what the owner has.
  const isSuccession = (record: StorageRecord) =>
    owner !== null &&
    record.reads.every((selector) => successionFunctions.has(selector)) &&
    atPlace(record).every((actor) => listHarm(readings, actor).length === 0);
  const writers = analysis.storage
    .filter((record) => record.type === "address" && atPlace(record).length > 0 && !isSuccession(record))
    .flatMap(({ writes }) => writes);
  return [...new Set(writers)].filter((selector) => accepted.has(selector) && !tradeFunctions.has(selector));
}

function noteUntried(
  { actors, keysLeftOut, leftOut }: LaunchReadings,
  acting: readonly LaunchActor[],
): Notes {
  if (actors === null) return [];
  const notes: Notes = [];
  const unread = acting.filter(
    (actor) =>
      !isUsable(actor) ||
      actor.exercises.some((exercise) => exercise.status !== "value" || exercise.value.untried.length > 0),
  );
  if (acting.length === 0 || unread.length > 0) {
    const who = unread.map(({ caller }) => caller).join(", ") || "anyone";
    notes.push({
      code: "POWERS_NOT_EXERCISED",
      limitation: `What becomes of a sale after ${who} acts was not simulated, or only in part.`,
    });
  }
  if (keysLeftOut > 0)
    notes.push({
      code: "POWERS_NOT_EXERCISED",
      limitation: `${keysLeftOut} accounts that may hold keys did not act, because there are too many.`,
    });
  if (leftOut.length > 0)
    notes.push({
      code: "POWERS_NOT_EXERCISED",
      limitation: `${leftOut.length} functions were not tried, because there are too many.`,
    });
  return notes;
}

/** What is said where nothing was found. */
function noteCalm(
  readings: LaunchReadings,
  functions: number,
  accepted: ReadonlySet<string>,
  notes: Notes,
): Notes {
  if (notes.some(({ code }) => code !== "POWERS_SHARED")) return [];
  if (notes.length > 0) return [];
  if (functions === 0) return [{ code: "NO_POWER_FOUND" }];
  const isOwned = readings.keys.some(({ sources }) => sources.includes("owner"));
  const isUsed = [...accepted].some((selector) => selector !== PAYMENT && !standardFunctions.has(selector));
  if (!isOwned && !isUsed) return [{ code: "POWERS_RENOUNCED", limitation: OTHERS }];
  return [{ code: "POWERS_HARMLESS", limitation: BY_TRIAL }];
}

const BY_TRIAL =
  "What functions do was found by calling them with the arguments recorded; other arguments may do other things.";
const OTHERS =
  "That nobody was found who may call a function does not show that nobody can: a key may be kept where it is not seen.";
