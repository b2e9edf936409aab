import type { ObligationLine } from "./obligationList.js";
import { type ObligationsContext, publishIfDue } from "./publishObligation.js";

export interface ObligationListContext extends ObligationsContext {
  /** The operator's list. */
  readonly obligations: readonly ObligationLine[];
}

/** Publishes the lines of the operator's list that are due. A line that cannot be published does not stop the others. */
export async function publishDueObligations(context: ObligationListContext): Promise<void> {
  for (const line of context.obligations) {
    try {
      const published = await publishIfDue(context, line);
      if (published)
        context.logger.info({ claimId: published.claimId, address: line.address }, "obligation published");
    } catch (err) {
      const reason = err instanceof Error ? err.message : String(err);
      context.logger.warn({ address: line.address, reason }, "obligation not published");
    }
  }
}
