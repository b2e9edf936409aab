import type { CapabilityId } from "@assay/client";

import { useQuery } from "@tanstack/react-query";
import { listBought } from "../purchase/listBought.js";
import { assay, useLocalChain } from "../service/assay.js";
import { shorten } from "../ui/format.js";
import { listSamples, type Sample } from "./sampleInputs.js";

const MOST = 5;

/** These are about something that was published before, of which no example can know. */
export const needsReference = (id: CapabilityId): boolean =>
  id === "obligation.verdict" || id === "evidence.artifact";

/** What a form offers to try: the chain's own examples, or what has been published and bought so far. */
export function useSamples(id: CapabilityId): Sample[] {
  const { data: localChain } = useLocalChain();
  const { data: feed } = useQuery({
    queryKey: ["claims", "samples"],
    queryFn: () => assay.claims({ limit: 100 }),
    enabled: id === "obligation.verdict",
  });
  if (id === "obligation.verdict")
    return (feed?.claims ?? [])
      .filter(({ kind }) => kind === "obligation")
      .slice(0, MOST)
      .map(({ claimId, assertion }) => ({
        name: `${assertion.type === "bytecode" ? "Code" : "Implementation"} of ${shorten(assertion.address)}`,
        values: { obligationId: claimId },
      }));
  if (id === "evidence.artifact")
    return (
      listBought()
        .filter(({ evidenceReference }) => evidenceReference.shareable)
        // The newest of each capability.
        .filter((one, place, all) => all.findIndex((o) => o.capabilityId === one.capabilityId) === place)
        .slice(0, MOST)
        .map(({ capabilityId, evidenceReference }) => ({
          name: `Your answer of ${capabilityId}`,
          values: { artifactId: evidenceReference.artifactId },
        }))
    );
  return listSamples(id, localChain ?? null);
}
