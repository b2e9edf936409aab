import { findCapability } from "@assay/capabilities/capabilities";

/** Finds the sentence of a reason code; a code newer than this client gets a sentence that says so. */
export type FindSentence = (code: string) => string;

interface Explained {
  readonly capabilityId: string;
  readonly result: { readonly refreshed?: unknown };
}

/** The sentences of an answer's reasons, with those of the refreshed answer that it may contain. */
export async function loadSentences({ capabilityId, result }: Explained): Promise<FindSentence> {
  const inner = result.refreshed as { readonly capabilityId?: unknown } | undefined;
  const ids = [capabilityId, ...(typeof inner?.capabilityId === "string" ? [inner.capabilityId] : [])];
  const tables = await Promise.all(ids.map(async (id) => (await findCapability(id)?.loadRule())?.reasons));
  const sentences = new Map(
    tables.flatMap((reasons) => Object.entries(reasons ?? {}).map(([code, one]) => [code, one.sentence])),
  );
  return (code) => sentences.get(code) ?? "A reason newer than this client.";
}
