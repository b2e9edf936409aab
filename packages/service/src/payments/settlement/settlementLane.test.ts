import { until } from "@assay/chain/testing/until";
import { BASE_MULTICALL3, type Hex } from "@assay/protocol";
import { keccak256 } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { SettleOutcome } from "../facilitator.js";
import { expectSettled } from "./testing/expectSettled.js";
import { openSettlement, type SettlementFixture, type SignedPayment } from "./testing/settlementFixture.js";

const BLOCK_TIME_MS = 100;

let world: SettlementFixture;
beforeAll(async () => {
  // A lane waits four blocks before it calls a transaction stuck.
  world = await openSettlement({ blockTimeMs: BLOCK_TIME_MS });
});
afterEach(() => {
  world.node.fault = undefined;
  world.intercept = undefined;
});
afterAll(() => world.close());

const isSend = (method: string) => method === "eth_sendRawTransaction";
const sleep = (ms: number) => new Promise((resume) => setTimeout(resume, ms));
const settlerMined = () => world.countMined(world.settler.address);

describe("an ordinary settlement", () => {
  test("one authorization is one transaction, straight to the token", async () => {
    const lane = world.openLane();
    const signed = world.sign();
    const before = await settlerMined();
    const to = await expectSettled(world, signed, await lane.deliver(world.toDelivery(signed)));
    expect(to.toLowerCase()).toBe(world.devnet.stablecoin.address.toLowerCase());
    expect((await settlerMined()) - before).toBe(1);
    expect(lane.load()).toBe(0);
  });

  test("fifty that arrive together travel in one transaction and each is settled", async () => {
    const lane = world.openLane();
    const all = Array.from({ length: 50 }, () => world.sign());
    const before = await settlerMined();
    const outcomes = await Promise.all(all.map((signed) => lane.deliver(world.toDelivery(signed))));
    for (const [i, outcome] of outcomes.entries()) {
      const to = await expectSettled(world, all[i] as SignedPayment, outcome);
      expect(to.toLowerCase()).toBe(BASE_MULTICALL3.toLowerCase());
    }
    expect((await settlerMined()) - before).toBe(1);
  });

  test("where several came together, those that come a moment later share the next transaction", async () => {
    const lane = world.openLane();
    const signAll = () => [0, 2, 3, 4].map((ms) => ({ ms, signed: world.sign() }));
    const [first, second] = [signAll(), signAll()];
    await Promise.all(first.map(({ signed }) => lane.deliver(world.toDelivery(signed))));
    const before = await settlerMined();
    await Promise.all(
      second.map(async ({ ms, signed }) => {
        await sleep(ms);
        return expectSettled(world, signed, await lane.deliver(world.toDelivery(signed)));
      }),
    );
    expect((await settlerMined()) - before).toBe(1);
  });

  test("two hundred that trickle in need far fewer transactions, none of them twice", async () => {
    const lane = world.openLane();
    const all = Array.from({ length: 200 }, () => world.sign());
    const before = await settlerMined();
    const outcomes = await Promise.all(
      all.map(async (signed, i) => {
        await sleep(i);
        return lane.deliver(world.toDelivery(signed));
      }),
    );
    expect(outcomes.filter(({ status }) => status === "settled")).toHaveLength(200);
    // Twenty to sixty, by how busy the machine is.
    expect((await settlerMined()) - before).toBeLessThan(100);
  });

  test("a contract wallet's authorization travels alone, between two batches", async () => {
    const lane = world.openLane();
    const { wallet1271 } = world.devnet.contracts;
    const wallet = world.sign({ from: wallet1271 });
    const others = Array.from({ length: 6 }, () => world.sign());
    const before = await settlerMined();
    const [first, second, third, walletOutcome, ...rest] = await Promise.all([
      ...others.slice(0, 3).map((signed) => lane.deliver(world.toDelivery(signed))),
      lane.deliver(world.toDelivery(wallet, true)),
      ...others.slice(3).map((signed) => lane.deliver(world.toDelivery(signed))),
    ]);
    expect([first, second, third, ...rest].map((outcome) => outcome?.status)).toEqual(
      Array(6).fill("settled"),
    );
    const to = await expectSettled(world, wallet, walletOutcome as SettleOutcome);
    expect(to.toLowerCase()).toBe(world.devnet.stablecoin.address.toLowerCase());
    expect((await settlerMined()) - before).toBe(3);
  });
});

describe("one bad authorization among others fails alone", () => {
  const bad: Record<string, () => Promise<SignedPayment>> = {
    "a cancelled one": async () => {
      const signed = world.sign({ key: world.keyOf("bob") });
      await world.cancel(signed);
      return signed;
    },
    "a used one": async () => {
      const signed = world.sign({ key: world.keyOf("bob") });
      await world.send(
        world.keyOf("judy"),
        world.devnet.stablecoin.address,
        world.toDelivery(signed).call as Hex,
      );
      return signed;
    },
    "one without the money": async () => {
      const key = keccak256("0xdead");
      return world.sign({ key });
    },
    "one with another's signature": async () => {
      const signed = world.sign({ key: world.keyOf("bob") });
      signed.payment.payload.authorization.from = world.devnet.accounts[2]?.address as Hex;
      return signed;
    },
  };
  test.each(Object.keys(bad))("%s", async (name) => {
    const lane = world.openLane();
    const broken = await (bad[name] as () => Promise<SignedPayment>)();
    const good = Array.from({ length: 5 }, () => world.sign());
    const before = await settlerMined();
    const outcomes = await Promise.all(
      [...good.slice(0, 2), broken, ...good.slice(2)].map((signed) => lane.deliver(world.toDelivery(signed))),
    );
    const [brokenOutcome] = outcomes.splice(2, 1);
    for (const [i, outcome] of outcomes.entries())
      await expectSettled(world, good[i] as SignedPayment, outcome);
    // Used or cancelled: only the chain's history shows which, so the lane does not say "failed".
    const isSpent = name === "a cancelled one" || name === "a used one";
    expect(brokenOutcome?.status).toBe(isSpent ? "unknown" : "failed");
    expect((await settlerMined()) - before).toBe(1);
  });

  test("a payer whose code burns the gas of a batch does not make the others fail", async () => {
    const lane = world.openLane();
    const key = keccak256("0xb0b0");
    const burner = world.sign({ key });
    await world.transfer(world.keyOf("carol"), burner.payment.payload.authorization.from, 1_000_000n);
    const good = Array.from({ length: 5 }, () => world.sign());
    // JUMPDEST PUSH1 0 JUMP: an account that was plain when verified and has this code now.
    await world.devnet.request("hardhat_setCode", [burner.payment.payload.authorization.from, "0x5b600056"]);
    const outcomes = await Promise.all(
      [burner, ...good].map((signed) => lane.deliver(world.toDelivery(signed))),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(["failed", ...Array(5).fill("settled")]);
  });
});

describe("the account's nonce", () => {
  test("is found again after a transaction of the same key from elsewhere", async () => {
    const lane = world.openLane();
    for (let round = 0; round < 3; round++) {
      const signed = world.sign();
      await expectSettled(world, signed, await lane.deliver(world.toDelivery(signed)));
      await world.send(world.devnet.settler.privateKey, world.devnet.payTo, "0x");
    }
    const signed = world.sign();
    await expectSettled(world, signed, await lane.deliver(world.toDelivery(signed)));
  });

  test("continues in a new lane after a restart", async () => {
    const first = world.openLane();
    const before = world.sign();
    await expectSettled(world, before, await first.deliver(world.toDelivery(before)));
    await first.close();
    const after = world.sign();
    await expectSettled(world, after, await world.openLane().deliver(world.toDelivery(after)));
  });

  test("is fought over by two lanes with one key, and both settle everything", async () => {
    const lanes = [world.openLane({ stuckMs: 300 }), world.openLane({ stuckMs: 300 })];
    const all = Array.from({ length: 60 }, () => world.sign());
    const outcomes = await Promise.all(
      all.map(async (signed, i) => {
        await sleep(Math.floor(i / 4) * 15);
        return lanes[i % 2]?.deliver(world.toDelivery(signed)) as Promise<SettleOutcome>;
      }),
    );
    for (const [i, outcome] of outcomes.entries())
      await expectSettled(world, all[i] as SignedPayment, outcome);
  });

  test("is the chain's own count where a node counts transactions that nobody sent", async () => {
    const lane = world.openLane({ stuckMs: 200 });
    world.intercept = (method, [, tag]) =>
      method === "eth_getTransactionCount" && tag === "pending" ? { result: "0xffff" } : undefined;
    const signed = world.sign();
    const before = await settlerMined();
    await expectSettled(world, signed, await lane.deliver(world.toDelivery(signed)));
    expect((await settlerMined()) - before).toBe(1);
  });

  test("a gap left by transactions that will never come is filled, and the payment behind it is mined once", async () => {
    const lane = world.openLane({ stuckMs: 200 });
    const before = await settlerMined();
    // As after a crash: a node keeps the third of three transactions and has lost the other two.
    world.intercept = (method, [, tag]) =>
      method === "eth_getTransactionCount" && tag === "pending"
        ? { result: `0x${(before + 2).toString(16)}` }
        : undefined;
    const signed = world.sign();
    await expectSettled(world, signed, await lane.deliver(world.toDelivery(signed)));
    expect((await settlerMined()) - before).toBe(3);
    await until(async () => (lane.load() === 0 ? true : undefined));
  });
});

describe("while the chain stands still", () => {
  test("a transaction is replaced, and whichever version is mined counts", async () => {
    const lane = world.openLane({ stuckMs: 200, giveUpMs: 60_000 });
    const hashes = new Set<string>();
    world.intercept = (method, [raw]) => {
      if (isSend(method)) hashes.add(keccak256(raw as Hex));
      return undefined;
    };
    await world.devnet.request("evm_setAutomine", [false]);
    await world.devnet.request("evm_setIntervalMining", [0]);
    const signed = world.sign();
    const delivered = lane.deliver(world.toDelivery(signed));
    await until(async () => (hashes.size >= 3 ? true : undefined));
    await world.devnet.request("evm_setAutomine", [true]);
    await world.devnet.request("evm_setIntervalMining", [BLOCK_TIME_MS]);
    const outcome = await delivered;
    await expectSettled(world, signed, outcome);
    expect(hashes).toContain((outcome as { transaction: string }).transaction);
  });

  test("behind eight transactions that are stuck, a delivery still gets its answer in time", async () => {
    const lane = world.openLane({ giveUpMs: 800, stuckMs: 60_000 });
    await world.devnet.request("evm_setAutomine", [false]);
    await world.devnet.request("evm_setIntervalMining", [0]);
    const all = Array.from({ length: 10 }, () => world.sign());
    const outcomes = await Promise.all(all.map((signed) => lane.deliver(world.toDelivery(signed, true))));
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...Array(8).fill("unknown"),
      "not_sent",
      "not_sent",
    ]);
    await world.devnet.request("evm_setAutomine", [true]);
    await world.devnet.request("evm_setIntervalMining", [BLOCK_TIME_MS]);
    await until(async () => (lane.load() === 0 ? true : undefined));
    expect(await Promise.all(all.map((signed) => world.isUsed(signed)))).toEqual([
      ...Array(8).fill(true),
      false,
      false,
    ]);
  });
});
