import type { Fault, NodeCall } from "@assay/chain/testing/faultyNode";
import { until } from "@assay/chain/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SettleOutcome } from "../facilitator.js";
import { DEFAULT_PATIENCE } from "./lanePatience.js";
import type { SettlementLane } from "./settlementLane.js";
import { openSettlement, type SettlementFixture, type SignedPayment } from "./testing/settlementFixture.js";

// Each test has a node and a settler of its own, so they wait together.
let shared: SettlementFixture;
const opened: SettlementFixture[] = [];
beforeAll(async () => {
  shared = await openSettlement({ blockTimeMs: 200 });
});
afterAll(async () => {
  await Promise.all(opened.map((world) => world.close()));
  await shared.close();
});

interface World extends SettlementFixture {
  countOf(tag: "latest" | "pending"): Promise<number>;
  /** The first sends are refused with this error, and the chain does not hear of them. */
  refuseSends(code: number, message: string, sends?: number): void;
  /** The first sends get the fault. `accepts`: the chain has the transaction all the same. */
  spoilSends(fault: Fault, options?: { sends?: number; accepts?: boolean }): void;
  heal(): void;
}

/** A request that hangs is waited for until its end; any other one has time, however busy the machine is. */
async function openWorld(hangs = false): Promise<World> {
  const world = await shared.openBeside(hangs ? { requestTimeoutMs: 3_000 } : {});
  opened.push(world);
  return Object.assign(world, {
    countOf: async (tag: "latest" | "pending") =>
      Number(await world.devnet.request("eth_getTransactionCount", [world.settler.address, tag])),
    refuseSends(code: number, message: string, sends = 3) {
      let left = sends;
      world.intercept = (method) =>
        method === "eth_sendRawTransaction" && left-- > 0 ? { error: { code, message } } : undefined;
    },
    spoilSends(fault: Fault, { sends = 3, accepts = false } = {}) {
      let left = sends;
      world.node.fault = fault;
      world.node.appliesTo = (calls) => {
        if (!isSend(calls) || left-- <= 0) return false;
        if (accepts) {
          const [raw] = calls[0]?.params ?? [];
          void world.devnet.request("eth_sendRawTransaction", [raw]).catch(() => undefined);
        }
        return true;
      };
    },
    heal() {
      world.node.fault = undefined;
      world.intercept = undefined;
    },
  });
}

const isSend = (calls: readonly NodeCall[]) =>
  calls.some(({ method }) => method === "eth_sendRawTransaction");
const sleep = (ms: number) => new Promise((resume) => setTimeout(resume, ms));

/** Three callers, one after another, while the node misbehaves. */
async function deliverThree(world: World, lane: SettlementLane): Promise<[SignedPayment[], SettleOutcome[]]> {
  const all = Array.from({ length: 3 }, () => world.sign());
  const outcomes = await Promise.all(
    all.map(async (signed, i) => {
      await sleep(i * 60);
      return lane.deliver(world.toDelivery(signed));
    }),
  );
  return [all, outcomes];
}

describe.concurrent("the first sends of a settlement", () => {
  const spoiled: Record<string, (world: World) => void> = {
    "throttled with HTTP 429": ({ spoilSends }) =>
      spoilSends({ kind: "status", status: 429, headers: { "retry-after": "1" } }),
    "answered with HTTP 502": ({ spoilSends }) => spoilSends({ kind: "status", status: 502 }),
    "answered with a page": ({ spoilSends }) => spoilSends({ kind: "body", body: "<html>busy</html>" }),
    "never answered": ({ spoilSends }) => spoilSends({ kind: "hang" }, { sends: 1 }),
    "reset before the node read them": ({ spoilSends }) => spoilSends({ kind: "reset" }),
    "reset after the node took them": ({ spoilSends }) => spoilSends({ kind: "reset" }, { accepts: true }),
    "answered with HTTP 502 after the node took them": ({ spoilSends }) =>
      spoilSends({ kind: "status", status: 502 }, { accepts: true }),
    "refused for credits": ({ refuseSends }) => refuseSends(-32005, "credits limited to 500/sec"),
    "refused as one too many": ({ refuseSends }) =>
      refuseSends(-32005, "Too many request, rate limit exceeded"),
    "refused by a gateway that gave up": ({ refuseSends }) => refuseSends(-32015, "gateway timeout"),
    "refused by a full pool": ({ refuseSends }) => refuseSends(-32000, "txpool is full"),
    "called already known, and then forgotten": ({ refuseSends }) => refuseSends(-32000, "already known", 1),
    "called too low in their number by a node that is ahead of itself": ({ refuseSends }) =>
      refuseSends(-32000, "nonce too low: next nonce 9, tx nonce 8", 2),
    "called a replacement that pays too little": ({ refuseSends }) =>
      refuseSends(-32000, "replacement transaction underpriced", 1),
  };
  test.each(Object.keys(spoiled))("%s: each is settled once, and the next one at once", async (name) => {
    const world = await openWorld(name === "never answered");
    const lane = world.openLane();
    const before = await world.countOf("latest");
    spoiled[name]?.(world);
    const [all, outcomes] = await deliverThree(world, lane);
    expect(outcomes.map(({ status }) => status)).toEqual(["settled", "settled", "settled"]);
    expect(await Promise.all(all.map(world.isUsed))).toEqual([true, true, true]);
    // No number was lost, and nothing was sent twice.
    await until(async () => (lane.load() === 0 ? true : undefined));
    const mined = await world.countOf("latest");
    // A number that a node called taken, and nothing had taken, is used up by an empty transaction.
    expect(mined - before).toBeLessThanOrEqual(name.includes("replacement") ? 4 : 3);
    expect(await world.countOf("pending")).toBe(mined);
    await expectQuick(world, lane);
  });
});

describe.concurrent("a node that takes no transactions for longer than callers wait", () => {
  test.each<[string, (world: World) => void]>([
    [
      "throttles",
      ({ spoilSends }) => spoilSends({ kind: "status", status: 429 }, { sends: Number.POSITIVE_INFINITY }),
    ],
    [
      "refuses for credits",
      ({ refuseSends }) => refuseSends(-32005, "rate limit exceeded", Number.POSITIVE_INFINITY),
    ],
  ])(
    "%s: nothing was sent, nothing is sent later, and the number is used by the next one",
    async (_, spoil) => {
      const world = await openWorld();
      const lane = world.openLane({ untakenMs: 600 });
      const before = await world.countOf("latest");
      spoil(world);
      const [all, outcomes] = await deliverThree(world, lane);
      expect(outcomes.map(({ status }) => status)).toEqual(["not_sent", "not_sent", "not_sent"]);
      world.heal();
      // The node asked to be left alone for a second.
      await sleep(1_100);
      await expectQuick(world, lane);
      expect(await Promise.all(all.map(world.isUsed))).toEqual([false, false, false]);
      expect((await world.countOf("latest")) - before).toBe(1);
      expect((await lane.deliver(world.toDelivery(all[0] as SignedPayment))).status).toBe("settled");
    },
  );

  test("is silent: the payment is unknown only until the node answers again", async () => {
    const world = await openWorld();
    const lane = world.openLane({ giveUpMs: 700 });
    const signed = world.sign();
    world.spoilSends({ kind: "reset" }, { sends: Number.POSITIVE_INFINITY });
    expect((await lane.deliver(world.toDelivery(signed))).status).toBe("unknown");
    world.heal();
    // Somebody who asks again, perhaps more than once, hears of the same transaction.
    const before = await world.countOf("latest");
    await until(async () => (await lane.deliver(world.toDelivery(signed))).status === "settled" || undefined);
    expect((await world.countOf("latest")) - before).toBe(1);
    await expectQuick(world, lane);
  });
});

test("a node that takes no big transactions: those that came together are settled in several", async () => {
  const world = await openWorld();
  const lane = world.openLane();
  const before = await world.countOf("latest");
  world.intercept = (method, [raw]) =>
    method === "eth_sendRawTransaction" && String(raw).length > 3_000
      ? { error: { code: -32007, message: "Request is too big" } }
      : undefined;
  const all = Array.from({ length: 8 }, () => world.sign());
  const outcomes = await Promise.all(all.map((signed) => lane.deliver(world.toDelivery(signed))));
  expect(outcomes.map(({ status }) => status)).toEqual(all.map(() => "settled"));
  const mined = await world.countOf("latest");
  expect(mined - before).toBeGreaterThan(1);
  expect(mined - before).toBeLessThan(all.length);
  expect(await world.countOf("pending")).toBe(mined);
});

/** Sold again at once: sent once, with a number that needs nothing else before it, and sooner than what no node takes is given up. */
async function expectQuick(world: World, lane: SettlementLane): Promise<void> {
  world.node.requests.length = 0;
  const startedAtMs = performance.now();
  const outcome = await lane.deliver(world.toDelivery(world.sign()));
  expect(performance.now() - startedAtMs).toBeLessThan(DEFAULT_PATIENCE.untakenMs);
  expect(outcome.status).toBe("settled");
  expect(world.node.requests.filter(isSend)).toHaveLength(1);
  expect(lane.load()).toBe(0);
}
