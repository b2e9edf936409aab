import { boundSeconds, getCapability } from "@assay/capabilities";
import { type CapabilityResult, capabilityResultSchema, type NextCall, WATCH_NOTE } from "@assay/protocol";
import type { Question } from "../checkResult.js";
import { RefusedError } from "./refusedError.js";

/** Hosts read at most ten megabytes of a message, and end the connection, with all its tools, at a longer one. */
const MAX_ANSWER_BYTES = 4_000_000;

interface Asked {
  /** As the user gave it. */
  readonly baseUrl: string;
  readonly payer: string;
}

/**
 * A verified answer without what nobody has signed: a stand-in could write orders into fields that no schema knows,
 * into the hosts of links and into notes. Links lead to the service that was asked. It still verifies. Throws RefusedError where it is
 * longer than a host reads.
 */
export function keepCovered(
  answer: CapabilityResult,
  { capabilityId }: Pick<Question, "capabilityId">,
  { baseUrl, payer }: Asked,
): CapabilityResult {
  const { invocationId, evidenceReference, ...known } = capabilityResultSchema.parse(answer);
  const api = `${baseUrl.replace(/\/+$/, "")}/api/v1`;
  const { watchedBy, asksForWallet } = getCapability(capabilityId);
  const lead = (call: Pick<NextCall["recheck"], "capabilityId" | "url">): string => {
    const url = new URL(`${api}/capabilities/${call.capabilityId}/invoke`);
    url.search = new URL(call.url).search;
    if (asksForWallet && call.capabilityId === capabilityId) url.searchParams.set("wallet", payer);
    return url.href;
  };
  const { nextCall } = known;
  const watch = nextCall?.watch?.capabilityId === watchedBy ? nextCall?.watch : undefined;
  const covered = {
    ...known,
    invocationId,
    // The hash of it covers fields too that this client does not know.
    result: answer.result,
    receiptUrl: `${api}/receipts/${invocationId}`,
    nextCall: nextCall && {
      ...nextCall,
      validForSeconds: boundSeconds(answer),
      recheck: { ...nextCall.recheck, url: lead(nextCall.recheck) },
      watch: watch ? { ...watch, url: lead(watch), note: WATCH_NOTE } : null,
    },
    evidenceReference: {
      ...evidenceReference,
      url: `${api}/evidence/${evidenceReference.artifactId}`,
    },
  };
  const { length } = new TextEncoder().encode(JSON.stringify(covered));
  if (length > MAX_ANSWER_BYTES)
    throw new RefusedError(
      `The answer was paid for and verifies, but is ${length} bytes long, more than an application takes. Its receipt: ${covered.receiptUrl}`,
    );
  return covered;
}
