import { describe, expect, test, vi } from "vitest";
import { openChain, openFixture, openNode } from "./testing/chainFixture.js";
import { unusedAddress } from "./testing/contracts.js";
import { isHeadPoll } from "./testing/faultyNode.js";
import { createLocalChain, type LocalChain } from "./testing/localChain.js";

const PATIENCE = { timeout: 15_000, interval: 50 };

async function mineWithPeriod(local: LocalChain, blocks: number, seconds: number): Promise<void> {
  await local.rpc("hardhat_mine", `0x${blocks.toString(16)}`, `0x${seconds.toString(16)}`);
}

describe("the followed head", () => {
  test("moves with the chain without being asked", async () => {
    const { chain, local } = await openFixture();
    await mineWithPeriod(local, 3, 1);
    await vi.waitFor(() => expect(chain.getFreshHead().header.number).toBe(4), PATIENCE);
  });

  test("is updated at once by a caller that asks for the newest block", async () => {
    const { chain, local } = await openFixture();
    await local.rpc("evm_mine");
    const block = await chain.latestBlock();
    expect(chain.findHead()?.header).toEqual(block);
    expect(block.number).toBe(2);
  });

  test("concurrent requests for the newest block share one HTTP request", async () => {
    let polls = 0;
    const { chain } = await openFixture({
      // Without polls in between.
      timing: { minPollMs: 60_000, maxPollMs: 60_000 },
      onRequest: ({ methods }) => {
        if (methods[0] === "eth_getBlockByNumber") polls += 1;
      },
    });
    polls = 0;
    const blocks = await Promise.all(Array.from({ length: 50 }, () => chain.latestBlock()));
    expect(new Set(blocks.map(({ hash }) => hash)).size).toBe(1);
    expect(polls).toBe(1);
  });

  test("is not polled for while callers ask for newer blocks, and is polled while it stands still", async () => {
    let asked = 0;
    const { chain, local } = await openFixture({
      timing: { minPollMs: 900, maxPollMs: 900 },
      onRequest: () => (asked += 1),
    });
    const askFor = async (mine: boolean) => {
      asked = 0;
      for (let i = 0; i < 6; i++) {
        if (mine) await local.rpc("evm_mine");
        await chain.latestBlock();
        await new Promise((resume) => setTimeout(resume, 250));
      }
      return asked;
    };
    expect(await askFor(true)).toBe(6);
    expect(await askFor(false)).toBeGreaterThan(6);
  });

  test("a request after a block was mined is not answered by one from before it", async () => {
    const local = await createLocalChain();
    let holds = false;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow: LocalChain = {
      ...local,
      async answer(method, params) {
        const answer = await local.answer(method, params);
        const isHeld = holds;
        holds = false;
        if (isHeld) await released;
        return answer;
      },
    };
    const chain = await openChain([await openNode(slow)]);
    const { number } = await chain.latestBlock();
    holds = true;
    const before = chain.latestBlock();
    await vi.waitFor(() => expect(holds).toBe(false), PATIENCE);
    await local.rpc("evm_mine");
    const after = chain.latestBlock();
    release();
    expect((await before).number).toBeLessThanOrEqual((await after).number);
    expect((await after).number).toBe(number + 1);
  });

  test("is stale thirty seconds after the last new block, though the node still answers", async () => {
    let ahead = 0;
    const { chain, local } = await openFixture({ now: () => Date.now() + ahead });
    ahead = 25_000;
    expect(chain.getFreshHead().header.number).toBe(1);
    ahead = 35_000;
    await chain.latestBlock();
    expect(() => chain.getFreshHead()).toThrow(expect.objectContaining({ code: "chain_head_stale" }));
    await mineWithPeriod(local, 1, 1);
    await local.rpc("evm_increaseTime", 36);
    await local.rpc("evm_mine");
    await chain.latestBlock();
    expect(chain.getFreshHead().header.number).toBe(3);
  });

  test("is stale when the node stopped long ago, even if just seen", async () => {
    const { chain } = await openFixture({ now: () => Date.now() + 60_000 });
    expect(() => chain.getFreshHead()).toThrow(expect.objectContaining({ code: "chain_head_stale" }));
  });

  test("does not step back when a lagging backend answers now and then", async () => {
    const { chain, local, node } = await openFixture();
    const old = await local.answer("eth_getBlockByNumber", ["latest", false]);
    await mineWithPeriod(local, 5, 1);
    await chain.latestBlock();
    let polls = 0;
    node.fault = {
      kind: "edit",
      edit: (call, honest) => (isHeadPoll(call) && ++polls % 2 === 0 ? old : honest),
    };
    await vi.waitFor(() => {
      expect(chain.findHead()?.header.number).toBe(6);
      expect(polls).toBeGreaterThanOrEqual(7);
    }, PATIENCE);
  });

  test("follows the chain down after a snapshot is restored", async () => {
    const { chain, local } = await openFixture();
    const snapshot = await local.rpc("evm_snapshot");
    await mineWithPeriod(local, 5, 1);
    await chain.latestBlock();
    await local.rpc("evm_revert", snapshot);
    expect((await chain.latestBlock()).number).toBe(1);
    expect(chain.findHead()?.header.number).toBe(6);
    await vi.waitFor(() => expect(chain.findHead()?.header.number).toBe(1), PATIENCE);
  });

  test("takes over a replaced block of the same height", async () => {
    const { chain, local } = await openFixture();
    const snapshot = await local.rpc("evm_snapshot");
    await local.rpc("evm_mine");
    const replaced = await chain.latestBlock();
    await local.rpc("evm_revert", snapshot);
    await local.rpc("hardhat_setCoinbase", unusedAddress);
    await local.rpc("evm_mine");
    await vi.waitFor(() => {
      expect(chain.findHead()?.header.number).toBe(replaced.number);
      expect(chain.findHead()?.header.hash).not.toBe(replaced.hash);
    }, PATIENCE);
  });

  test("moves to another node when the preferred one stops at a block", async () => {
    const local = await createLocalChain();
    await mineWithPeriod(local, 40, 1);
    const frozen = await local.answer("eth_getBlockByNumber", ["latest", false]);
    const stuck = await openNode(local);
    const healthy = await openNode(local);
    stuck.fault = { kind: "edit", edit: (call, honest) => (isHeadPoll(call) ? frozen : honest) };
    let ahead = 0;
    const chain = await openChain([stuck, healthy], { now: () => Date.now() + ahead });
    await mineWithPeriod(local, 3, 1);
    ahead = 20_000;
    await vi.waitFor(() => expect(chain.findHead()?.header.number).toBe(43), PATIENCE);
    expect((await chain.latestBlock()).number).toBe(43);
  });

  test("a backend far behind is asked again, in case another one answers", async () => {
    const local = await createLocalChain();
    await mineWithPeriod(local, 10, 1);
    const old = await local.answer("eth_getBlockByNumber", ["latest", false]);
    await mineWithPeriod(local, 40, 1);
    const node = await openNode(local);
    const chain = await openChain([node], { timing: { minPollMs: 60_000, maxPollMs: 60_000 } });
    let asked = 0;
    node.fault = {
      kind: "edit",
      edit: (call, honest) => (isHeadPoll(call) && asked++ < 2 ? old : honest),
    };
    expect((await chain.latestBlock()).number).toBe(50);
    expect(asked).toBe(3);
  });

  test("a block that does not hash to its hash is not believed an hour ahead of its time", async () => {
    const { chain, local, node } = await openFixture();
    const move = (seconds: number) => {
      node.fault = {
        kind: "edit",
        edit: (call, honest) => {
          if (!isHeadPoll(call)) return honest;
          const block = honest.result as { timestamp: string };
          return { result: { ...block, timestamp: `0x${(Number(block.timestamp) + seconds).toString(16)}` } };
        },
      };
    };
    await local.rpc("evm_mine");
    move(20);
    expect((await chain.latestBlock()).number).toBe(2);
    await local.rpc("evm_mine");
    move(3_600);
    await expect(chain.latestBlock()).rejects.toThrow(/does not hash/);
    node.fault = undefined;
    expect((await chain.latestBlock()).number).toBe(3);
  });

  test("recovers after an outage", async () => {
    const { chain, local, node } = await openFixture();
    node.fault = { kind: "reset" };
    await chain.latestBlock().catch(() => {});
    await local.rpc("evm_mine");
    node.fault = undefined;
    await vi.waitFor(() => expect(chain.findHead()?.header.number).toBe(2), PATIENCE);
  });
});

describe("the measured block time", () => {
  test("is known at start from older headers", async () => {
    const local = await createLocalChain();
    await mineWithPeriod(local, 300, 5);
    const chain = await openChain([await openNode(local)]);
    expect(chain.blockTimeMs()).toBe(5_000);
  });

  test("falls back on a chain too young to measure", async () => {
    const chain = await openChain([await openNode(await createLocalChain())]);
    expect(chain.blockTimeMs()).toBe(2_000);
  });
});

describe("while nobody asks", () => {
  const idle = { minPollMs: 20, maxPollMs: 20, idlePollMs: 400 };

  test("the head is polled rarely, and often again from the next question on", async () => {
    let polls = 0;
    const { chain } = await openFixture({ timing: idle, onRequest: () => (polls += 1) });
    polls = 0;
    await new Promise((resume) => setTimeout(resume, 1_000));
    expect(polls).toBeLessThanOrEqual(3);
    polls = 0;
    await chain.latestBlock();
    await vi.waitFor(() => expect(polls).toBeGreaterThanOrEqual(4), { timeout: 390, interval: 5 });
  });

  test("the head is polled the less often the longer ago the last question is", async () => {
    let polls = 0;
    const { chain } = await openFixture({
      timing: { ...idle, idlePollMs: 60_000 },
      onRequest: () => (polls += 1),
    });
    await chain.latestBlock();
    polls = 0;
    await new Promise((resume) => setTimeout(resume, 1_000));
    // After 20, 40, 80, 160, 320 and 640 ms; fifty would follow it closely.
    expect(polls).toBeGreaterThanOrEqual(3);
    expect(polls).toBeLessThanOrEqual(7);
  });
});
