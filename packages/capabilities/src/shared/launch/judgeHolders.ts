import { CONFISCATORY_TAX_BPS, HIGH_TAX_BPS } from "../pools/taxLimits.js";
import type { Note } from "../verdict/note.js";
import { readOneWord } from "../words/readOneWord.js";
import type { LaunchReadings } from "./launchReadings.js";
import { measureTaxBps } from "./measureTaxBps.js";
import type { LaunchLeg } from "./tradeReadings.js";

export type HolderCode =
  | "SALE_FAILS_AFTER_OTHERS"
  | "SALE_WORSENS"
  | "SALES_RUN_OUT"
  | "HELD_SALE_FAILS"
  | "HELD_SALE_UNTRIED"
  | "HOLDERS_REFUSED"
  | "SOME_HOLDERS_REFUSED"
  | "LATER_SALE_UNMEASURED";
type Notes = Note<HolderCode>[];

const unmeasured = (limitation: string): Notes => [{ code: "LATER_SALE_UNMEASURED", limitation }];

/** What becomes of a sale after many purchases of others. */
export function judgeRush({ rush, later, program }: LaunchReadings): Notes {
  if (rush === null) return [];
  const [bought, ...sales] = (rush.status === "value" ? rush.value.legs : null) ?? [];
  if (!bought || sales.length === 0)
    return unmeasured("A sale after purchases of others could not be simulated.");
  // A token that cannot be bought has its own reason.
  if (!bought.success || bought.received === "0") return [];
  // Where the program uses its own balance, a sale may have spent the clock that stood in its place.
  const isSpent = later !== null && program?.opcodes.includes("SELFBALANCE") === true;
  const counted = sales.filter(({ success }, index) => !isSpent || success || index % 2 === 0);
  if (counted.some(({ success }) => !success))
    return isSpent
      ? unmeasured("A later sale could not be simulated reliably.")
      : [{ code: "SALE_FAILS_AFTER_OTHERS" }];
  const taxes = sales.map((sale, index) => measureOwnTax(sale, sales[index + 1]));
  const worst = Math.max(...taxes);
  if (worst >= CONFISCATORY_TAX_BPS) return [{ code: "SALE_FAILS_AFTER_OTHERS" }];
  return worst > HIGH_TAX_BPS ? [{ code: "SALE_WORSENS" }] : [];
}

/**
 * What the token takes from a sale. Where more tokens reached the pool than the seller sent, the token sold taxes that it had
 * collected before, which moved the price. Then the next sale at once shows the tax.
 */
function measureOwnTax(sale: LaunchLeg, next: LaunchLeg | undefined): number {
  const own = measureTaxBps(sale) ?? 0;
  if (!sale.success) return 0;
  if (next === undefined || BigInt(sale.reached) <= BigInt(sale.sent)) return own;
  return next.success ? Math.min(own, measureTaxBps(next) ?? own) : 0;
}

/** Whether one account can sell again and again. */
export function judgeParts({ parts, later, program }: LaunchReadings): Notes {
  if (parts === undefined || parts === null) return [];
  if (parts.status !== "value") return unmeasured("A sale in many parts could not be simulated.");
  const [bought, ...sales] = parts.value.legs ?? [];
  if (!bought) return unmeasured("A sale in many parts did not finish.");
  // A sale that fails at once has its own reason.
  if (!bought.success || bought.received === "0" || !sales[0]?.success) return [];
  const counted = sales.filter(({ sent }) => sent !== "0");
  if (counted.every(({ success }) => success)) return [];
  // Sales in one block say nothing about a program whose clock could not be replaced.
  return later !== null && program?.opcodes.includes("SELFBALANCE")
    ? unmeasured("Several sales of one account could not be simulated reliably.")
    : [{ code: "SALES_RUN_OUT" }];
}

/** A refusal of one account may be its own doing; those of several are the token's. */
const SEVERAL = 2;

/** Whether those who have the token now may send it to the pool, where fresh accounts may. */
export function judgeHolderSales({ holderSales }: LaunchReadings, isPatient: boolean): Notes {
  const asked = (holderSales ?? []).filter(
    ({ answer, code }) =>
      answer.status !== "unanswered" && code.status === "value" && code.value.form !== "contract",
  );
  const refused = asked.filter(
    ({ answer }) => answer.status === "reverted" || (answer.status === "value" && readOneWord(answer) === 0n),
  );
  // Who bought just now has to wait, like everybody.
  if (refused.length === 0 || isPatient) return [];
  const who = refused.map(({ holder }) => holder).join(", ");
  const limitation = `What these sent the pool was refused: ${who}.`;
  return refused.length === asked.length && refused.length >= SEVERAL
    ? [{ code: "HOLDERS_REFUSED", limitation }]
    : [{ code: "SOME_HOLDERS_REFUSED", limitation }];
}

/** Whether an account can sell that bought nothing in the same transaction, as every real seller. */
export function judgeHeld({ held, program, trades }: LaunchReadings, isPatient: boolean): Notes {
  const isTransient = program?.opcodes.includes("TLOAD") ?? false;
  const legs = held?.status === "value" ? held.value.legs : null;
  if (legs === null) {
    const limitation =
      "The program keeps values for one transaction, and a sale apart from the purchase could not be simulated.";
    return held !== undefined && isTransient && trades.length > 0
      ? [{ code: "HELD_SALE_UNTRIED", limitation }]
      : [];
  }
  // Two sales in one block say nothing about a program that lets sales wait.
  const counted = isPatient ? legs.slice(0, 1) : legs;
  const isRefused = counted.some((leg) => !leg.success || (measureTaxBps(leg) ?? 0) >= CONFISCATORY_TAX_BPS);
  if (!isRefused) return [];
  if (!isPatient) return [{ code: "HELD_SALE_FAILS" }];
  // Where nothing is kept for one transaction, who bought in another one waits like everybody, and later sales were simulated.
  const limitation = "A holder's sale apart from its purchase failed in a program that lets sales wait.";
  return isTransient ? [{ code: "HELD_SALE_UNTRIED", limitation }] : [];
}
