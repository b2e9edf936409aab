import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Hex } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { MAX_SELECTORS, SELECTOR_SCANNER } from "../selectorScan.js";
import { createSelectorScanner } from "./createSelectorScanner.js";

const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"));
const { resolve } = createRequire(import.meta.url);
const compiled = (name: string): { abi: { type: string }[]; deployedBytecode: Hex } =>
  readJson(resolve(`@assay/contracts/out/${name}.json`));

/** Writes one memory word after another and reads each back: every step makes the next one dearer. */
const HOSTILE: Hex = "0x60005b80602001805f52815150600256";

const scanSelectors = createSelectorScanner();

/** Compares the selector with so many constants, as a compiler's dispatcher does. */
function dispatcher(functions: number): Hex {
  let code = "5f3560e01c";
  for (let index = 0; index < functions; index += 1)
    code += `8063${(0x10000000 + index * 7919).toString(16)}1461000057`;
  return `0x${code}`;
}

describe("scanning", () => {
  test.each(["PlainToken", "Erc721", "Erc1155", "Stablecoin"])(
    "finds every function of %s, in order",
    async (name) => {
      const { abi, deployedBytecode } = compiled(name);
      const scan = await scanSelectors(deployedBytecode);
      const selectors = scan.status === "value" ? scan.value : [];
      expect(selectors).toHaveLength(abi.filter(({ type }) => type === "function").length);
      expect([...selectors].sort()).toEqual(selectors);
    },
  );

  test("the largest code of a real project takes a small part of the time allowed", async ({ annotate }) => {
    const { deployedBytecode } = readJson(
      resolve(
        "@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json",
      ),
    ) as { deployedBytecode: Hex };
    expect(deployedBytecode.length / 2).toBeGreaterThan(24_000);
    const startedAt = performance.now();
    expect(await scanSelectors(deployedBytecode)).toMatchObject({ status: "value" });
    await annotate(
      `${Math.round(performance.now() - startedAt)} ms for ${deployedBytecode.length / 2} bytes`,
    );
  });

  test("code made to keep the scanner busy is given up, and the next scan works", async () => {
    const scan = createSelectorScanner({ timeMs: 1500, waitMs: 10_000 });
    const [stopped, after] = await Promise.all([
      scan(HOSTILE),
      scan(compiled("PlainToken").deployedBytecode),
    ]);
    expect(stopped).toEqual({ status: "unanswered", reason: "time_limit" });
    expect(after).toMatchObject({ status: "value" });
  });

  test("the process answers others meanwhile", async () => {
    const scan = createSelectorScanner({ timeMs: 500, waitMs: 10_000 })(HOSTILE);
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 10);
    await scan;
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });

  test("what waited too long behind others is not scanned", async () => {
    const scan = createSelectorScanner({ timeMs: 300, waitMs: 200 });
    const [, waited] = await Promise.all([scan(HOSTILE), scan("0x5b600056")]);
    expect(waited).toEqual({ status: "unanswered", reason: "scanner_busy" });
  });

  test("concurrent callers with the same code share one scan", async () => {
    const scan = createSelectorScanner({ timeMs: 300, waitMs: 200 });
    const [one, other] = await Promise.all([scan(HOSTILE), scan(HOSTILE)]);
    expect(other).toBe(one);
  });

  test("more functions than any compiler writes are not recorded", async () => {
    expect(await scanSelectors(dispatcher(MAX_SELECTORS))).toMatchObject({ status: "value" });
    expect(await scanSelectors(dispatcher(MAX_SELECTORS + 1))).toEqual({
      status: "unanswered",
      reason: "too_many_selectors",
    });
  });

  test("bytes that are no code at all leave the scanner failed, then working again", async () => {
    expect(await scanSelectors("0xzz")).toEqual({ status: "unanswered", reason: "scanner_failed" });
    expect(await scanSelectors("0x00")).toEqual({ status: "value", value: [] });
  });

  test("scans are filed under the version that is installed", () => {
    const { name, version } = readJson(`${resolve("evmole").split("/dist/")[0]}/package.json`);
    expect(SELECTOR_SCANNER).toBe(`${name} ${version}`);
  });
});
