import type { CapabilityInput } from "@assay/protocol";
import type { WebCompileReadings } from "@assay/rules";
import type { GatherContext, Gathered } from "../types.js";

/** The page as it came, and what parsing made of it. Nothing is read from the chain; the block only dates the answer. */
export async function gatherWebCompile(
  { pages }: GatherContext,
  { url }: CapabilityInput<"web.compile">,
): Promise<Gathered<WebCompileReadings>> {
  const { fetched, parsed } = await pages.read(url);
  const { blocks, links, hidden, unreadStyles, ...page } = parsed;
  return {
    readings: {
      fetched: {
        requestedUrl: fetched.requestedUrl,
        finalUrl: fetched.finalUrl,
        redirects: [...fetched.redirects],
        httpStatus: fetched.status,
        contentType: fetched.contentType,
        charset: fetched.charset,
        byteLength: fetched.bytes.length,
        bytesSha256: fetched.bytesSha256,
        fetchedAtMs: fetched.fetchedAtMs,
      },
      page: {
        ...page,
        blocks: [...blocks],
        links: [...links],
        hidden: [...hidden],
        unreadStyles: { ...unreadStyles, doubts: [...unreadStyles.doubts] },
      },
    },
  };
}
