import { until } from "@assay/chain/testing/until";
import type { Hex } from "@assay/protocol";
import {
  keccak256,
  pad,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
} from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectSettled } from "./testing/expectSettled.js";
import { openSettlement, type SettlementFixture } from "./testing/settlementFixture.js";

// These tests mostly wait. Each has a node and a settler of its own, so they wait together.
let shared: SettlementFixture;
const opened: SettlementFixture[] = [];
beforeAll(async () => {
  // A lane waits four blocks before it calls a transaction stuck.
  shared = await openSettlement({ blockTimeMs: 100 });
});
afterAll(async () => {
  await Promise.all(opened.map((world) => world.close()));
  await shared.close();
});

/** A request that hangs is waited for until its end; any other one has time, however busy the machine is. */
async function openWorld(hangs = false): Promise<SettlementFixture> {
  const world = await shared.openBeside(hangs ? { requestTimeoutMs: 3_000 } : {});
  opened.push(world);
  return world;
}
const isSend = (method: string) => method === "eth_sendRawTransaction";
const sleep = (ms: number) => new Promise((resume) => setTimeout(resume, ms));
const settlerMined = (world: SettlementFixture) => world.countMined(world.settler.address);

describe.concurrent("a transaction that is not mined", () => {
  test("is sent again, dearer, when the node swallowed it but answered with its hash", async () => {
    const world = await openWorld();
    const lane = world.openLane({ stuckMs: 200 });
    const raws: Hex[] = [];
    world.intercept = (method, [raw]) => {
      if (!isSend(method)) return undefined;
      raws.push(raw as Hex);
      return raws.length === 1 ? { result: keccak256(raw as Hex) } : undefined;
    };
    const signed = world.sign();
    await expectSettled(world, signed, await lane.deliver(world.toDelivery(signed)));
    expect(raws).toHaveLength(2);
    const [first, second] = raws.map((raw) => parseTransaction(raw as TransactionSerialized));
    expect(second?.nonce).toBe(first?.nonce);
    expect(Number(second?.maxFeePerGas)).toBeGreaterThan(1.1 * Number(first?.maxFeePerGas));
    expect(await recoverTransactionAddress({ serializedTransaction: raws[1] as never })).toBe(
      world.settler.address,
    );
  });
});

describe.concurrent("a node that fails", () => {
  test("before anything was sent: not_sent, and the same authorization can be delivered later", async () => {
    const world = await openWorld();
    const lane = world.openLane();
    const signed = world.sign();
    world.node.fault = { kind: "reset" };
    expect((await lane.deliver(world.toDelivery(signed))).status).toBe("not_sent");
    expect(await world.isUsed(signed)).toBe(false);
    world.node.fault = undefined;
    const outcome = await until(async () => {
      const again = await lane.deliver(world.toDelivery(signed));
      return again.status === "not_sent" ? undefined : again;
    });
    await expectSettled(world, signed, outcome);
  });

  test.each([
    { kind: "reset" },
    { kind: "hang" },
    { kind: "status", status: 502 },
    { kind: "body", body: "<html>" },
  ] as const)(
    "while sending ($kind): unknown and never failed, and the chain has the truth later",
    async (fault) => {
      const world = await openWorld(fault.kind === "hang");
      const lane = world.openLane({ stuckMs: 200, giveUpMs: 600 });
      // The lane knows its next number then; on a busy machine its caller gives up before.
      await lane.deliver(world.toDelivery(world.sign()));
      await until(async () => (lane.load() === 0 ? true : undefined));
      const signed = world.sign();
      world.node.fault = fault;
      expect((await lane.deliver(world.toDelivery(signed))).status).toBe("unknown");
      world.node.fault = undefined;
      await until(async () => ((await world.isUsed(signed)) ? true : undefined));
    },
  );

  test("that takes the transaction but loses the answer: settled all the same", async () => {
    const world = await openWorld();
    const lane = world.openLane();
    world.node.fault = { kind: "edit", edit: (call, honest) => (isSend(call.method) ? undefined : honest) };
    const signed = world.sign();
    await expectSettled(world, signed, await lane.deliver(world.toDelivery(signed)));
  });

  test("whose receipts come late: unknown at first, and nothing is sent twice", async () => {
    const world = await openWorld();
    const lane = world.openLane({ giveUpMs: 500 });
    const before = await settlerMined(world);
    world.intercept = (method) => (method === "eth_getTransactionReceipt" ? { result: null } : undefined);
    const signed = world.sign();
    expect((await lane.deliver(world.toDelivery(signed))).status).toBe("unknown");
    expect(await world.isUsed(signed)).toBe(true);
    expect((await settlerMined(world)) - before).toBe(1);
  });

  test("whose receipts come late: once it is mined, no other transaction is paid for to carry it again", async () => {
    const world = await openWorld();
    const lane = world.openLane({ stuckMs: 200 });
    const before = await settlerMined(world);
    const hasReceiptsAtMs = Date.now() + 3_000;
    world.intercept = (method) =>
      method === "eth_getTransactionReceipt" && Date.now() < hasReceiptsAtMs ? { result: null } : undefined;
    const signed = world.sign();
    await expectSettled(world, signed, await lane.deliver(world.toDelivery(signed)));
    expect((await settlerMined(world)) - before).toBe(1);
  });

  test("that lags behind the block of the receipt: a nonce it calls unused is not believed", async () => {
    const world = await openWorld();
    const lane = world.openLane();
    const signed = world.sign();
    await world.send(
      world.keyOf("judy"),
      world.devnet.stablecoin.address,
      world.toDelivery(signed).call as Hex,
    );
    world.intercept = (method, [call, block]) => {
      const isState = method === "eth_call" && (call as { data: string }).data.startsWith("0xe94a0102");
      return isState && block === "latest" ? { result: pad("0x", { size: 32 }) } : undefined;
    };
    expect((await lane.deliver(world.toDelivery(signed))).status).toBe("unknown");
  });

  test("the settler out of gas money: not_sent, in words an operator understands", async () => {
    const world = await openWorld();
    const lane = world.openLane({}, keccak256("0x01"));
    const signed = world.sign();
    expect(await lane.deliver(world.toDelivery(signed))).toEqual({
      status: "not_sent",
      reason: "the settler has too little ETH for gas",
    });
    expect(await world.isUsed(signed)).toBe(false);
  });
});

describe.concurrent("waiting", () => {
  test("an authorization that expired in the queue is not sent, and failed", async () => {
    const world = await openWorld();
    const lane = world.openLane();
    const signed = world.sign({ validBefore: BigInt(Math.floor(Date.now() / 1000)) });
    const before = await settlerMined(world);
    expect(await lane.deliver(world.toDelivery(signed))).toEqual({
      status: "failed",
      reason: "authorization_expired",
    });
    expect(await settlerMined(world)).toBe(before);
  });

  test("one that may be under way is unknown when it expires, not failed", async () => {
    const world = await openWorld();
    const lane = world.openLane({ stuckMs: 200, giveUpMs: 60_000 });
    const first = world.sign();
    await expectSettled(world, first, await lane.deliver(world.toDelivery(first)));
    // Mined, but the node shows neither the receipt nor what became of it until the end of its life.
    world.intercept = (method) => (method === "eth_getTransactionReceipt" ? { result: null } : undefined);
    const signed = world.sign({ validBefore: BigInt(Math.floor(Date.now() / 1000)) + 2n });
    expect((await lane.deliver(world.toDelivery(signed))).status).toBe("unknown");
    expect(await world.isUsed(signed)).toBe(true);
  });

  test("closing answers everything, under way or not", async () => {
    const world = await openWorld();
    const lane = world.openLane({ closeMs: 500 });
    const first = world.sign();
    await expectSettled(world, first, await lane.deliver(world.toDelivery(first)));
    world.intercept = (method, [raw]) => (isSend(method) ? { result: keccak256(raw as Hex) } : undefined);
    const pending = Array.from({ length: 10 }, () => lane.deliver(world.toDelivery(world.sign(), true)));
    await lane.close();
    const statuses = (await Promise.all(pending)).map(({ status }) => status);
    expect(statuses).toEqual([...Array(8).fill("unknown"), "not_sent", "not_sent"]);
    expect((await lane.deliver(world.toDelivery(world.sign()))).status).toBe("not_sent");
  });

  test("closing while the nonce is being asked for answers, and sends nothing afterwards", async () => {
    const world = await openWorld();
    const lane = world.openLane({ closeMs: 200 });
    world.node.fault = { kind: "delay", ms: 700 };
    const signed = world.sign();
    const pending = lane.deliver(world.toDelivery(signed));
    await sleep(50);
    await lane.close();
    expect((await pending).status).toBe("not_sent");
    world.node.fault = undefined;
    await sleep(900);
    expect(await world.isUsed(signed)).toBe(false);
  });
});
