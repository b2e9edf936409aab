import { loadNews, type News } from "@assay/client";
import type { CapabilityResult } from "@assay/protocol";
import { useQuery } from "@tanstack/react-query";

type Stated = Pick<CapabilityResult, "capabilityId" | "verdict"> & {
  readonly result: Pick<CapabilityResult["result"], "reasonCodes" | "summary" | "evidence">;
};

/** The news of an answer; where it cannot be read, its summary. Undefined until one of them is known. */
export function useNews(answer: Stated): News | undefined {
  const { capabilityId, verdict, result } = answer;
  const { data, isError } = useQuery({
    queryKey: ["news", capabilityId, verdict, result],
    queryFn: () => loadNews({ capabilityId, verdict, result: result as CapabilityResult["result"] }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return data ?? (isError ? summaryAlone(answer) : undefined);
}

const summaryAlone = ({ result }: Stated): News => ({
  ...{ headline: result.summary, detail: "", changes: [], powers: [], sections: [] },
  reasons: result.reasonCodes.map((code) => ({ code, sentence: "", verdict: "review" as const })),
  isTimeless: false,
  names: new Map(),
});
