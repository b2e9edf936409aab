import type { Hex } from "@assay/protocol";
import type { TestService } from "../../../test/startTestService.js";
import { parseObligationLine } from "../obligationList.js";
import { publishObligation } from "../publishObligation.js";

/** Publishes one obligation as the operator would; by default an upgrade window that is open for a day. */
export async function publishLine(
  service: Pick<TestService, "context">,
  address: Hex,
  change: Readonly<Record<string, unknown>>,
): Promise<Hex> {
  const line = parseObligationLine(
    { type: "upgrade_window", address, challengeHours: 24, ...change },
    "obligation",
  );
  return (await publishObligation(service.context, line)).claimId;
}
