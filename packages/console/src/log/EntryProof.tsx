import type { SeenHead } from "@assay/client";
import { isIncluded, type LogEntry, leafHashOf } from "@assay/protocol";
import { useQuery } from "@tanstack/react-query";
import { assay } from "../service/assay.js";
import { Hash } from "../ui/Hash.js";
import { Fetched } from "../ui/Status.js";

/** Fetches the path of one entry and follows it from the text that is shown to the root of the head that was just checked. */
export function EntryProof({
  entry,
  head: { size, root },
}: {
  readonly entry: LogEntry;
  readonly head: SeenHead;
}) {
  const { index, leaf } = entry;
  const query = useQuery({
    queryKey: ["log proof", index, size],
    queryFn: () => assay.logProof(index, size),
  });
  return (
    <Fetched query={query} what="the path">
      {(proof) => {
        const hash = leaf === null ? entry.leafHash : leafHashOf(new TextEncoder().encode(leaf));
        const isIn =
          proof.index === index && proof.size === size && proof.leafHash === hash && isIncluded(proof, root);
        return (
          <p className={isIn ? "good" : "bad"} role="status">
            Entry {index}, <Hash value={hash} label="leaf hash" />:{" "}
            {isIn
              ? `${proof.path.length} hashes lead from it to the root above.`
              : "its path does not lead to the root above. The log cannot be trusted."}
          </p>
        );
      }}
    </Fetched>
  );
}
