import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createChain } from "./createChain.js";
import { contracts, installContracts } from "./testing/contracts.js";
import { createLocalChain } from "./testing/localChain.js";
import { startWebSocketNode } from "./testing/webSocketNode.js";

const PATIENCE = { timeout: 10_000, interval: 25 };
const code = { kind: "code", address: contracts.answers42.address } as const;
const call = { kind: "call", to: contracts.answers42.address, data: "0x" } as const;

async function open() {
  const local = await createLocalChain();
  await installContracts(local);
  const node = await startWebSocketNode(local);
  onTestFinished(() => node.close());
  const chain = await createChain({ rpcUrls: [node.url], expectedChainId: 8453 });
  onTestFinished(() => chain.close());
  return { local, node, chain };
}

describe("a node behind a WebSocket", () => {
  test("answers reads, in batches and alone", async () => {
    const { chain } = await open();
    const block = await chain.latestBlock();
    const readings = await chain.readAt(block, [code, call]);
    expect(readings).toMatchObject([{ value: contracts.answers42.code }, { status: "value" }]);
    expect(await chain.request("eth_chainId", [])).toBe("0x2105");
  });

  test("sends its heads, so that nobody has to ask for them", async () => {
    const { chain, local, node } = await open();
    await vi.waitFor(() => expect(node.calls.get("eth_subscribe")).toBe(1), PATIENCE);
    const asked = node.calls.get("eth_getBlockByNumber");
    await local.rpc("evm_mine");
    await node.sendHead();
    await vi.waitFor(() => expect(chain.findHead()?.header.number).toBe(2), PATIENCE);
    expect(node.calls.get("eth_getBlockByNumber")).toBe(asked);
  });

  test("that stops sending its heads, without hanging up, is polled for them", async () => {
    const { chain, local, node } = await open();
    await local.rpc("hardhat_mine", "0x5", "0x1");
    await vi.waitFor(
      () => node.sendHead().then(() => expect(chain.findHead()?.header.number).toBe(6)),
      PATIENCE,
    );
    await local.rpc("evm_mine");
    // Sooner than a node is polled that still sends.
    const patience = { timeout: 4_500, interval: 25 };
    await vi.waitFor(() => expect(chain.findHead()?.header.number).toBe(7), patience);
  });

  test("is connected to again, and subscribed to again, after it hung up", async () => {
    const { chain, local, node } = await open();
    await vi.waitFor(() => expect(node.calls.get("eth_subscribe")).toBe(1), PATIENCE);
    node.disconnect();
    await vi.waitFor(() => expect(chain.latestBlock()).resolves.toMatchObject({ number: 1 }), PATIENCE);
    await vi.waitFor(() => expect(node.calls.get("eth_subscribe")).toBe(2), PATIENCE);
    await local.rpc("evm_mine");
    await node.sendHead();
    await vi.waitFor(() => expect(chain.findHead()?.header.number).toBe(2), PATIENCE);
  });

  test("that hangs up before it answers is no answer", async () => {
    const { chain, node } = await open();
    const block = await chain.latestBlock();
    const reading = chain.readAt(block, [call]);
    await node.close();
    expect(await reading).toMatchObject([{ status: "unanswered" }]);
  });
});
