import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { capabilities } from "@assay/capabilities";
import { describe, expect, it } from "vitest";
import { bundleForPage } from "./testing/bundleForPage.js";
import { readSavedAnswer } from "./testing/savedAnswers.js";

interface Bundle {
  readonly text: string;
  readonly first: string;
  readonly firstModules: string[];
  readonly modules: string[];
}

/** What a page loads that imports this part of the client, minified. */
async function bundle(code: string): Promise<Bundle> {
  const chunks = await bundleForPage(code);
  const first = chunks.filter((chunk) => chunk.isEntry || entryImports(chunks).has(chunk.fileName));
  return {
    text: chunks.map((chunk) => chunk.code).join("\n"),
    // Without what is imported only when it is needed.
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

/** The files of a rule. */
const RULES = /capabilities\/dist\/[^/]+\/(rule|evaluate|facts|readings)\.js$/;
/** What a page that only asks may load, compressed; it was 45.5 kB when this was written, more than half of it zod. */
const MAX_ASKING_BYTES = 50_000;
const client = `${import.meta.dirname}/../dist/index.js`;

describe("in a browser", () => {
  it("the client needs nothing of Node, of the service or of what reads the chain and pages, and verifies", async () => {
    const [script] = await bundleForPage(`export * from ${JSON.stringify(client)};`, { isWhole: true });
    if (!script) throw new Error("nothing was built");
    const foreign = /^node:|__vite-browser-external|packages\/(service|chain|pages)\/|\/gather\//;
    expect(Object.keys(script.modules).filter((id) => foreign.test(id))).toEqual([]);
    expect(script.code).not.toMatch(/require\("node:|from "node:/);
    expect(script.code).not.toMatch(/\bprocess\.(env|versions)\.(?!NODE_ENV)/);
    if (process.env.SHOW_BUNDLE) console.log({ whole: gzipSync(script.code).length });

    const page = createContext({ atob, btoa, TextEncoder, TextDecoder, URL, crypto });
    runInContext(script.code, page);
    const verify = (value: unknown) =>
      runInContext(`bundled.verifyResult(JSON.parse(${JSON.stringify(JSON.stringify(value))}))`, page);
    const saved = readSavedAnswer("contract.guard.json");
    expect(await verify(saved)).toMatchObject({ ok: true });
    const ofAnother = { ...saved, receipt: { ...saved.receipt, invocationId: "inv_0" } };
    await expect(verify(ofAnother)).rejects.toMatchObject({ name: "VerificationError" });
  }, 60_000);

  it("a page that only asks does not load the rules, or what verifies or signs payments", async () => {
    const asking = await bundle(`export { createClient } from ${JSON.stringify(client)};`);
    const verifying = await bundle(`export { createClient, verifyResult } from ${JSON.stringify(client)};`);
    const loadsFirst = (pattern: RegExp) => asking.firstModules.filter((id) => pattern.test(id));
    expect(loadsFirst(RULES)).toEqual([]);
    expect(loadsFirst(/client\/dist\/check(Result|Rules)\.js/)).toEqual([]);
    expect(loadsFirst(/\/@x402\//)).toEqual([]);
    // They are there for later: each rule in a file of its own, loaded when an answer of it is verified.
    expect(asking.modules.some((id) => id.includes("/@x402/"))).toBe(true);
    expect(verifying.modules.filter((id) => id.endsWith("/rule.js")).length).toBe(capabilities.length);
    expect(verifying.firstModules.filter((id) => RULES.test(id))).toEqual([]);
    const sizes = {
      asking: gzipSync(asking.first).length,
      verifying: gzipSync(verifying.first).length,
      withEverything: gzipSync(verifying.text).length,
    };
    if (process.env.SHOW_BUNDLE) console.log(sizes);
    expect(sizes.asking).toBeLessThan(MAX_ASKING_BYTES);
  }, 60_000);
});
