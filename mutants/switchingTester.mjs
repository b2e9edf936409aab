// Runs the tests that are named on the command line once, against all mutants of the list that ASSAY_MUTANTS names.
import { createVitest } from "vitest/node";

const paths = process.argv.slice(2);
// Ends as `vitest run` does; what was noticed is in the file that the list names.
const silent = [{}];
const vitest = await createVitest("test", { watch: false, run: true, reporters: silent });
const specifications = (await vitest.globTestSpecifications(paths)).filter(({ moduleId }) =>
  paths.some((path) => moduleId.endsWith(`/${path}`)),
);
await vitest.runTestSpecifications(specifications);
await vitest.close();
process.exit(0);
