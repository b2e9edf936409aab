import { readFileSync } from "node:fs";
import { applyMutant } from "./listMutants.mjs";
import { switchMutants } from "./switchMutants.mjs";

/**
 * Changes one source while it is loaded: `globalThis.assayMutant`, that is `{ file, mutant }` with an absolute path. Vitest loads its
 * configuration as a bundle of its own, which shares no module with the process that sets it. No file is ever changed, so a run that
 * is cut off leaves nothing behind.
 */
export const mutantPlugin = () => ({
  name: "mutant",
  enforce: "pre",
  transform(text, id) {
    const current = globalThis.assayMutant;
    return current && id.split("?")[0] === current.file ? applyMutant(text, current.mutant) : undefined;
  },
});

/** Puts all mutants of a list into their sources while these are loaded, each behind a switch that `switchingRunner.mjs` turns. */
export function switchedMutantsPlugin(list) {
  const { sources } = JSON.parse(readFileSync(list, "utf8"));
  return {
    name: "switched mutants",
    enforce: "pre",
    transform(text, id) {
      const path = id.split("?")[0];
      const mutants = sources[path];
      return mutants && switchMutants(path, text, mutants);
    },
  };
}
