import type { Fault, NodeCall } from "@assay/chain/testing/faultyNode";
import { until } from "@assay/chain/testing/until";
import type { Hex } from "@assay/protocol";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { SettleOutcome } from "../facilitator.js";
import type { SettlementLane } from "./settlementLane.js";
import { openSettlement, type SettlementFixture, type SignedPayment } from "./testing/settlementFixture.js";

const BLOCK_TIME_MS = 200;

let world: SettlementFixture;
beforeAll(async () => {
  world = await openSettlement({ blockTimeMs: BLOCK_TIME_MS });
});
afterEach(() => {
  world.node.fault = undefined;
  world.node.appliesTo = undefined;
  world.intercept = undefined;
});
afterAll(() => world.close());

const isSend = (calls: readonly NodeCall[]) =>
  calls.some(({ method }) => method === "eth_sendRawTransaction");
const sleep = (ms: number) => new Promise((resume) => setTimeout(resume, ms));
const countOf = async (tag: "latest" | "pending") =>
  Number(await world.devnet.request("eth_getTransactionCount", [world.devnet.settler.address, tag]));

/** The first sends are refused with this error, and the chain does not hear of them. */
function refuseSends(code: number, message: string, sends = 3): void {
  let left = sends;
  world.intercept = (method) =>
    method === "eth_sendRawTransaction" && left-- > 0 ? { error: { code, message } } : undefined;
}

/** The first sends get the fault. `accepts`: the chain has the transaction all the same. */
function spoilSends(fault: Fault, { sends = 3, accepts = false } = {}): void {
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
}

/** Three callers, one after another, while the node misbehaves. */
async function deliverThree(lane: SettlementLane): Promise<[SignedPayment[], SettleOutcome[]]> {
  const all = Array.from({ length: 3 }, () => world.sign());
  const outcomes = await Promise.all(
    all.map(async (signed, i) => {
      await sleep(i * 60);
      return lane.deliver(world.toDelivery(signed));
    }),
  );
  return [all, outcomes];
}

describe("the first sends of a settlement", () => {
  const spoiled: Record<string, () => void> = {
    "throttled with HTTP 429": () =>
      spoilSends({ kind: "status", status: 429, headers: { "retry-after": "1" } }),
    "answered with HTTP 502": () => spoilSends({ kind: "status", status: 502 }),
    "answered with a page": () => spoilSends({ kind: "body", body: "<html>busy</html>" }),
    "never answered": () => spoilSends({ kind: "hang" }, { sends: 1 }),
    "reset before the node read them": () => spoilSends({ kind: "reset" }),
    "reset after the node took them": () => spoilSends({ kind: "reset" }, { accepts: true }),
    "answered with HTTP 502 after the node took them": () =>
      spoilSends({ kind: "status", status: 502 }, { accepts: true }),
    "refused for credits": () => refuseSends(-32005, "credits limited to 500/sec"),
    "refused as one too many": () => refuseSends(-32005, "Too many request, rate limit exceeded"),
    "refused by a gateway that gave up": () => refuseSends(-32015, "gateway timeout"),
    "refused by a full pool": () => refuseSends(-32000, "txpool is full"),
    "called already known, and then forgotten": () => refuseSends(-32000, "already known", 1),
    "called too low in their number by a node that is ahead of itself": () =>
      refuseSends(-32000, "nonce too low: next nonce 9, tx nonce 8", 2),
    "called a replacement that pays too little": () =>
      refuseSends(-32000, "replacement transaction underpriced", 1),
  };
  test.each(Object.keys(spoiled))("%s: each is settled once, and the next one at once", async (name) => {
    const lane = world.openLane();
    const before = await countOf("latest");
    spoiled[name]?.();
    const [all, outcomes] = await deliverThree(lane);
    expect(outcomes.map(({ status }) => status)).toEqual(["settled", "settled", "settled"]);
    expect(await Promise.all(all.map(world.isUsed))).toEqual([true, true, true]);
    // No number was lost, and nothing was sent twice.
    await until(async () => (lane.load() === 0 ? true : undefined));
    const mined = await countOf("latest");
    // A number that a node called taken, and nothing had taken, is used up by an empty transaction.
    expect(mined - before).toBeLessThanOrEqual(name.includes("replacement") ? 4 : 3);
    expect(await countOf("pending")).toBe(mined);
    await expectQuick(lane);
  });
});

describe("a node that takes no transactions for longer than callers wait", () => {
  test.each([
    ["throttles", () => spoilSends({ kind: "status", status: 429 }, { sends: Number.POSITIVE_INFINITY })],
    ["refuses for credits", () => refuseSends(-32005, "rate limit exceeded", Number.POSITIVE_INFINITY)],
  ])(
    "%s: nothing was sent, nothing is sent later, and the number is used by the next one",
    async (_, spoil) => {
      const lane = world.openLane({ untakenMs: 600 });
      const before = await countOf("latest");
      spoil();
      const [all, outcomes] = await deliverThree(lane);
      expect(outcomes.map(({ status }) => status)).toEqual(["not_sent", "not_sent", "not_sent"]);
      world.node.fault = undefined;
      world.intercept = undefined;
      // The node asked to be left alone for a second.
      await sleep(1_100);
      await expectQuick(lane);
      expect(await Promise.all(all.map(world.isUsed))).toEqual([false, false, false]);
      expect((await countOf("latest")) - before).toBe(1);
      expect((await lane.deliver(world.toDelivery(all[0] as SignedPayment))).status).toBe("settled");
    },
  );

  test("is silent: the payment is unknown only until the node answers again", async () => {
    const lane = world.openLane({ giveUpMs: 700 });
    const signed = world.sign();
    spoilSends({ kind: "reset" }, { sends: Number.POSITIVE_INFINITY });
    expect((await lane.deliver(world.toDelivery(signed))).status).toBe("unknown");
    world.node.fault = undefined;
    // Somebody who asks again hears of the same transaction.
    const before = await countOf("latest");
    expect((await lane.deliver(world.toDelivery(signed))).status).toBe("settled");
    expect((await countOf("latest")) - before).toBe(1);
    await expectQuick(lane);
  });
});

/** Sold again at once: within a few blocks, as on any day. */
async function expectQuick(lane: SettlementLane): Promise<void> {
  const head = async () => Number(await world.devnet.request<Hex>("eth_blockNumber"));
  const before = await head();
  const outcome = await lane.deliver(world.toDelivery(world.sign()));
  expect(outcome.status).toBe("settled");
  expect((await head()) - before).toBeLessThan(10);
  expect(lane.load()).toBe(0);
}
