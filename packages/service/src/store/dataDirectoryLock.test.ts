import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DataDirectoryInUseError, lockDataDirectory } from "./dataDirectoryLock.js";
import { startOf } from "./processes.js";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "assay-lock-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));
const lockFile = () => join(directory, "service.lock");

test("a directory has one owner at a time, and is free again once released", async () => {
  const release = await lockDataDirectory(directory);
  await expect(lockDataDirectory(directory)).rejects.toThrow(DataDirectoryInUseError);
  await expect(lockDataDirectory(directory)).rejects.toThrow(
    `DATA_DIR ${directory} is in use by another service (process ${process.pid}); stop it or choose another DATA_DIR.`,
  );
  await release();
  expect(await readdir(directory)).toEqual([]);
  await (await lockDataDirectory(directory))();
});

test("of many that try at once exactly one becomes the owner", async () => {
  for (let round = 0; round < 10; round++) {
    const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataDirectory(directory)));
    const owners = attempts.filter((attempt) => attempt.status === "fulfilled");
    expect(owners).toHaveLength(1);
    for (const attempt of attempts)
      if (attempt.status === "rejected") expect(attempt.reason).toBeInstanceOf(DataDirectoryInUseError);
    for (const owner of owners) await owner.value();
  }
});

test("a lock whose process is gone is taken over", async () => {
  const child = spawn(process.execPath, ["-e", ""]);
  const dead = `${child.pid} ${startOf(child.pid as number)}`;
  await once(child, "exit");
  await writeFile(lockFile(), dead);
  const release = await lockDataDirectory(directory);
  expect(await readFile(lockFile(), "utf8")).toBe(`${process.pid} ${startOf(process.pid)}`);
  await release();
});

test("a process id that was given to somebody else since does not hold the lock", async () => {
  await writeFile(lockFile(), `${process.ppid} 1`);
  await (await lockDataDirectory(directory))();
  // Control: the same process with its true start time does.
  await writeFile(lockFile(), `${process.ppid} ${startOf(process.ppid)}`);
  await expect(lockDataDirectory(directory)).rejects.toThrow(DataDirectoryInUseError);
});

test("a half-written or unreadable lock does not block the directory for ever", async () => {
  for (const content of ["", "garbage", "0 0", "-1 5"]) {
    await writeFile(lockFile(), content);
    await (await lockDataDirectory(directory))();
  }
});

test("releasing does not remove a lock that belongs to somebody else", async () => {
  const release = await lockDataDirectory(directory);
  await writeFile(lockFile(), "1 1");
  await release();
  expect(existsSync(lockFile())).toBe(true);
});
