import { expect, test } from "vitest";
import { mayRun, sortTests } from "./testProjects.js";

const [rule, story] = ["packages/a/src/rule.test.ts", "packages/b/src/story.test.ts"];
const mayRunStory = (...command: string[]) => mayRun([story], [rule, story], command);

test("a project is left out only where the command names tests of others alone", () => {
  expect(mayRunStory("run", rule)).toBe(false);
  expect(mayRunStory("run", "packages/a", "--reporter=dot")).toBe(false);
  expect(mayRunStory("run", "packages/a", "story")).toBe(true);
  expect(mayRunStory("run")).toBe(true);
  // The name of a test, not of a file.
  expect(mayRunStory("run", "-t", "rule")).toBe(true);
  expect(mayRunStory("run", rule, "/home/me/packages/b/src/story.test.ts")).toBe(true);
});

test("tests are sorted by what they reach", () => {
  const { pure, world, browser } = sortTests();
  expect(pure).toContain("packages/capabilities/src/contract.guard/evaluate.test.ts");
  expect(world).toContain("packages/capabilities/src/contract.guard/gather.test.ts");
  expect(world).toContain("packages/service/campaigns/runKill.test.ts");
  expect(browser).toContain("packages/console/src/pages/Start.test.ts");
});
