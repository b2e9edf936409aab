import { posix } from "node:path";
import { runnerImport } from "vite";

/** Their long forms are not for every mutant. */
const isCampaign = (path) => /\/campaigns\//.test(path);
const packageOf = (path) => /^packages\/(adapters\/)?[^/]+\//.exec(path)?.[0] ?? "";
const distance = (test, file) =>
  posix.relative(posix.dirname(file), posix.dirname(test)).split("/").filter(Boolean).length;

/**
 * The tests of a source's own package that load it, in the order in which they are asked: those beside it, then others that need
 * neither database nor chain, then those that do, the nearest first.
 */
export async function createTestFinder(root) {
  const { module } = await runnerImport(posix.join(root, "testProjects.ts"));
  const { pure, world, isolated } = module.sortTests();
  const reached = new Map();
  const reaches = (test, file) => {
    if (!reached.has(test)) reached.set(test, module.listReached(test));
    return reached.get(test).has(file);
  };
  const own = (tests, file) =>
    tests
      .filter((test) => packageOf(test) === packageOf(file) && !isCampaign(test) && reaches(test, file))
      .sort((a, b) => distance(a, file) - distance(b, file) || (a < b ? -1 : 1));
  return (file) => {
    const beside = `${file.replace(/\.ts$/, "")}.`;
    const quick = own(pure, file);
    const slow = own([...world, ...isolated], file);
    const nearest = (tests) => tests.filter((test) => distance(test, file) === 0);
    const others = (tests) => tests.filter((test) => distance(test, file) > 0);
    return [
      quick.filter((test) => test.startsWith(beside)),
      nearest(quick).filter((test) => !test.startsWith(beside)),
      others(quick),
      nearest(slow),
      others(slow),
    ];
  };
}
