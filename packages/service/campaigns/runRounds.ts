/** A campaign that kills processes, round after round. */
interface KillingCampaign {
  kills(): number;
  runRound(round: number): Promise<void>;
  describe(round: number): string;
}

/** Plays rounds until so many processes were killed, and says every ten seconds how far it is. */
export async function runRounds(
  campaign: KillingCampaign,
  options: { readonly kills: number; readonly onProgress?: ((line: string) => void) | undefined },
): Promise<void> {
  let nextReportMs = 0;
  for (let round = 1; campaign.kills() < options.kills; round++) {
    await campaign.runRound(round);
    if (round > 2 * options.kills + 10) throw new Error("failpoints are not reached often enough");
    if (Date.now() < nextReportMs && campaign.kills() < options.kills) continue;
    nextReportMs = Date.now() + 10_000;
    options.onProgress?.(campaign.describe(round));
  }
}
