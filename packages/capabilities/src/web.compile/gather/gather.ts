import { parsePageTarget, refusedPages } from "@assay/pages";
import type { Gatherer } from "../../gathering.js";
import { readPage } from "../../shared/page-text/gather/readPage.js";
import type { WebCompileInput } from "../input.js";
import type { WebCompileReadings } from "../readings.js";

export const gatherer: Gatherer<WebCompileInput, WebCompileReadings> = {
  gather: async (context, { url }) => ({ readings: await readPage(context, url) }),
  checkInput({ url }, { webTestHosts }) {
    parsePageTarget(url, webTestHosts);
    refusedPages.verify(url);
    return [];
  },
};
