import { CONFISCATORY_TAX_BPS, HIGH_TAX_BPS } from "../pools/taxLimits.js";
import type { Note } from "../verdict/note.js";
import type { LaunchReadings } from "./launchReadings.js";
import { measureTaxBps } from "./measureTaxBps.js";

export type WaitCode =
  | "SALE_WAITS_A_BLOCK"
  | "SALE_WAITS"
  | "SALE_WAITS_LONG"
  | "SALE_ENDS"
  | "SALE_WORSENS"
  | "LATER_SALE_UNMEASURED"
  | "DEPENDS_ON_BLOCK";

export interface WaitFindings {
  /** Seconds, or blocks, after which a sale first succeeds. */
  readonly sellsAfter: number | null;
  readonly sales: readonly {
    readonly wait: number;
    readonly success: boolean;
    readonly taxBps: number | null;
  }[];
}

/**
 * Whether only the next sale of the same account has to wait: each of many sales with time between them succeeds, and one at any
 * time does. How long follows from the program's conditions; null where a sale does not wait for another.
 */
export function findPause(
  { parts, trades, program, later }: Pick<LaunchReadings, "parts" | "trades" | "program" | "later">,
  { waits, notes }: WaitJudgement,
): "SALE_WAITS_A_BLOCK" | "SALE_WAITS" | "SALE_WAITS_LONG" | null {
  const trade = program?.trade;
  const runs = trades.flatMap(({ runs: reading }) => (reading.status === "value" ? reading.value : []));
  const isSecondRefused = runs.some(({ legs }) => legs?.[3]?.success && !legs[4]?.success);
  const areSpacedSold =
    parts?.status === "value" &&
    parts.value.legs !== null &&
    parts.value.legs.every(({ success }) => success);
  const isAnyTime =
    waits?.sales.every(({ success }) => success) && !notes.some(({ code }) => code === "SALE_ENDS");
  if (later === null || !isSecondRefused || !areSpacedSold || !isAnyTime || !trade) return null;
  const longest = Math.max(0, ...trade.changes);
  if (longest > SHORT_WAIT) return "SALE_WAITS_LONG";
  return longest > 0 ? "SALE_WAITS" : "SALE_WAITS_A_BLOCK";
}

interface WaitJudgement {
  readonly notes: Note<WaitCode>[];
  readonly waits: WaitFindings | null;
  /** Whether a sale that fails at once succeeds later and goes on to. */
  readonly isPatient: boolean;
}

/** In seconds. A cooldown of up to this is common in the first hours of a token. */
const SHORT_WAIT = 3_600;
/** Beyond fees that fall while a token is young, a later sale costs at most this much more. */
const WORSE_BPS = 100;

/** Opcodes of the block that no honest token needs in order to move a balance. */
const LOTTERY = [
  "BLOCKHASH",
  "COINBASE",
  "PREVRANDAO",
  "GASLIMIT",
  "BLOBHASH",
  "BLOBBASEFEE",
  "GAS",
] as const;

/** What becomes of a sale in later blocks and minutes. */
export function judgeWaits({ later, program }: LaunchReadings): WaitJudgement {
  const notes: Note<WaitCode>[] = [];
  const lottery = LOTTERY.filter((opcode) => program?.opcodes.includes(opcode));
  if (lottery.length > 0)
    notes.push({
      code: "DEPENDS_ON_BLOCK",
      limitation: `The program reads ${lottery.join(", ")}, so that what was simulated may not hold in another block.`,
    });
  if (later === null) return { notes, waits: null, isPatient: false };
  if (later.status !== "value" || !later.value.bought.success) {
    const limitation = "The program reads the time, and a later sale could not be simulated.";
    return {
      notes: [...notes, { code: "LATER_SALE_UNMEASURED", limitation }],
      waits: null,
      isPatient: false,
    };
  }
  const sales = later.value.sales.map(({ wait, sale }) => ({
    wait,
    success: sale.success,
    taxBps: sale.success ? measureTaxBps(sale) : null,
  }));
  const first = sales.find(({ success }) => success);
  const last = sales.at(-1);
  const waits = { sellsAfter: first?.wait ?? null, sales };
  if (!first || !last) return { notes, waits, isPatient: false };
  const goesOn = sales.filter(({ wait }) => wait >= first.wait).every(({ success }) => success);
  // Where the program uses its own balance, the clock that stood in its place may have been spent.
  if (!goesOn && program?.opcodes.includes("SELFBALANCE"))
    notes.push({
      code: "LATER_SALE_UNMEASURED",
      limitation: "A later sale could not be simulated reliably.",
    });
  else if (!goesOn) notes.push({ code: "SALE_ENDS" });
  else if (first.wait > SHORT_WAIT) notes.push({ code: "SALE_WAITS_LONG" });
  else if (first.wait > 1) notes.push({ code: "SALE_WAITS" });
  else if (first.wait === 1) notes.push({ code: "SALE_WAITS_A_BLOCK" });
  const [now] = sales;
  const worst = Math.max(...sales.map(({ taxBps }) => taxBps ?? 0));
  const isWorse = worst > (now?.taxBps ?? worst) + WORSE_BPS && worst > HIGH_TAX_BPS;
  if (isWorse || worst >= CONFISCATORY_TAX_BPS) notes.push({ code: "SALE_WORSENS" });
  return { notes, waits, isPatient: goesOn && first.wait > 0 && first.wait <= SHORT_WAIT };
}
