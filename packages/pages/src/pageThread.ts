import { parentPort } from "node:worker_threads";
import { decodePage, PDF_TYPE } from "./decodePage.js";
import { PageRefusal } from "./pageDocument.js";
import { type PageSource, parsePage } from "./parsePage.js";
import { parsePdfPage } from "./pdf/parsePdfPage.js";
import { type FetchedSheet, listSheetRequests, type SheetRequest } from "./sheetRequests.js";
import { findTaskId, readTaskCpuMs } from "./taskCpu.js";
import type { ParsedPage } from "./types.js";

/** Without `sheets`, only the list of the page's style sheets is wanted. */
export interface ThreadTask {
  readonly source: PageSource;
  readonly sheets: readonly FetchedSheet[] | null;
}

/** The thread's answer: the page, its style sheets, or why it cannot be read. */
export type ThreadAnswer =
  | { readonly page: ParsedPage }
  | { readonly requests: readonly SheetRequest[] }
  | { readonly refusal: string };

/** Sent once, before the first answer. */
export interface ThreadReady {
  /** The thread's number in the operating system; null where it has no `/proc`. */
  readonly threadId: string | null;
}

const threadId = findTaskId();
const readCpuMs = () => readTaskCpuMs(threadId) ?? Date.now();

parentPort?.on("message", async (task: ThreadTask) => {
  parentPort?.postMessage(await answer(task));
});
parentPort?.postMessage({ threadId } satisfies ThreadReady);

async function answer({ source, sheets }: ThreadTask): Promise<ThreadAnswer> {
  try {
    if (sheets !== null && source.contentType === PDF_TYPE)
      return { page: await parsePdfPage(source.bytes, readCpuMs) };
    if (sheets !== null) return { page: parsePage(source, sheets) };
    const isHtml = /html/.test(source.contentType);
    return { requests: isHtml ? listSheetRequests(decodePage(source), source.finalUrl) : [] };
  } catch (error) {
    return { refusal: error instanceof PageRefusal ? error.message : "It could not be parsed." };
  }
}
