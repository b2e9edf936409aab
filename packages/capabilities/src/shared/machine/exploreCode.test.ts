import { readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Hex } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { exploreCode } from "./exploreCode.js";
import { summarizeProgram } from "./programReading.js";

const { resolve } = createRequire(import.meta.url);
const summarize = (code: Hex) => summarizeProgram(exploreCode(code));
const TARGET = "1111111111111111111111111111111111111111";

/** `delegatecall(gas, <target>, 0, 0, 0, 0)`, with the target left on the stack by `push`. */
const delegateTo = (push: string): Hex => `0x5f5f5f5f${push}5af400`;

describe("where a program has the address from that it delegates to", () => {
  test.each<[string, Hex, string, Hex | null]>([
    ["its code", delegateTo(`73${TARGET}`), "code", null],
    ["itself", delegateTo("30"), "self", null],
    ["the caller", delegateTo("6004356bffffffffffffffffffffffff16"), "caller", null],
    ["storage", delegateTo("600754"), "storage", `0x${"0".repeat(63)}7`],
    [
      "a packed word",
      delegateTo("60075460081c73ffffffffffffffffffffffffffffffffffffffff16"),
      "storage",
      `0x${"0".repeat(63)}7`,
    ],
    ["a mapping over the selector", delegateTo("5f3560e01c5f5260075f60205260405f2054"), "storage", null],
    ["another contract", `0x60205f60045f73${TARGET}5afa505f5f5f5f5f515af400`, "call", null],
  ])("%s", (_, code, origin, slot) => {
    expect(summarize(code).delegations).toEqual([{ origin, isFallback: true, slot }]);
  });

  test("is found behind a condition that nobody can know, and in pushed data never", () => {
    const behind: Hex = `0x42600557005b${delegateTo("600754").slice(2)}`;
    expect(summarize(behind).delegations).toMatchObject([{ origin: "storage" }]);
    expect(
      summarize("0x7f5f5f5f5f6007545af4000000000000000000000000000000000000000000000000").delegations,
    ).toEqual([]);
  });
});

describe("a condition that nobody can name", () => {
  const jump = (at: string) => `1460${at}57005b00`;
  const SECRET = "6900112233445566778899";
  test.each<[string, Hex, boolean]>([
    ["compares a hash of an argument", `0x6004355f5260205f207f${"ab".repeat(32)}${jump("2f")}`, true],
    ["compares the caller after a constant is worked in", `0x3373${TARGET}1873${TARGET}${jump("31")}`, true],
    ["compares the caller as it is", `0x3373${TARGET}${jump("1b")}`, false],
    [
      "compares a product of an argument with a large number",
      `0x600435620f424302${SECRET}${jump("18")}`,
      true,
    ],
    ["compares an argument as it is", `0x600435${SECRET}${jump("13")}`, false],
  ])("%s", (_, code, isLocked) => {
    expect(exploreCode(code).functions.some(({ checksDigest }) => checksDigest)).toBe(isLocked);
  });
});

test("a program that only passes calls on is distinguished from one that calls somebody as well", () => {
  const proxy = delegateTo("600754").slice(2);
  expect(summarize(`0x${proxy}`).isOnlyProxy).toBe(true);
  expect(summarize(`0x5f5f5f5f5f73${TARGET}5af150${proxy}`).isOnlyProxy).toBe(false);
  expect(summarize(`0x60015f55${proxy}`).isOnlyProxy).toBe(false);
});

test("code with more paths than the budget is given up, and says so", () => {
  // Each word of calldata doubles the paths, and the stack grows with each.
  let code = "";
  for (let index = 0; index < 400; index += 1) {
    const at = code.length / 2;
    code +=
      `60${(index % 32).toString(16).padStart(2, "0")}3561${(at + 9).toString(16).padStart(4, "0")}57 5f5b`.replace(
        " ",
        "",
      );
  }
  const startedAt = performance.now();
  const { isComplete, hasUnseenDelegation } = summarize(`0x${code}5f5f5f5f6007545af400`);
  expect(performance.now() - startedAt).toBeLessThan(20_000);
  expect(isComplete ? [] : [hasUnseenDelegation]).not.toContain(false);
});

test("a loop without end ends", () => {
  expect(summarize("0x5b5f56")).toMatchObject({ isComplete: false });
  expect(summarize("0x5b60016000555f56")).toMatchObject({ isComplete: false });
});

/** Compiled contracts of real protocols that are installed for the local chain. */
function* listArtifacts(folder: string): Generator<[string, Hex]> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* listArtifacts(path);
    else if (name.endsWith(".json") && !name.endsWith(".dbg.json")) {
      const artifact = JSON.parse(readFileSync(path, "utf8")) as { deployedBytecode?: string };
      const code = artifact.deployedBytecode;
      if (typeof code === "string" && /^0x[0-9a-f]{40,}$/i.test(code)) yield [name, code as Hex];
    }
  }
}

test("no honest contract of the installed protocols looks made to take, and only proxies look like proxies", () => {
  const folders = [
    join(dirname(resolve("@tokenysolutions/t-rex/package.json")), "artifacts"),
    join(dirname(resolve("@uniswap/v3-periphery/package.json")), "artifacts"),
    join(dirname(resolve("@uniswap/v3-core/package.json")), "artifacts"),
    join(dirname(resolve("@uniswap/swap-router-contracts/package.json")), "artifacts"),
  ];
  const telling: string[] = [];
  const proxies: string[] = [];
  let read = 0;
  for (const [name, code] of folders.flatMap((folder) => [...listArtifacts(folder)])) {
    read += 1;
    const { signs, delegations } = summarize(code);
    if (signs.some((sign) => sign !== "sweeps")) telling.push(`${name}: ${signs.join()}`);
    if (delegations.some(({ origin }) => origin === "storage" || origin === "call")) proxies.push(name);
  }
  expect(read).toBeGreaterThan(60);
  expect(telling).toEqual([]);
  expect(proxies.every((name) => /Proxy\.json$/.test(name))).toBe(true);
  expect(proxies.length).toBeGreaterThan(5);
});
