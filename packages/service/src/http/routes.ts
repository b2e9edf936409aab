import type { LogContext } from "../log/signedHeads.js";
import type { OwnHostCheck } from "./ownHost.js";
import type { Route } from "./route.js";
import { agentRegistration } from "./routes/agentRegistration.js";
import { bounties } from "./routes/bounties.js";
import { catalog } from "./routes/catalog.js";
import { challenges } from "./routes/challenges.js";
import { claim } from "./routes/claim.js";
import { claimReceipt } from "./routes/claimReceipt.js";
import { claims } from "./routes/claims.js";
import { decisions } from "./routes/decisions.js";
import { type EvidenceContext, evidence } from "./routes/evidence.js";
import { health } from "./routes/health.js";
import { type InvokeContext, invoke } from "./routes/invoke.js";
import { liveness } from "./routes/liveness.js";
import { llmsText } from "./routes/llmsText.js";
import { logCheckpoint } from "./routes/logCheckpoint.js";
import { logConsistency } from "./routes/logConsistency.js";
import { logProof } from "./routes/logProof.js";
import { mcp } from "./routes/mcp.js";
import { metrics } from "./routes/metrics.js";
import { openApi } from "./routes/openApi.js";
import { openClaim } from "./routes/openClaim.js";
import { opportunities } from "./routes/opportunities.js";
import { outcomes } from "./routes/outcomes.js";
import { ownQuotes } from "./routes/ownQuotes.js";
import { pledges } from "./routes/pledges.js";
import { publish } from "./routes/publish.js";
import { publisher } from "./routes/publisher.js";
import { type QuoteContext, quotes } from "./routes/quotes.js";
import { receipt } from "./routes/receipt.js";
import { type DescriptionContext, serviceDescription } from "./routes/serviceDescription.js";
import { walletRoutes } from "./routes/signIn.js";
import { stats } from "./routes/stats.js";
import { x402Manifest } from "./routes/x402Manifest.js";

/** Everything that the routes together need to know of the service. */
export interface RoutesContext
  extends InvokeContext,
    QuoteContext,
    EvidenceContext,
    LogContext,
    DescriptionContext {
  readonly isOwnHost: OwnHostCheck;
  /** A caller that sends it may read the metrics. Undefined: only callers on this machine may. */
  readonly metricsToken: string | undefined;
}

/** Every route, in the order of the OpenAPI document. Adding one is its file and its line here. */
export const routes: readonly Route<RoutesContext>[] = [
  catalog,
  stats,
  quotes,
  ...ownQuotes,
  health,
  liveness,
  invoke,
  receipt,
  evidence,
  ...walletRoutes,
  logCheckpoint,
  logProof,
  logConsistency,
  claims,
  openClaim,
  claim,
  claimReceipt,
  challenges,
  decisions,
  bounties,
  opportunities,
  publisher,
  publish,
  pledges,
  outcomes,
  mcp,
  serviceDescription,
  x402Manifest,
  agentRegistration,
  openApi,
  llmsText,
  metrics,
];
