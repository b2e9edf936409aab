import type { Hex } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { openChain, openFixture, openNode } from "./testing/chainFixture.js";
import { contracts, unusedAddress } from "./testing/contracts.js";
import type { FaultyNode } from "./testing/faultyNode.js";

const trace = (data: Hex = "0x") =>
  ({
    kind: "trace",
    from: unusedAddress,
    to: contracts.answers42.address,
    data,
    value: 0n,
    gasPrice: 9n,
  }) as const;
const code = { kind: "code", address: contracts.answers42.address } as const;

function refuse(
  node: FaultyNode,
  error = { code: -32601, message: "the method debug_traceCall does not exist" },
) {
  node.fault = {
    kind: "edit",
    edit: ({ method }, honest) => (method === "debug_traceCall" ? { error } : honest),
  };
}
const methodsOf = (node: FaultyNode) => node.requests.map((calls) => calls.map(({ method }) => method));

describe("a trace", () => {
  test("travels beside the other reads, at the price and with the gas of a transaction", async () => {
    const { chain, node } = await openFixture();
    const [read, traced] = await chain.readAt(await chain.latestBlock(), [code, trace()]);
    expect(read.status).toBe("value");
    expect(traced).toMatchObject({ status: "value", value: { success: true, creates: false } });
    expect(methodsOf(node).sort()).toEqual([["debug_traceCall"], ["eth_getCode"]]);
    const [call] = node.requests.flat().find(({ method }) => method === "debug_traceCall")?.params ?? [];
    expect(call).toMatchObject({ gas: "0x1000000", gasPrice: "0x9" });
  });

  test("that no node offers is absent, and is not asked for again for a while", async () => {
    const { chain, node } = await openFixture();
    refuse(node);
    const block = await chain.latestBlock();
    expect(await chain.readAt(block, [trace()])).toEqual([{ status: "absent" }]);
    expect(await chain.readAt(block, [trace("0x12")])).toEqual([{ status: "absent" }]);
    expect(methodsOf(node)).toEqual([["debug_traceCall"]]);
  });

  test("is taken from another node where the first one offers none", async () => {
    const { local, node } = await openFixture();
    const other = await openNode(local);
    refuse(node);
    const chain = await openChain([node, other]);
    const [traced] = await chain.readAt(await chain.latestBlock(), [trace()]);
    expect(traced.status).toBe("value");
  });

  test("that failed for another reason is unanswered, and is asked for again", async () => {
    const { chain, node } = await openFixture();
    refuse(node, { code: -32000, message: "execution timeout" });
    const block = await chain.latestBlock();
    expect(await chain.readAt(block, [trace()])).toMatchObject([{ status: "unanswered" }]);
    node.fault = undefined;
    expect(await chain.readAt(block, [trace()])).toMatchObject([{ status: "value" }]);
  });
});

test("an estimate is asked with the gas that one transaction may use", async () => {
  const { chain, node } = await openFixture();
  const { kind: _, ...transaction } = trace();
  const [estimate] = await chain.readAt(await chain.latestBlock(), [{ kind: "gasEstimate", ...transaction }]);
  expect(estimate.status).toBe("value");
  expect(node.requests[0]?.[0]?.params[0]).toMatchObject({ gas: "0x1000000", gasPrice: "0x9" });
});

describe("a search for events", () => {
  const logs = { kind: "logs", fromBlock: 0, topics: [`0x${"11".repeat(32)}`] } as const;

  test("ends at the pinned block", async () => {
    const { chain, node } = await openFixture();
    const block = await chain.latestBlock();
    expect(await chain.readAt(block, [logs])).toEqual([{ status: "value", value: [] }]);
    const [filter] = node.requests.flat().find(({ method }) => method === "eth_getLogs")?.params ?? [];
    expect(filter).toMatchObject({ fromBlock: "0x0", toBlock: `0x${block.number.toString(16)}` });
  });

  test("over more blocks than a node searches is absent", async () => {
    const { chain, node } = await openFixture();
    const error = { code: -32005, message: "query exceeds max block range" };
    node.fault = {
      kind: "edit",
      edit: ({ method }, honest) => (method === "eth_getLogs" ? { error } : honest),
    };
    expect(await chain.readAt(await chain.latestBlock(), [logs])).toEqual([{ status: "absent" }]);
  });
});
