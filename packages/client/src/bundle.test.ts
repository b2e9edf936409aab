import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { bundleForPage } from "./testing/bundleForPage.js";

interface Bundle {
  readonly text: string;
  readonly first: string;
  readonly firstModules: string[];
  readonly modules: string[];
}

/** What a page gets that imports this much of the client, minified. */
async function bundle(code: string): Promise<Bundle> {
  const chunks = await bundleForPage(code);
  const first = chunks.filter((chunk) => chunk.isEntry || entryImports(chunks).has(chunk.fileName));
  return {
    text: chunks.map((chunk) => chunk.code).join("\n"),
    // Without what is loaded only once it is needed.
    first: first.map((chunk) => chunk.code).join("\n"),
    firstModules: first.flatMap((chunk) => Object.keys(chunk.modules)),
    modules: chunks.flatMap((chunk) => Object.keys(chunk.modules)),
  };
}

function entryImports(
  chunks: readonly { isEntry: boolean; imports: string[]; fileName: string }[],
): Set<string> {
  const found = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap(({ imports }) => imports));
  for (const name of found)
    for (const next of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) found.add(next);
  return found;
}

const client = `${import.meta.dirname}/../dist/index.js`;

describe("in a browser", () => {
  it("the client needs nothing of Node and nothing of the service", async () => {
    const { text, modules } = await bundle(`export * from ${JSON.stringify(client)};`);
    expect(modules.filter((id) => /^node:|__vite-browser-external|packages\/service\//.test(id))).toEqual([]);
    expect(text).not.toMatch(/\bprocess\.(env|versions)\.(?!NODE_ENV)/);
    if (process.env.SHOW_BUNDLE) console.log({ whole: gzipSync(text).length });
  }, 60_000);

  it("who only asks does not carry what verifies", async () => {
    const asking = await bundle(`export { createClient } from ${JSON.stringify(client)};`);
    const verifying = await bundle(`export { createClient, verifyResult } from ${JSON.stringify(client)};`);
    expect(asking.modules.filter((id) => id.includes("packages/rules/"))).toEqual([]);
    expect(verifying.modules.some((id) => id.includes("packages/rules/"))).toBe(true);
    // Nor what signs payments, before it is known whether anybody pays.
    expect(asking.firstModules.filter((id) => id.includes("/@x402/"))).toEqual([]);
    expect(asking.modules.some((id) => id.includes("/@x402/"))).toBe(true);
    if (process.env.SHOW_BUNDLE)
      console.log({
        asking: gzipSync(asking.first).length,
        withPayment: gzipSync(asking.text).length,
        verifying: gzipSync(verifying.first).length,
      });
  }, 60_000);
});
