import { describe, expect, test } from "vitest";
import { corpusPath, readInputs } from "./corpus.mjs";
import { createCoverage } from "./coverage.mjs";
import { markBranches } from "./coveragePlugin.mjs";
import { listTargets } from "./load.mjs";
import { createChoices, createMutator } from "./mutate.mjs";
import { target as calldata } from "./targets/calldata.mjs";
import { target as checkpoint } from "./targets/checkpoint.mjs";
import { target as css } from "./targets/css.mjs";
import { target as html } from "./targets/html.mjs";
import { target as jsonRpc } from "./targets/json-rpc.mjs";
import { target as paymentHeader } from "./targets/payment-header.mjs";
import { target as pdf } from "./targets/pdf.mjs";
import { target as proofs } from "./targets/proofs.mjs";
import { target as rlp } from "./targets/rlp.mjs";
import { target as typedData } from "./targets/typed-data.mjs";

const targets = {
  calldata,
  checkpoint,
  css,
  html,
  "json-rpc": jsonRpc,
  "payment-header": paymentHeader,
  pdf,
  proofs,
  rlp,
  "typed-data": typedData,
};

describe("inputs that once took a new branch, or found a fault", () => {
  test("are kept for every target", () => {
    expect(Object.keys(targets).sort()).toEqual(listTargets());
  });

  test.each(Object.entries(targets))("of %s are read as they should be", async (name, target) => {
    const inputs = [...target.seeds(), ...readInputs(corpusPath(name)).map(({ bytes }) => bytes)];
    expect(inputs.length).toBeGreaterThan(2);
    for (const bytes of inputs) await target.run(Uint8Array.from(bytes));
  });
});

const SOURCE = `export function read(bytes) {
  if (bytes[0] === 0x7b) if (bytes[1] === 0x22) if (bytes[2] === 0x3c) if (bytes[3] === 0x0a) throw new Error("found");
  return bytes.length > 9 ? "long" : "short";
}`;

/** Tries inputs until one fails, as the fuzzer does; without guidance, nothing but the first input is ever changed. */
async function search(isGuided: boolean): Promise<boolean> {
  const coverage = createCoverage();
  (globalThis as { __fuzzHit?: unknown }).__fuzzHit = coverage.hit;
  const marked = markBranches("/packages/a/src/read.ts", SOURCE);
  const { read } = await import(`data:text/javascript,${encodeURIComponent(marked)}`);
  const choices = createChoices(1);
  const mutate = createMutator(choices, { words: [], maxBytes: 16, form: "bytes" });
  const corpus = [Buffer.from("aaaa")];
  for (let runs = 0; runs < 20_000; runs += 1) {
    const bytes = mutate(choices.pick(corpus), choices.pick(corpus));
    coverage.begin();
    try {
      read(bytes);
    } catch {
      return true;
    }
    if (coverage.countNew() > 0 && isGuided) corpus.push(Buffer.from(bytes));
  }
  return false;
}

test("inputs that take new branches lead to what no change of one input reaches", async () => {
  expect(await search(true)).toBe(true);
  expect(await search(false)).toBe(false);
});

test("a marked source does what it did", async () => {
  const text = `const pick = (value) => (value > 2 ? { big: value } : value && [value]);
    export const all = [0, 1, 3].map((value) => pick(value) ?? null);
    for (const one of all) if (one) all.count = (all.count ?? 0) + 1; else all.none = true;
    switch (all.count) { case 1: case 2: all.word = "two"; break; default: all.word = "none"; }`;
  (globalThis as { __fuzzHit?: unknown }).__fuzzHit = () => undefined;
  const load = async (source: string) =>
    (await import(`data:text/javascript,${encodeURIComponent(source)}`)).all;
  const marked = markBranches("/packages/a/src/b.ts", text);
  expect(marked.match(/__fuzzHit/g)?.length).toBeGreaterThan(9);
  expect(Object.entries(await load(marked))).toEqual(Object.entries(await load(`${text}\n`)));
});

test("a seed makes the same inputs again", () => {
  const make = (seed: number) => {
    const mutate = createMutator(createChoices(seed), { words: ["a"], maxBytes: 99, form: "json" });
    return Array.from({ length: 20 }, () =>
      mutate(Buffer.from('{"a":[1,"0x5a"]}'), Buffer.from("{}")).toString(),
    );
  };
  expect(make(7)).toEqual(make(7));
  expect(make(7)).not.toEqual(make(8));
});
