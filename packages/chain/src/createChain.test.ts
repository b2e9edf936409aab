import { AssayError } from "@assay/protocol";
import { describe, expect, test, vi } from "vitest";
import { createChain } from "./createChain.js";
import type { RequestInfo } from "./jsonRpcTransport.js";
import { RpcError } from "./rpcError.js";
import { openChain, openFixture, openNode } from "./testing/chainFixture.js";
import { contracts, installContracts } from "./testing/contracts.js";
import { createLocalChain } from "./testing/localChain.js";
import type { BlockHeader } from "./types.js";
import { WrongChainError } from "./wrongChainError.js";

const code = { kind: "code", address: contracts.answers42.address } as const;
const readCode = { status: "value", value: contracts.answers42.code };

async function openTwoNodes(options = {}) {
  const local = await createLocalChain();
  await installContracts(local);
  const first = await openNode(local);
  const second = await openNode(local);
  return { local, first, second, chain: await openChain([first, second], options) };
}

describe("start-up", () => {
  test("a node of another chain is refused by name", async () => {
    const node = await openNode(await createLocalChain(1));
    const opening = createChain({ rpcUrls: [node.url], expectedChainId: 8453 });
    await expect(opening).rejects.toThrow(WrongChainError);
    await expect(opening).rejects.toThrow(`The node at ${node.host} serves chain 1, not chain 8453.`);
  });

  test("no reachable node is chain_unavailable", async () => {
    const node = await openNode(await createLocalChain());
    node.fault = { kind: "status", status: 502 };
    await expect(createChain({ rpcUrls: [node.url], expectedChainId: 8453 })).rejects.toMatchObject({
      code: "chain_unavailable",
    });
  });

  test("the head is known at once", async () => {
    const { chain } = await openFixture();
    expect(chain.getFreshHead().header.number).toBe(1);
  });

  test("one node of two that does not answer does not stop it, and is used when it returns", async () => {
    const local = await createLocalChain();
    await installContracts(local);
    const first = await openNode(local);
    const second = await openNode(local);
    first.fault = { kind: "reset" };
    const chain = await openChain([first, second]);
    const block = await chain.latestBlock();
    expect(await chain.readAt(block, [code])).toEqual([readCode]);
    first.fault = undefined;
    second.fault = { kind: "reset" };
    await vi.waitFor(() => expect(chain.request("eth_chainId", [])).resolves.toBe("0x2105"), 5_000);
  });

  test("a node that returns as another chain is not read", async () => {
    const local = await createLocalChain();
    await installContracts(local);
    const good = await openNode(local);
    const late = await openNode(await createLocalChain(1));
    late.fault = { kind: "reset" };
    const chain = await openChain([late, good]);
    late.fault = undefined;
    const block = await chain.latestBlock();
    good.fault = { kind: "edit", edit: () => undefined };
    const [reading] = await chain.readAt(block, [code]);
    expect(reading).toMatchObject({ status: "unanswered" });
    expect(late.requests.flat().every(({ method }) => method !== "eth_getCode")).toBe(true);
  });
});

describe("failover", () => {
  test.each([
    ["resets connections", { kind: "reset" }],
    ["answers HTML 502", { kind: "status", status: 502 }],
    ["answers 429", { kind: "status", status: 429, headers: { "retry-after": "30" } }],
    ["hangs", { kind: "hang" }],
    ["answers nothing", { kind: "body", body: "[]" }],
    ["answers null", { kind: "edit", edit: () => ({ result: null }) }],
    [
      "lacks the block",
      { kind: "edit", edit: () => ({ error: { code: -32000, message: "header not found" } }) },
    ],
    [
      "is rate limited inside HTTP 200",
      { kind: "edit", edit: () => ({ error: { code: -32005, message: "rate limit exceeded" } }) },
    ],
  ] as const)("the second node answers when the first %s", async (_, fault) => {
    const { chain, first, second } = await openTwoNodes({ requestTimeoutMs: 500 });
    const block = await chain.latestBlock();
    first.fault = fault;
    expect(await chain.readAt(block, [code])).toEqual([readCode]);
    expect(second.requests.flat().map(({ method }) => method)).toContain("eth_getCode");
  });

  test("only what the first node left open goes to the second", async () => {
    const { chain, first, second } = await openTwoNodes();
    // The header of the newest block would be known already.
    const block = (await chain.findBlock(chain.getFreshHead().header.number - 1)) as BlockHeader;
    first.requests.length = 0;
    second.requests.length = 0;
    first.fault = {
      kind: "edit",
      edit: (call, honest) => (call.method === "eth_getProof" ? undefined : honest),
    };
    const proof = { kind: "proof", address: code.address, slots: [] } as const;
    const readings = await chain.readAt(block, [{ kind: "header" }, proof]);
    expect(readings.map(({ status }) => status)).toEqual(["value", "value"]);
    // The first one is asked once more: some gateways answer as much of a batch as they like.
    expect(first.requests.map((calls) => calls.length)).toEqual([2, 1]);
    expect(second.requests.map((calls) => calls.map(({ method }) => method))).toEqual([["eth_getProof"]]);
  });

  test("a node that keeps failing is not asked for a while, and is used again after it recovers", async () => {
    const { chain, node } = await openFixture();
    const block = await chain.latestBlock();
    node.fault = { kind: "reset" };
    await chain.readAt(block, [code]);
    const asked = node.requests.length;
    expect(asked).toBeLessThanOrEqual(3);
    const outage = await Promise.all(Array.from({ length: 50 }, () => chain.readAt(block, [code])));
    expect(new Set(outage.map(([reading]) => reading.status))).toEqual(new Set(["unanswered"]));
    expect(node.requests.length - asked).toBeLessThanOrEqual(2);
    node.fault = undefined;
    await vi.waitFor(async () => expect(await chain.readAt(block, [code])).toEqual([readCode]), 10_000);
  });

  test("a short Retry-After is waited out when there is no other node", async () => {
    const { chain, node } = await openFixture();
    const block = await chain.latestBlock();
    node.fault = { kind: "status", status: 429, headers: { "retry-after": "1" } };
    const reading = chain.readAt(block, [code]);
    await vi.waitFor(() => expect(node.requests.length).toBe(1));
    node.fault = undefined;
    expect(await reading).toEqual([readCode]);
  });
});

describe("a single request", () => {
  test("returns the node's result", async () => {
    const { chain } = await openFixture();
    expect(await chain.request<string>("eth_chainId", [])).toBe("0x2105");
  });

  test("throws the node's own error with its code and data", async () => {
    const { chain } = await openFixture();
    const calling = chain.request("eth_call", [{ to: contracts.revertsWithData.address }, "latest"]);
    await expect(calling).rejects.toThrow(RpcError);
    await expect(calling).rejects.toMatchObject({ code: -32000, data: { data: "0xdeadbeef" } });
  });

  test("throws chain_unavailable when no node answers", async () => {
    const { chain, node } = await openFixture();
    node.fault = { kind: "reset" };
    await expect(chain.request("eth_chainId", [])).rejects.toThrow(AssayError);
    await expect(chain.latestBlock()).rejects.toMatchObject({ code: "chain_unavailable" });
  });

  test("a transaction that may have arrived is not sent twice", async () => {
    const { chain, first, second } = await openTwoNodes();
    first.fault = { kind: "reset" };
    await expect(chain.request("eth_sendRawTransaction", ["0x00"])).rejects.toMatchObject({
      code: "chain_unavailable",
    });
    const sent = [...first.requests, ...second.requests].flat();
    expect(sent.filter(({ method }) => method === "eth_sendRawTransaction")).toHaveLength(1);
  });

  test("every HTTP request is reported with its endpoint, methods and outcome", async () => {
    const seen: RequestInfo[] = [];
    const { chain, node } = await openFixture({ onRequest: (info) => seen.push(info) });
    seen.length = 0;
    await chain.request("eth_gasPrice", []);
    node.fault = { kind: "status", status: 500 };
    await chain.request("eth_syncing", []).catch(() => {});
    expect(seen).toContainEqual(
      expect.objectContaining({ endpoint: node.host, methods: ["eth_gasPrice"], ok: true }),
    );
    expect(seen).toContainEqual(expect.objectContaining({ methods: ["eth_syncing"], ok: false }));
  });
});

describe("the finalized block", () => {
  test("is the node's own", async () => {
    const { chain, node } = await openFixture();
    const finalized = await chain.findFinalizedBlock();
    expect(finalized).toEqual(await chain.latestBlock());
    expect(node.requests.flat()).toMatchObject([{ params: ["finalized", false] }]);
  });

  test.each([
    ["null", { result: null }],
    ["an error", { error: { code: -39001, message: "Unknown block" } }],
  ])("is undefined where the node says so with %s", async (_, answer) => {
    const { chain, node } = await openFixture();
    node.fault = { kind: "edit", edit: () => answer };
    expect(await chain.findFinalizedBlock()).toBeUndefined();
  });

  test("is not undefined but chain_unavailable when the node does not answer", async () => {
    const { chain, node } = await openFixture();
    node.fault = { kind: "reset" };
    await expect(chain.findFinalizedBlock()).rejects.toMatchObject({ code: "chain_unavailable" });
  });
});

describe("questions of one turn", () => {
  const readMany = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      ...code,
      address: `0x${(i + 1).toString(16).padStart(40, "0")}` as const,
    }));

  test("share a request, up to 48, and each caller gets its own answers", async () => {
    const { chain, node } = await openFixture();
    const block = await chain.latestBlock();
    node.requests.length = 0;
    const answers = await Promise.all([
      ...readMany(50).map((read) => chain.readAt(block, [read])),
      chain.readAt(block, [code]),
    ]);
    expect(node.requests.map((calls) => calls.length).sort()).toEqual([3, 48]);
    expect(answers.at(-1)).toEqual([readCode]);
    expect(
      answers
        .slice(0, 50)
        .flat()
        .every(({ status }) => status === "absent"),
    ).toBe(true);
  });

  test("but a transaction travels alone", async () => {
    const { chain, node } = await openFixture();
    const block = await chain.latestBlock();
    node.requests.length = 0;
    await Promise.all([
      chain.readAt(block, [code]),
      chain.request("eth_sendRawTransaction", ["0x00"]).catch(() => undefined),
      chain.readLatest([code]),
    ]);
    const sent = node.requests.filter((calls) =>
      calls.some(({ method }) => method === "eth_sendRawTransaction"),
    );
    expect(sent.map((calls) => calls.length)).toEqual([1]);
    expect(node.requests).toHaveLength(2);
  });
});
