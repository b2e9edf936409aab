import { describe, expect, test } from "vitest";
import { openChain, openFixture, openNode } from "./testing/chainFixture.js";
import { contracts, installContracts, slotZero, unusedAddress } from "./testing/contracts.js";
import { createLocalChain } from "./testing/localChain.js";
import type { ChainRead } from "./types.js";

const call = (name: keyof typeof contracts) =>
  ({ kind: "call", to: contracts[name].address, data: "0x" }) as const;
const code = { kind: "code", address: contracts.answers42.address } as const;
const word = (value: number) => `0x${value.toString(16).padStart(64, "0")}`;

describe("reading at a block", () => {
  test("all reads of one call travel in one HTTP request", async () => {
    const { chain, node } = await openFixture();
    const block = await chain.latestBlock();
    const readings = await chain.readAt(block, [
      code,
      { kind: "storage", address: contracts.answers42.address, slot: slotZero },
      { kind: "balance", address: contracts.answers42.address },
      call("answers42"),
      { kind: "feeHistory", blockCount: 4, percentiles: [50] },
    ]);
    expect(readings.map(({ status }) => status)).toEqual(["value", "value", "value", "value", "value"]);
    const [, storage, balance, answer, fees] = readings;
    expect(storage).toEqual({ status: "value", value: word(7) });
    expect(balance).toEqual({ status: "value", value: "0x10" });
    expect(answer).toEqual({ status: "value", value: word(42) });
    expect(fees.status === "value" && fees.value.oldestBlock).toBe(0);
    expect(fees.status === "value" && fees.value.reward.length).toBe(2);
    expect(node.requests).toHaveLength(1);
  });

  test("absent, zero, reverted and unanswered are different readings", async () => {
    const { chain, node } = await openFixture();
    const block = await chain.latestBlock();
    node.fault = {
      kind: "edit",
      edit: (asked, honest) => (asked.method === "eth_getBalance" ? undefined : honest),
    };
    const readings = await chain.readAt(block, [
      { kind: "code", address: unusedAddress },
      { kind: "call", to: unusedAddress, data: "0x" },
      call("returnsNothing"),
      { kind: "storage", address: unusedAddress, slot: slotZero },
      call("revertsWithData"),
      call("revertsEmpty"),
      call("invalidOpcode"),
      call("runsOutOfGas"),
      call("stackUnderflow"),
      { kind: "balance", address: unusedAddress },
    ]);
    expect(readings).toEqual([
      { status: "absent" },
      { status: "absent" },
      { status: "absent" },
      { status: "value", value: word(0) },
      { status: "reverted", data: "0xdeadbeef" },
      { status: "reverted", data: null },
      { status: "reverted", data: null },
      { status: "reverted", data: null },
      { status: "reverted", data: null },
      { status: "unanswered", reason: "no_answer" },
    ]);
  });

  test("an answer stays true to its block after the chain has moved on", async () => {
    const { chain, local } = await openFixture();
    const before = await chain.latestBlock();
    await local.rpc("evm_mine");
    await local.rpc("hardhat_setStorageAt", contracts.answers42.address, "0x0", word(8));
    await local.rpc("evm_mine");
    const after = await chain.latestBlock();
    const read = [{ kind: "storage", address: contracts.answers42.address, slot: "0x0" }] as const;
    expect(await chain.readAt(before, read)).toEqual([{ status: "value", value: word(7) }]);
    expect(await chain.readAt(after, read)).toEqual([{ status: "value", value: word(8) }]);
  });

  test("a known answer is not asked for again", async () => {
    const { chain, node } = await openFixture();
    const block = await chain.latestBlock();
    await chain.readAt(block, [code, call("revertsWithData")]);
    await chain.readAt(block, [call("revertsWithData"), code, call("answers42")]);
    expect(node.requests.map((calls) => calls.length)).toEqual([2, 1]);
  });

  test("a hundred concurrent identical reads cause one request", async () => {
    const { chain, node } = await openFixture();
    const block = await chain.latestBlock();
    const all = await Promise.all(
      Array.from({ length: 100 }, () => chain.readAt(block, [code, call("answers42"), code])),
    );
    expect(new Set(all.map((readings) => JSON.stringify(readings))).size).toBe(1);
    expect(node.requests.map((calls) => calls.length)).toEqual([2]);
  });

  test("what was unanswered is asked for again next time", async () => {
    const { chain, node } = await openFixture();
    const block = await chain.latestBlock();
    node.fault = { kind: "edit", edit: () => ({ result: null }) };
    expect(await chain.readAt(block, [code])).toEqual([{ status: "unanswered", reason: "unknown_block" }]);
    node.fault = undefined;
    expect(await chain.readAt(block, [code])).toEqual([{ status: "value", value: contracts.answers42.code }]);
  });

  test("a batch above the limit is split and every answer finds its place", async () => {
    const { chain, node } = await openFixture();
    const block = await chain.latestBlock();
    const reads = Array.from({ length: 230 }, (_, i): ChainRead => {
      return { kind: "balance", address: `0x${(0xc001 + i).toString(16).padStart(40, "0")}` };
    });
    const readings = await chain.readAt(block, reads);
    expect(readings[0]).toEqual({ status: "value", value: "0x10" });
    expect(readings.slice(1).every((r) => r.status === "value" && r.value === "0x0")).toBe(true);
    expect(node.requests.map((calls) => calls.length).sort()).toEqual([100, 100, 30]);
  });

  test("a node with a smaller batch limit is still read", async () => {
    const { chain, node } = await openFixture();
    const block = await chain.latestBlock();
    node.fault = { kind: "maxBatch", size: 2 };
    const readings = await chain.readAt(block, [
      call("answers42"),
      code,
      { kind: "balance", address: contracts.answers42.address },
      call("revertsWithData"),
      { kind: "code", address: unusedAddress },
    ]);
    expect(readings.map(({ status }) => status)).toEqual(["value", "value", "value", "reverted", "absent"]);
  });

  test("no reads make no request", async () => {
    const { chain, node } = await openFixture();
    expect(await chain.readAt(await chain.latestBlock(), [])).toEqual([]);
    expect(node.requests).toEqual([]);
  });
});

describe("a node that misbehaves", () => {
  const garbage: [string, unknown][] = [
    ["a number", 42],
    ["text", "hello"],
    ["an odd number of digits", "0x123"],
    ["an object", {}],
    ["an empty array", []],
  ];
  test.each(garbage)("%s where bytes are due is no reading", async (_, result) => {
    const { chain, node } = await openFixture();
    const block = await chain.latestBlock();
    node.fault = { kind: "edit", edit: () => ({ result }) };
    expect(await chain.readAt(block, [call("answers42")])).toEqual([
      { status: "unanswered", reason: "malformed_answer" },
    ]);
  });

  test("null is the answer of a backend that does not have the block", async () => {
    const { chain, node } = await openFixture();
    const block = await chain.latestBlock();
    node.fault = { kind: "edit", edit: () => ({ result: null }) };
    expect(await chain.readAt(block, [call("answers42")])).toEqual([
      { status: "unanswered", reason: "unknown_block" },
    ]);
  });

  test("answers in another order are matched by id", async () => {
    const { chain, node } = await openFixture();
    const block = await chain.latestBlock();
    node.fault = { kind: "reversed" };
    expect(await chain.readAt(block, [call("answers42"), call("revertsWithData"), code])).toEqual([
      { status: "value", value: word(42) },
      { status: "reverted", data: "0xdeadbeef" },
      { status: "value", value: contracts.answers42.code },
    ]);
  });

  test.each([
    ["an HTML 502", { kind: "status", status: 502 }, "http_502"],
    ["an HTML page with status 200", { kind: "body", body: "<html></html>" }, "not_json"],
    ["an empty array", { kind: "body", body: "[]" }, "no_answer"],
    ["the word null", { kind: "body", body: "null" }, "no_answer"],
    ["a foreign id", { kind: "body", body: '{"jsonrpc":"2.0","id":-1,"result":"0x01"}' }, "no_answer"],
    ["a reset connection", { kind: "reset" }, "connection_failed"],
    ["a hang", { kind: "hang" }, "timeout"],
    ["a refused key", { kind: "status", status: 403 }, "http_403"],
  ] as const)("%s leaves the reading unanswered", async (_, fault, reason) => {
    const { chain, node } = await openFixture({ requestTimeoutMs: 400 });
    const block = await chain.latestBlock();
    node.fault = fault;
    expect(await chain.readAt(block, [call("answers42")])).toEqual([{ status: "unanswered", reason }]);
  });

  test("an internal error of the node is no revert", async () => {
    const { chain, node } = await openFixture();
    const block = await chain.latestBlock();
    node.fault = {
      kind: "edit",
      edit: () => ({ error: { code: -32603, message: "Internal error" } }),
    };
    expect(await chain.readAt(block, [call("answers42")])).toEqual([
      { status: "unanswered", reason: "node_error_-32603" },
    ]);
  });

  test("a node that does not have the block yet is given a moment", async () => {
    const { chain, node } = await openFixture();
    const block = await chain.latestBlock();
    let asked = 0;
    node.fault = {
      kind: "edit",
      edit: (_, honest) =>
        ++asked === 1 ? { error: { code: -32000, message: "header not found" } } : honest,
    };
    expect(await chain.readAt(block, [call("answers42")])).toEqual([{ status: "value", value: word(42) }]);
  });

  test("a node that lags is given more time than one that fails", async () => {
    const { chain, node } = await openFixture();
    const block = await chain.latestBlock();
    const failFor = (times: number, message: string) => {
      let asked = 0;
      node.fault = {
        kind: "edit",
        // Polls of the head are left alone.
        edit: ({ method }, honest) =>
          method !== "eth_getBlockByNumber" && ++asked <= times
            ? { error: { code: -32000, message } }
            : honest,
      };
    };
    failFor(3, "header not found");
    expect(await chain.readAt(block, [call("answers42")])).toEqual([{ status: "value", value: word(42) }]);
    failFor(3, "upstream unavailable");
    expect(await chain.readAt(block, [code])).toEqual([{ status: "unanswered", reason: "gateway_error" }]);
  });

  test("a block no node has is unanswered, not absent and not reverted", async () => {
    const { chain } = await openFixture();
    const block = { ...(await chain.latestBlock()), hash: `0x${"ab".repeat(32)}` as const };
    expect(
      await chain.readAt(block, [
        code,
        call("revertsWithData"),
        { kind: "feeHistory", blockCount: 1, percentiles: [] },
      ]),
    ).toEqual([
      { status: "unanswered", reason: "unknown_block" },
      { status: "unanswered", reason: "unknown_block" },
      { status: "unanswered", reason: "block_changed" },
    ]);
  });
});

describe("a node that cannot pin by hash", () => {
  const isPinned = (params: readonly unknown[]) => typeof params.at(-1) === "object";

  async function openWith(answerToHash: (honest: object) => object) {
    const local = await createLocalChain();
    await installContracts(local);
    const node = await openNode(local);
    node.fault = {
      kind: "edit",
      edit: ({ method, params }, honest) =>
        isPinned(params) && method !== "eth_feeHistory" ? answerToHash(honest) : honest,
    };
    return { local, node, chain: await openChain([node]) };
  }
  const refuse = () => ({ error: { code: -32602, message: "invalid argument 1: cannot unmarshal object" } });

  test("is read by number, enclosed by checks of the hash, when it refuses", async () => {
    const { chain, node } = await openWith(refuse);
    const block = await chain.latestBlock();
    expect(await chain.readAt(block, [call("answers42"), code])).toEqual([
      { status: "value", value: word(42) },
      { status: "value", value: contracts.answers42.code },
    ]);
    expect(node.requests.map((calls) => calls.map(({ method }) => method))).toEqual([
      ["eth_getBlockByNumber", "eth_call", "eth_getCode", "eth_getBlockByNumber"],
    ]);
  });

  test("is read by number when it ignores the hash and answers anyway", async () => {
    const { chain, local } = await openWith(() => ({ result: "0x" }));
    const block = await chain.latestBlock();
    await local.rpc("hardhat_mine", "0x2");
    expect(await chain.readAt(block, [call("answers42")])).toEqual([{ status: "value", value: word(42) }]);
  });

  test("is recognised by its first refusal where start-up could not decide it", async () => {
    const { chain, node } = await openWith(() => ({ error: { code: -32603, message: "busy" } }));
    const block = await chain.latestBlock();
    node.fault = {
      kind: "edit",
      edit: ({ params }, honest) => (isPinned(params) ? refuse() : honest),
    };
    expect(await chain.readAt(block, [call("answers42")])).toEqual([{ status: "value", value: word(42) }]);
    await chain.readAt(block, [code]);
    expect(node.requests.map((calls) => calls.length)).toEqual([1, 3, 3]);
  });

  test("returns no reading of a block that was replaced", async () => {
    const { chain, local } = await openWith(refuse);
    const snapshot = await local.rpc("evm_snapshot");
    await local.rpc("evm_mine");
    const block = await chain.latestBlock();
    await local.rpc("evm_revert", snapshot);
    await local.rpc("hardhat_setCoinbase", unusedAddress);
    await local.rpc("evm_mine");
    expect(await chain.readAt(block, [call("answers42")])).toEqual([
      { status: "unanswered", reason: "block_changed" },
    ]);
  });
});
