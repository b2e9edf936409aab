import { expect, test } from "vitest";
import { chooseTests, sortTests } from "./testProjects.js";

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
  expect(choose("run", rule, "/home/me/packages/b/src/story.test.ts")).toEqual([rule, story]);
});

test("tests are sorted by what they reach", () => {
  const { pure, world, browser } = sortTests();
  expect(pure).toContain("packages/capabilities/src/contract.guard/evaluate.test.ts");
  expect(world).toContain("packages/capabilities/src/contract.guard/gather.test.ts");
  expect(world).toContain("packages/service/campaigns/runKill.test.ts");
  expect(browser).toContain("packages/console/src/pages/Start.test.ts");
});
