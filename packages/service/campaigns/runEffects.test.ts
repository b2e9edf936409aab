import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runEffects } from "./runEffects.js";

const folder = fileURLToPath(new URL("../../../bench/accuracy", import.meta.url));

/** The long form, `npm run campaign:effects`, adds the protocols that are installed on demand. */
test("what is foretold to leave, return and be permitted is what the chain shows after sending", async () => {
  const summary = await runEffects({ seed: 8, rounds: 30, folder, packaged: false });
  expect(summary.violations).toEqual([]);
  const { erc20, erc721, erc1155 } = summary.tokens;
  expect(erc20).toBeGreaterThan(15);
  expect([erc721, erc1155]).toEqual([3, 2]);
  const kinds = Object.keys(summary.seen.toJSON());
  expect(kinds.length).toBeGreaterThan(12);
  for (const group of ["honest", "hostile", "losing"])
    expect(kinds.some((kind) => kind.startsWith(group))).toBe(true);
  expect(kinds.some((kind) => kind.endsWith("reverts"))).toBe(true);
  for (const kind of [
    "native leaves",
    "native returns",
    "erc20 leaves",
    "erc20 returns",
    "erc721 leaves",
    "erc1155 leaves",
  ])
    expect(summary.foretold.of(kind), kind).toBeGreaterThan(0);
  expect(summary.compared.of("outcomes")).toBe(30);
  expect(summary.compared.of("holdings")).toBeGreaterThan(30 * 100);
  expect(summary.compared.of("permissions")).toBeGreaterThan(3);
}, 60_000);
