import type { PageReadings } from "@assay/protocol";
import type { GatherContext } from "../../../gathering.js";

/** The page as it was fetched, and the parsed page. Nothing is read from the chain; the block only dates the answer. */
export async function readPage({ pages }: Pick<GatherContext, "pages">, url: string): Promise<PageReadings> {
  const { fetched, parsed } = await pages.read(url);
  const { blocks, links, hidden, unreadStyles, pdf, rendered, ...page } = parsed;
  return {
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
      ...(pdf && { pdf: { ...pdf, pages: [...pdf.pages] } }),
      ...(rendered && { rendered: { ...rendered } }),
    },
  };
}
