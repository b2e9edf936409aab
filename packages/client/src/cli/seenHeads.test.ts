import { mkdtemp, open, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findSeenHead, keepSeenHead } from "./seenHeads.js";

let env: { XDG_STATE_HOME: string };
beforeAll(async () => {
  env = { XDG_STATE_HOME: await mkdtemp(join(tmpdir(), "assay-heads-")) };
});
afterAll(() => rm(env.XDG_STATE_HOME, { recursive: true, force: true }));

const head = (size: number) =>
  ({ origin: "log", publicKey: "key", size, root: `0x${"ab".repeat(32)}` }) as const;

it("replaces the file as a whole, so that a reader, also after a crash, finds a complete one", async () => {
  await keepSeenHead(env, "http://one", head(1));
  const folder = join(env.XDG_STATE_HOME, "assay");
  const reader = await open(join(folder, "log-heads.json"));
  await keepSeenHead(env, "http://two", head(2));
  const before = await reader.readFile("utf8");
  await reader.close();
  expect(JSON.parse(before)).toEqual({ "http://one": head(1) });
  expect(await findSeenHead(env, "http://one")).toEqual(head(1));
  expect(await findSeenHead(env, "http://two")).toEqual(head(2));
  expect(await readdir(folder)).toEqual(["log-heads.json"]);
});
