import type { Hex } from "@assay/protocol";
import type { OwnerKind } from "../shared/control/judgeOwnership.js";
import { findOwnerPower, HAS_ROLE_SELECTOR, type PowerKind } from "../shared/control/ownerPowers.js";
import { CONFISCATORY_TAX_BPS, HIGH_TAX_BPS } from "../shared/pools/taxLimits.js";
import type { Note } from "../shared/verdict/note.js";
import { measureTaxBps } from "./measureTaxBps.js";
import type { LaunchExercise, TokenLaunchReadings } from "./readings.js";
import { listUnknownSelectors } from "./unknownFunctions.js";

export type PowerCode =
  | "NO_POWER_FOUND"
  | "OWNER_POWERS_LIVE"
  | "POWERS_RENOUNCED"
  | "POWER_HOLDER_UNKNOWN"
  | "POWERS_UNREAD"
  | "POWERS_NOT_EXERCISED"
  | "SALES_STOPPABLE_BY_OWNER"
  | "SALES_STOPPABLE_BY_CONTRACT"
  | "SALES_STOPPABLE_BY_ANYONE"
  | "SALE_TAX_RAISABLE";
type Notes = Note<PowerCode>[];

export interface PowerFindings {
  readonly kind: PowerKind;
  readonly function: string;
  readonly selector: Hex;
}

export interface ExercisedFindings {
  /** The signature where it is known, otherwise the selector. */
  readonly function: string;
  readonly kind: PowerKind | null;
  readonly data: string;
  readonly sale: "fails" | "sells";
  readonly taxBps: number | null;
}

interface PowerJudgement {
  readonly notes: Notes;
  readonly powers: {
    readonly found: readonly PowerFindings[];
    /** Functions of unknown meaning in the code. */
    readonly unknownFunctions: number | null;
    readonly exercisedAs: { readonly role: "owner" | "anyone"; readonly address: string } | null;
    /** The calls that made a sale worse. */
    readonly harmful: readonly ExercisedFindings[];
    /** The calls that were tried and accepted, harmful or not. */
    readonly accepted: readonly string[];
    readonly refused: readonly string[];
    readonly untried: readonly string[];
  };
}

/** Judges what the code lets its owner do, and how a sale ended after each such call. */
export function judgePowers(readings: TokenLaunchReadings, ownerKind: OwnerKind): PowerJudgement {
  const scans = [readings.scan, ...(readings.implementation ? [readings.implementation.scan] : [])];
  const isScanned = scans.every((scan) => scan?.status === "value");
  const selectors = [
    ...new Set(scans.flatMap((scan) => (scan?.status === "value" ? (scan.value.selectors as Hex[]) : []))),
  ];
  const found = selectors.flatMap((selector): PowerFindings[] => {
    const power = findOwnerPower(selector);
    return power ? [{ kind: power.kind, function: power.signature, selector }] : [];
  });
  const exercises = (readings.powers?.exercises ?? []).flatMap((exercise) =>
    exercise.status === "value" ? [exercise.value] : [],
  );
  const harmful = exercises.flatMap(listHarmful);
  return {
    notes: [
      ...noteFound(found, selectors, isScanned, ownerKind, harmful.length > 0),
      ...noteHarm(harmful, readings.powers?.role ?? null, ownerKind),
      ...noteUntried(readings),
    ],
    powers: {
      found,
      unknownFunctions: isScanned ? listUnknownSelectors(selectors).length : null,
      exercisedAs: readings.powers && { role: readings.powers.role, address: readings.powers.caller },
      harmful,
      accepted: [
        ...new Set(
          exercises
            .flatMap(({ accepted, unchanged }) => [...accepted.map(({ data }) => data), ...unchanged])
            .map(nameFunction),
        ),
      ],
      refused: [...new Set(exercises.flatMap(({ refused }) => refused).map(nameFunction))],
      untried: [
        ...new Set(
          [...exercises.flatMap(({ untried }) => untried), ...(readings.powers?.leftOut ?? [])].map(
            nameFunction,
          ),
        ),
      ],
    },
  };
}

const nameFunction = (data: string): string => {
  const selector = data.slice(0, 10) as Hex;
  return findOwnerPower(selector)?.signature ?? selector;
};

function listHarmful({ plainSale, accepted }: LaunchExercise): ExercisedFindings[] {
  // A sale that fails without any call before it proves nothing about the calls.
  if (!plainSale.success) return [];
  const usual = measureTaxBps(plainSale) ?? 0;
  return accepted.flatMap(({ data, sale }): ExercisedFindings[] => {
    const taxBps = sale.success ? measureTaxBps(sale) : null;
    if (sale.success && (taxBps ?? 0) <= Math.max(usual, HIGH_TAX_BPS)) return [];
    const kind = findOwnerPower(data.slice(0, 10) as Hex)?.kind ?? null;
    return [{ function: nameFunction(data), kind, data, sale: sale.success ? "sells" : "fails", taxBps }];
  });
}

function noteFound(
  found: readonly PowerFindings[],
  selectors: readonly Hex[],
  isScanned: boolean,
  ownerKind: OwnerKind,
  isHarmful: boolean,
): Notes {
  const notes: Notes = [];
  if (!isScanned) {
    notes.push({
      code: "POWERS_UNREAD",
      limitation: "Not all code of the token was scanned for owner powers.",
    });
  }
  if (found.length === 0) {
    return isScanned && !isHarmful ? [{ code: "NO_POWER_FOUND", limitation: BY_NAME }] : notes;
  }
  if (ownerKind === "account" || ownerKind === "contract") return [...notes, { code: "OWNER_POWERS_LIVE" }];
  if (ownerKind === "nobody" && !selectors.includes(HAS_ROLE_SELECTOR)) {
    return [...notes, { code: "POWERS_RENOUNCED", limitation: OTHERS }];
  }
  return [...notes, { code: "POWER_HOLDER_UNKNOWN" }];
}

const BY_NAME = "Powers are recognised by the names of functions; others are only tried blindly.";
const OTHERS =
  "That nobody is called the owner does not show that nobody holds the powers: they may be kept elsewhere.";

function noteHarm(
  harmful: readonly ExercisedFindings[],
  role: "owner" | "anyone" | null,
  ownerKind: OwnerKind,
): Notes {
  if (harmful.length === 0) return [];
  const isGrave = harmful.some(
    ({ sale, taxBps }) => sale === "fails" || (taxBps ?? 0) >= CONFISCATORY_TAX_BPS,
  );
  if (!isGrave) return [{ code: "SALE_TAX_RAISABLE" }];
  if (role === "anyone") return [{ code: "SALES_STOPPABLE_BY_ANYONE" }];
  return [{ code: ownerKind === "contract" ? "SALES_STOPPABLE_BY_CONTRACT" : "SALES_STOPPABLE_BY_OWNER" }];
}

/** Notes calls that were not tried, although there was an account to act and a pool to sell in. */
function noteUntried({ powers }: TokenLaunchReadings): Notes {
  if (powers === null) return [];
  const isAnswered =
    powers.exercises.length > 0 &&
    powers.exercises.every((exercise) => exercise.status === "value" && exercise.value.bought.success);
  const cut = powers.exercises.flatMap((exercise) =>
    exercise.status === "value" ? exercise.value.untried : [],
  );
  const notes: Notes = [];
  if (!isAnswered) {
    const limitation = `What becomes of a sale after ${powers.caller} acts was not simulated.`;
    notes.push({ code: "POWERS_NOT_EXERCISED", limitation });
  }
  const left = [...cut, ...powers.leftOut];
  if (left.length > 0) {
    const limitation = `${left.length} functions were not tried: they are behind a proxy, gas ran out, or there are too many.`;
    notes.push({ code: "POWERS_NOT_EXERCISED", limitation });
  }
  return notes;
}
