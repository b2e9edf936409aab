import { availableParallelism } from "node:os";
import { runFromCommandLine } from "./commandLine.js";
import { keepSeeds, runControls, runSimulate } from "./runSimulate.js";

/** Lives of one world happen within a minute or two, so that they meet. */
const LIVES_PER_WORLD = 100;

await runFromCommandLine(
  ["lives", "lives-per-world", "threads", "--all", "--keep", "--controls", "--without-protection"],
  async (options, read, isSet) => {
    const given = {
      ...options,
      lives: read("lives", isSet("controls") ? 20_000 : 100_000),
      livesPerWorld: read("lives-per-world", LIVES_PER_WORLD),
      threads: read("threads", availableParallelism()),
    };
    if (isSet("controls")) return runControls(given);
    const without = "what may still be mined is unknown, not failed";
    const summary = await runSimulate({
      ...given,
      goesOn: isSet("all"),
      ...(isSet("without-protection") && { without }),
    });
    const { failingSeeds, violations } = summary;
    const found = failingSeeds.map((seed) => ({
      ...{ seed, lives: given.livesPerWorld },
      broke: violations.find((one) => one.endsWith(`(seed ${seed})`)) ?? "",
    }));
    if (isSet("keep") && found.length > 0) keepSeeds(found);
    return summary;
  },
);
