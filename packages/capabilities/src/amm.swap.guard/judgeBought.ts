import { judgeLaunch } from "../shared/launch/judgeLaunch.js";
import type { LaunchReadings } from "../shared/launch/launchReadings.js";
import type { Note } from "../shared/verdict/note.js";

export type BoughtCode = "BOUGHT_TOKEN_SOUND" | "BOUGHT_TOKEN_DOUBTFUL" | "BOUGHT_TOKEN_TRAPS";

interface BoughtJudgement {
  readonly notes: readonly Note<BoughtCode>[];
  readonly limitations: readonly string[];
  readonly bought: {
    readonly verdict: string;
    readonly reasonCodes: readonly string[];
    readonly figures: Readonly<Record<string, unknown>>;
  } | null;
  /** Whether a sale that fails in the block of the purchase succeeds soon after it. */
  readonly isPatient: boolean;
}

const CODES = {
  allow: "BOUGHT_TOKEN_SOUND",
  review: "BOUGHT_TOKEN_DOUBTFUL",
  block: "BOUGHT_TOKEN_TRAPS",
} as const;

/** What is known of the token that is bought, beyond this swap. */
export function judgeBought(token: string, readings: LaunchReadings | null): BoughtJudgement {
  if (readings === null) return { notes: [], limitations: [], bought: null, isPatient: false };
  const { verdict, reasonCodes, findings, limitations } = judgeLaunch(token, readings);
  const isPatient =
    reasonCodes.includes("SELLS") &&
    reasonCodes.some((code) => code === "SALE_WAITS_A_BLOCK" || code === "SALE_WAITS");
  const why = reasonCodes.join(", ");
  const note =
    verdict === "allow"
      ? { code: CODES[verdict] }
      : { code: CODES[verdict], limitation: `token.launch.guard would say of ${token}: ${why}.` };
  return {
    notes: [note],
    limitations,
    bought: { verdict, reasonCodes, figures: findings.figures },
    isPatient,
  };
}
