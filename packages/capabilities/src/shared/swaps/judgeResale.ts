import { CONFISCATORY_TAX_BPS, HIGH_TAX_BPS } from "../pools/taxLimits.js";
import { decodeRevert, type RevertReason } from "../simulation/decodeRevert.js";
import type { Note } from "../verdict/note.js";
import type { DecodedSwap } from "./decodeSwap.js";
import type { Resale } from "./encodeResale.js";
import { PUBLISHED_FEE } from "./judgePoolFees.js";
import type { MeasuredSwap } from "./measureSwap.js";
import type { SimulatedSwap } from "./swapReadings.js";

export type ResaleCode =
  | "BOUGHT_TOKEN_NOT_SELLABLE"
  | "RESALE_LOSS_SEVERE"
  | "RESALE_LOSS_HIGH"
  | "RESALE_UNMEASURED";

export interface ResaleFindings {
  /** What was sold, in units of the token bought. */
  readonly amount: string;
  readonly approved: boolean;
  readonly succeeds: boolean;
  readonly revert: RevertReason | null;
  /** What came back, in units of the token paid; null where the sale failed or the balance was not read. */
  readonly received: string | null;
  /** What is missing from the fair share, in hundredths of a percent. */
  readonly lossBps: number | null;
}

interface JudgedResale {
  readonly notes: readonly Note<ResaleCode>[];
  readonly limitations: readonly string[];
  readonly resale: ResaleFindings | null;
}

/** With fewer units of the token paid than this, rounding alone can make a sale fail or lose a tenth. */
const MIN_UNITS = 100n;
const WHOLE_BPS = 10_000n;
/** Fees of pools are in hundredths of a basis point. */
const WHOLE_FEE = 1_000_000n;
const CLASSIC_FEE = 3000;

const UNTRIED =
  "Whether what the swap buys can be sold again was not tried, because the sender gets none of it in the simulation or the calldata names no amount; token.launch.guard tries a token by itself.";
const FAILED =
  "The sale was of half the least that the swap brings, in the same transaction: a limit on how much or how soon may be sold makes it fail too. token.launch.guard tries other sizes.";

/**
 * Whether part of what was bought can be sold again. The fair share is what that part cost, less twice the fee of every
 * pool, as far as exchanges publish such fees. The sale's own price impact is left out, because the purchase moved the price the other way.
 */
export function judgeResale(
  swap: DecodedSwap,
  planned: Resale | null,
  bought: { readonly measured: MeasuredSwap; readonly simulated: SimulatedSwap } | null,
  /** What the pools gave, before the token kept any of it. */
  promised: bigint | null,
): JudgedResale {
  if (swap.isNativeOut) return { notes: [], limitations: [], resale: null };
  if (planned === null || bought === null) return { notes: [], limitations: [UNTRIED], resale: null };
  const { measured, simulated } = bought;
  if (simulated.resale === null)
    return { notes: [unmeasured("its simulation is missing")], limitations: [], resale: null };
  const { approved, success, returned, before, after } = simulated.resale;
  const isMeasured = success && before !== null && after !== null;
  const received = isMeasured ? BigInt(after) - BigInt(before) : null;
  const fair = countFairShare(swap, planned.amount, measured, promised);
  const lossBps = received === null || fair < MIN_UNITS ? null : countLoss(fair, received);
  return {
    notes: noteResale(success, fair, lossBps),
    limitations: [],
    resale: {
      amount: planned.amount.toString(),
      approved,
      succeeds: success,
      revert: success ? null : decodeRevert(returned),
      received: received?.toString() ?? null,
      lossBps,
    },
  };
}

function countFairShare(
  { hops, routerKind }: DecodedSwap,
  amount: bigint,
  { paid, received }: MeasuredSwap,
  promised: bigint | null,
): bigint {
  const whole = promised !== null && promised > received ? promised : received;
  if (whole <= 0n) return 0n;
  return hops.reduce(
    (share, { fee }) => {
      const stated = fee ?? (routerKind === "uniswap_v2" ? CLASSIC_FEE : 0);
      // What a pool takes beyond what exchanges publish is a loss like any other.
      const kept = WHOLE_FEE - BigInt(Math.min(stated, PUBLISHED_FEE));
      return (share * kept * kept) / (WHOLE_FEE * WHOLE_FEE);
    },
    (paid * amount) / whole,
  );
}

function countLoss(fair: bigint, received: bigint): number {
  return received >= fair ? 0 : Number(((fair - received) * WHOLE_BPS) / fair);
}

function noteResale(success: boolean, fair: bigint, lossBps: number | null): Note<ResaleCode>[] {
  if (fair < MIN_UNITS) return [unmeasured("the amount is too few units to tell a loss from rounding")];
  if (!success) return [{ code: "BOUGHT_TOKEN_NOT_SELLABLE", limitation: FAILED }];
  if (lossBps === null) return [unmeasured("a token's balance around the sale was not read")];
  if (lossBps >= CONFISCATORY_TAX_BPS) return [{ code: "RESALE_LOSS_SEVERE" }];
  return lossBps > HIGH_TAX_BPS ? [{ code: "RESALE_LOSS_HIGH" }] : [];
}

const unmeasured = (why: string): Note<"RESALE_UNMEASURED"> => ({
  code: "RESALE_UNMEASURED",
  limitation: `What selling back what the swap buys would bring is not known: ${why}. token.launch.guard tries a token by itself.`,
});
