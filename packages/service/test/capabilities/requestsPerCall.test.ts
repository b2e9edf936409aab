import { readFileSync } from "node:fs";
import { createChain } from "@assay/chain";
import { devnetChain } from "@assay/chain/testing/devnetChain";
import { type FaultyNode, type NodeCall, startFaultyNode } from "@assay/chain/testing/faultyNode";
import { unfoldCall } from "@assay/chain/testing/unfoldCall";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type MatrixWorld, type Outcome, openMatrixWorld } from "./testing/profileMatrix.js";

interface Asked {
  readonly requests: number;
  readonly outcome: Outcome;
}

let world: MatrixWorld;
let node: FaultyNode;
let folded: Map<string, Asked>;
let apart: Map<string, Asked>;

beforeAll(async () => {
  world = await openMatrixWorld();
  node = await startFaultyNode(devnetChain(world.service.chainOf));
  folded = await askAll();
  node.fault = {
    kind: "edit",
    edit: (call, honest) =>
      unfoldCall(call).length > 0 ? { error: { code: -32602, message: "too many arguments" } } : honest,
  };
  apart = await askAll();
  if (process.env.SHOW_REQUESTS)
    console.table([...folded].map(([name, { requests }]) => [name, requests, apart.get(name)?.requests]));
}, 120_000);
afterAll(async () => {
  await node?.close();
  await world?.service.stop();
});

/** Every row at a block of its own, with a client that knows what its node can. Polls of the head are not counted. */
async function askAll(): Promise<Map<string, Asked>> {
  const chain = await createChain({
    rpcUrls: [node.url],
    expectedChainId: 8453,
    // On a busy machine a slow answer must not become none.
    requestTimeoutMs: 15_000,
  });
  const asked = new Map<string, Asked>();
  try {
    await chain.probeNodes();
    // Show that the node gives proofs, and whether it takes overrides.
    for (const name of ["contract.guard", "contract.interface"])
      await world.rows.find((row) => row.name === name)?.ask(chain);
    for (const row of world.rows) {
      await world.service.chainOf.mine();
      await chain.latestBlock();
      // What is read ahead is read at a block before that of the answer.
      await world.service.chainOf.mine();
      node.requests.length = 0;
      const outcome = await row.ask(chain);
      asked.set(row.name, { outcome, requests: countRequests(node.requests) });
    }
  } finally {
    await chain.close();
  }
  return asked;
}

/** As providers bill them: each request of a batch. */
const countRequests = (trips: readonly (readonly NodeCall[])[]) => trips.flat().length;

test("each answer is asked for with no more requests than docs/chain-reads.md states", () => {
  const page = readFileSync(new URL("../../../../docs/chain-reads.md", import.meta.url), "utf8");
  const sections = page.split("\n## ");
  const stated = (sections.find((section) => section.startsWith("JSON-RPC requests per answer")) ?? "")
    .split("\n")
    .filter((line) => /^\| [a-z]/.test(line) && !line.startsWith("| answer"))
    .map((line) => line.split("|").map((cell) => cell.trim()));
  expect(stated.map(([, name]) => name).sort()).toEqual([...folded.keys()].sort());
  const more = stated.filter(
    ([, name = "", most, mostApart]) =>
      Number(folded.get(name)?.requests) > Number(most) ||
      Number(apart.get(name)?.requests) > Number(mostApart),
  );
  expect(more).toEqual([]);
});

test("a node that takes no state overrides is asked more and answers the same", () => {
  const total = (all: Map<string, Asked>) =>
    [...all.values()].reduce((sum, { requests }) => sum + requests, 0);
  expect(total(folded)).toBeLessThan(total(apart) / 1.5);
  for (const [name, { outcome }] of apart) expect([name, outcome]).toEqual([name, folded.get(name)?.outcome]);
});
