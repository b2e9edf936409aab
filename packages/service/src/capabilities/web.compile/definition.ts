import { getCapabilitySpec } from "@assay/protocol";
import { evaluateWebCompile, type WebCompileReadings } from "@assay/rules";
import { parsePageTarget } from "../../web/parsePageTarget.js";
import type { Capability } from "../types.js";
import { gatherWebCompile } from "./gather.js";

export const webCompile: Capability<"web.compile", WebCompileReadings> = {
  spec: { ...getCapabilitySpec("web.compile"), id: "web.compile" },
  checkInput({ url }, { webTestHosts }) {
    parsePageTarget(url, webTestHosts);
    return [];
  },
  gather: gatherWebCompile,
  evaluate: evaluateWebCompile,
  listFacts: () => [],
  watchedBy: null,
  longLivedPart: null,
};
