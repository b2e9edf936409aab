import { expect, test } from "vitest";
import { isAllowedByRobots, parseRobots } from "./robots.js";
import { createRobotsCache } from "./robotsCache.js";

test.each<[string, string, string, boolean]>([
  ["an empty file allows all", "", "/a", true],
  ["everybody's rule", "User-agent: *\nDisallow: /a", "/a/b", false],
  ["another path", "User-agent: *\nDisallow: /a", "/b", true],
  ["an empty rule has no effect", "User-agent: *\nDisallow:", "/a", true],
  ["another's rule", "User-agent: Other\nDisallow: /", "/a", true],
  ["our group, whatever its case", "User-agent: assaypagereader\nDisallow: /", "/a", false],
  ["our group with a version", "User-agent: AssayPageReader/1.0\nDisallow: /", "/a", false],
  ["our group wins", "User-agent: *\nDisallow: /\n\nUser-agent: AssayPageReader\nDisallow: /b", "/a", true],
  [
    "an empty group of ours wins",
    "User-agent: *\nDisallow: /\nUser-agent: AssayPageReader\nAllow:",
    "/a",
    true,
  ],
  ["several names share a group", "User-agent: Other\nUser-agent: AssayPageReader\nDisallow: /", "/a", false],
  ["groups of one name are merged", "User-agent: *\nDisallow: /a\nUser-agent: *\nDisallow: /b", "/a", false],
  ["the longest rule wins", "User-agent: *\nDisallow: /\nAllow: /open/", "/open/a", true],
  ["of two as long the one that allows", "User-agent: *\nDisallow: /a\nAllow: /a", "/a", true],
  ["a wildcard", "User-agent: *\nDisallow: /*/private", "/x/y/private/z", false],
  ["an end", "User-agent: *\nDisallow: /*.json$", "/a.json", false],
  ["something after the end", "User-agent: *\nDisallow: /*.json$", "/a.json?b", true],
  ["a query", "User-agent: *\nDisallow: /*?session=", "/a?session=1", false],
  ["escapes in another spelling", "User-agent: *\nDisallow: /%7Euser/%e4", "/~user/%E4", false],
  ["letters that are not ASCII", "User-agent: *\nDisallow: /ä", "/%C3%A4", false],
  ["comments, carriage returns, spaces", "# a\r\n user-agent : * # b\r\ndisallow : /a # c\r\n", "/a", false],
  ["rules before any name", "Disallow: /\nUser-agent: *\nDisallow: /b", "/a", true],
  ["robots.txt itself", "User-agent: *\nDisallow: /", "/robots.txt", true],
])("%s", (_what, text, path, isAllowed) => {
  expect(isAllowedByRobots(parseRobots(text), path)).toBe(isAllowed);
});

test("a hostile file of wildcards takes no noticeable time", () => {
  const rules = parseRobots(`User-agent: *\n${`Disallow: /${"*a".repeat(200)}$\n`.repeat(1_000)}`);
  expect(isAllowedByRobots(rules, `/${"a".repeat(2_000)}b`)).toBe(true);
});

test("rules are kept for an hour and the oldest are dropped first", () => {
  let nowMs = 0;
  const cache = createRobotsCache(() => nowMs);
  const rules = parseRobots("User-agent: *\nDisallow: /a");
  cache.remember("https://a.example", rules);
  nowMs = 3_599_999;
  expect(cache.find("https://a.example")).toEqual(rules);
  nowMs = 3_600_000;
  expect(cache.find("https://a.example")).toBeUndefined();
  const long = [{ allow: true, pattern: "/".repeat(3 * 1024 * 1024) }];
  for (let i = 0; i < 6; i += 1) cache.remember(`https://${i}.example`, long);
  expect([0, 1, 5].map((i) => cache.find(`https://${i}.example`) !== undefined)).toEqual([false, true, true]);
});
