// Runs tests against one mutant after another, in one Vitest whose workers, database and sources stay warm. Its parent sends
// { file, mutant, rounds }: the tests of each round run until one fails. It answers { killedBy } or { killedBy: null }.
import { createVitest } from "vitest/node";

// The tests of a repository without a mutant are green; only the first failure is wanted here.
const silent = [{}];
const vitest = await createVitest("test", { watch: true, run: false, bail: 1, reporters: silent });

async function findFailure(rounds) {
  for (const paths of rounds) {
    const specifications = (await vitest.globTestSpecifications(paths)).filter((found) =>
      paths.some((path) => found.moduleId.endsWith(`/${path}`)),
    );
    if (specifications.length === 0) continue;
    const { testModules, unhandledErrors } = await vitest.rerunTestSpecifications(specifications);
    const failed = testModules.find((module) => !module.ok());
    if (failed) return failed.relativeModuleId;
    if (unhandledErrors.length > 0) return `an error outside of tests: ${String(unhandledErrors[0])}`;
  }
  return null;
}

process.on("message", async ({ file, mutant, rounds }) => {
  globalThis.assayMutant = mutant && { file, mutant };
  vitest.invalidateFile(file);
  const killedBy = await findFailure(rounds).catch((error) => `a run that failed: ${error.message}`);
  vitest.invalidateFile(file);
  process.send({ killedBy });
});
process.on("disconnect", () => process.exit(0));
process.send({ isReady: true });
