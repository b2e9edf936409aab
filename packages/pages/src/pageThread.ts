import { parentPort } from "node:worker_threads";
import { PageRefusal } from "./pageDocument.js";
import { type PageSource, parsePage } from "./parsePage.js";
import type { ParsedPage } from "./types.js";

/** The thread's answer: the page, or why it cannot be read. */
export type ThreadAnswer = { readonly page: ParsedPage } | { readonly refusal: string };

parentPort?.on("message", (source: PageSource) => {
  parentPort?.postMessage(answer(source));
});
parentPort?.postMessage("ready");

function answer(source: PageSource): ThreadAnswer {
  try {
    return { page: parsePage(source) };
  } catch (error) {
    return { refusal: error instanceof PageRefusal ? error.message : "It could not be parsed." };
  }
}
