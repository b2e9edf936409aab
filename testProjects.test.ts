import { expect, test } from "vitest";
import { chooseTests, joinTests, sortTests } from "./testProjects.js";

const [rule, story] = ["packages/a/src/rule.test.ts", "packages/b/src/story.test.ts"];
const projects = { pure: [rule], world: [story], browser: [], isolated: [] };
const choose = (...command: string[]) => Object.values(chooseTests(projects, command)).flat();

test("tests are left out only where the command names others alone", () => {
  expect(choose("run", rule)).toEqual([rule]);
  expect(choose("run", "packages/a", "--reporter=dot")).toEqual([rule]);
  expect(choose("run", "packages/a", "story")).toEqual([rule, story]);
  expect(choose("run")).toEqual([rule, story]);
  // The name of a test, not of a file.
  expect(choose("run", "-t", "rule")).toEqual([rule, story]);
  expect(choose("run", "packages/a", "-t", "story")).toEqual([rule]);
  // What follows an option may be its value or a file.
  expect(choose("run", "--testTimeout=9", rule)).toEqual([rule]);
  expect(choose("run", "--no-file-parallelism", rule, story)).toEqual([rule, story]);
  expect(choose("run", rule, "/home/me/packages/b/src/story.test.ts")).toEqual([rule, story]);
});

test("all share the workers of tests that need a world, unless a project is named", () => {
  const page = "packages/console/src/page.test.ts";
  const all = { ...projects, browser: [page] };
  expect(joinTests(all, ["run"])).toEqual({ ...projects, pure: [], world: [rule, story, page] });
  const others = { ...all, world: [] };
  expect(joinTests(others, ["run", rule, page])).toEqual(others);
  for (const named of [["--project", "pure"], ["--project=pure"]])
    expect(joinTests(all, ["run", ...named])).toEqual(all);
});

test("tests are sorted by what they reach", () => {
  const { pure, world, browser } = sortTests();
  expect(pure).toContain("packages/capabilities/src/contract.guard/evaluate.test.ts");
  expect(world).toContain("packages/capabilities/src/contract.guard/gather.test.ts");
  expect(world).toContain("packages/service/campaigns/runKill.test.ts");
  expect(browser).toContain("packages/console/src/pages/Start.test.ts");
});

test("tests that need packages of their own folder are left out unless they are asked for", () => {
  const all = (projects: object) => Object.values(projects).flat();
  const apart = "packages/adapters/goat/src/index.test.ts";
  expect(all(sortTests())).not.toContain(apart);
  expect(all(sortTests({ withOwnLocks: true }))).toContain(apart);
  expect(sortTests().world).toContain("packages/adapters/wagmi/src/index.test.ts");
});
