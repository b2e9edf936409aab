import { type CapabilityId, findCapability, type ListedCapability } from "@assay/client";
import { useQuery } from "@tanstack/react-query";
import { listBought } from "../purchase/listBought.js";
import { assay, useLocalChain } from "../service/assay.js";
import { shorten } from "../ui/format.js";
import { listSamples, type Sample } from "./sampleInputs.js";

type RecordKind = NonNullable<ListedCapability["record"]>["kind"];

const MAX_SAMPLES = 5;

/** What a form offers to try: the chain's own examples or, for a question about a record, the records known here. */
export function useSamples(id: CapabilityId): Sample[] {
  const { data: localChain } = useLocalChain();
  const record = findCapability(id)?.record ?? null;
  const { data: feed } = useQuery({
    queryKey: ["claims", "samples"],
    queryFn: () => assay.claims({ limit: 100 }),
    enabled: record?.kind === "obligation",
  });
  if (!record) return listSamples(id, localChain ?? null);
  const list: Record<RecordKind, () => NamedRecord[]> = {
    obligation: () => listObligations(feed?.claims ?? []),
    artifact: listBoughtArtifacts,
  };
  return list[record.kind]()
    .slice(0, MAX_SAMPLES)
    .map(({ name, key }) => ({ name, values: { [record.field]: key } }));
}

interface NamedRecord {
  readonly name: string;
  /** What the form's field takes. */
  readonly key: string;
}

type Claims = Awaited<ReturnType<typeof assay.claims>>["claims"];

const listObligations = (claims: Claims): NamedRecord[] =>
  claims
    .filter(({ kind }) => kind === "obligation")
    .map(({ claimId, assertion }) => ({
      name: `${assertion.type === "bytecode" ? "Code" : "Implementation"} of ${shorten(assertion.address)}`,
      key: claimId,
    }));

/** Shared answers of this tab, the newest of each capability. */
const listBoughtArtifacts = (): NamedRecord[] =>
  listBought()
    .filter(({ evidenceReference }) => evidenceReference.shareable)
    .filter((one, place, all) => all.findIndex((o) => o.capabilityId === one.capabilityId) === place)
    .map(({ capabilityId, evidenceReference }) => ({
      name: `Your answer of ${capabilityId}`,
      key: evidenceReference.artifactId,
    }));
