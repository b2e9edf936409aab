import { until } from "@assay/chain/testing/until";
import { BASE_MULTICALL3, type Hex } from "@assay/protocol";
import {
  keccak256,
  pad,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
} from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { SettleOutcome } from "../facilitator.js";
import { openSettlement, type SettlementFixture, type SignedPayment } from "./testing/settlementFixture.js";
import { readTransferLogs } from "./transferCall.js";

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
const settlerMined = () => world.countMined(world.devnet.settler.address);

/** Settled means: that very transaction holds the use of the nonce and the transfer. */
async function expectSettled(signed: SignedPayment, outcome: SettleOutcome): Promise<string> {
  expect(outcome.status).toBe("settled");
  const { transaction } = outcome as { transaction: string };
  const receipt = await world.devnet.request<{ logs: never[]; to: string }>("eth_getTransactionReceipt", [
    transaction,
  ]);
  expect(readTransferLogs(receipt.logs, world.toDelivery(signed).expected)).toBe("paid");
  return receipt.to;
}

describe("an ordinary settlement", () => {
  test("one authorization is one transaction, straight to the token", async () => {
    const lane = world.openLane();
    const signed = world.sign();
    const before = await settlerMined();
    const to = await expectSettled(signed, await lane.deliver(world.toDelivery(signed)));
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
      const to = await expectSettled(all[i] as SignedPayment, outcome);
      expect(to.toLowerCase()).toBe(BASE_MULTICALL3.toLowerCase());
    }
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
    expect((await settlerMined()) - before).toBeLessThan(60);
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
    const to = await expectSettled(wallet, walletOutcome as SettleOutcome);
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
    for (const [i, outcome] of outcomes.entries()) await expectSettled(good[i] as SignedPayment, outcome);
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
      await expectSettled(signed, await lane.deliver(world.toDelivery(signed)));
      await world.send(world.devnet.settler.privateKey, world.devnet.payTo, "0x");
    }
    const signed = world.sign();
    await expectSettled(signed, await lane.deliver(world.toDelivery(signed)));
  });

  test("continues in a new lane after a restart", async () => {
    const first = world.openLane();
    const before = world.sign();
    await expectSettled(before, await first.deliver(world.toDelivery(before)));
    await first.close();
    const after = world.sign();
    await expectSettled(after, await world.openLane().deliver(world.toDelivery(after)));
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
    for (const [i, outcome] of outcomes.entries()) await expectSettled(all[i] as SignedPayment, outcome);
  });

  test("is the chain's own count where a node counts transactions that nobody sent", async () => {
    const lane = world.openLane({ stuckMs: 200 });
    world.intercept = (method, [, tag]) =>
      method === "eth_getTransactionCount" && tag === "pending" ? { result: "0xffff" } : undefined;
    const signed = world.sign();
    const before = await settlerMined();
    await expectSettled(signed, await lane.deliver(world.toDelivery(signed)));
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
    await expectSettled(signed, await lane.deliver(world.toDelivery(signed)));
    expect((await settlerMined()) - before).toBe(3);
    await until(async () => (lane.load() === 0 ? true : undefined));
  });
});

describe("a transaction that is not mined", () => {
  test("is sent again, dearer, when the node swallowed it but answered with its hash", async () => {
    const lane = world.openLane({ stuckMs: 200 });
    const raws: Hex[] = [];
    world.intercept = (method, [raw]) => {
      if (!isSend(method)) return undefined;
      raws.push(raw as Hex);
      return raws.length === 1 ? { result: keccak256(raw as Hex) } : undefined;
    };
    const signed = world.sign();
    await expectSettled(signed, await lane.deliver(world.toDelivery(signed)));
    expect(raws).toHaveLength(2);
    const [first, second] = raws.map((raw) => parseTransaction(raw as TransactionSerialized));
    expect(second?.nonce).toBe(first?.nonce);
    expect(Number(second?.maxFeePerGas)).toBeGreaterThan(1.1 * Number(first?.maxFeePerGas));
    expect(await recoverTransactionAddress({ serializedTransaction: raws[1] as never })).toBe(
      world.devnet.settler.address,
    );
  });

  test("is replaced while the chain stands still, and whichever version is mined counts", async () => {
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
    await expectSettled(signed, outcome);
    expect(hashes).toContain((outcome as { transaction: string }).transaction);
  });
});

describe("a node that fails", () => {
  test("before anything was sent: not_sent, and the same authorization can be delivered later", async () => {
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
    await expectSettled(signed, outcome);
  });

  test.each([
    { kind: "reset" },
    { kind: "hang" },
    { kind: "status", status: 502 },
    { kind: "body", body: "<html>" },
  ] as const)(
    "while sending ($kind): unknown and never failed, and the chain has the truth later",
    async (fault) => {
      const lane = world.openLane({ stuckMs: 200, giveUpMs: 600 });
      const first = world.sign();
      await expectSettled(first, await lane.deliver(world.toDelivery(first)));
      const signed = world.sign();
      world.node.fault = fault;
      expect((await lane.deliver(world.toDelivery(signed))).status).toBe("unknown");
      world.node.fault = undefined;
      await until(async () => ((await world.isUsed(signed)) ? true : undefined));
    },
  );

  test("that takes the transaction but loses the answer: settled all the same", async () => {
    const lane = world.openLane();
    world.node.fault = { kind: "edit", edit: (call, honest) => (isSend(call.method) ? undefined : honest) };
    const signed = world.sign();
    await expectSettled(signed, await lane.deliver(world.toDelivery(signed)));
  });

  test("whose receipts come late: unknown at first, and nothing is sent twice", async () => {
    const lane = world.openLane({ giveUpMs: 500 });
    const before = await settlerMined();
    world.intercept = (method) => (method === "eth_getTransactionReceipt" ? { result: null } : undefined);
    const signed = world.sign();
    expect((await lane.deliver(world.toDelivery(signed))).status).toBe("unknown");
    expect(await world.isUsed(signed)).toBe(true);
    expect((await settlerMined()) - before).toBe(1);
  });

  test("that lags behind the block of the receipt: a nonce it calls unused is not believed", async () => {
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
    const lane = world.openLane({}, keccak256("0x01"));
    const signed = world.sign();
    expect(await lane.deliver(world.toDelivery(signed))).toEqual({
      status: "not_sent",
      reason: "the settler has too little ETH for gas",
    });
    expect(await world.isUsed(signed)).toBe(false);
  });
});

describe("waiting", () => {
  test("an authorization that expired in the queue is not sent, and failed", async () => {
    const lane = world.openLane();
    const signed = world.sign({ validBefore: BigInt(Math.floor(Date.now() / 1000)) });
    const before = await settlerMined();
    expect(await lane.deliver(world.toDelivery(signed))).toEqual({
      status: "failed",
      reason: "authorization_expired",
    });
    expect(await settlerMined()).toBe(before);
  });

  test("one that may be under way is unknown when it expires, not failed", async () => {
    const lane = world.openLane({ stuckMs: 200, giveUpMs: 60_000 });
    const first = world.sign();
    await expectSettled(first, await lane.deliver(world.toDelivery(first)));
    // Mined, but the node shows neither the receipt nor what became of it until the end of its life.
    world.intercept = (method) => (method === "eth_getTransactionReceipt" ? { result: null } : undefined);
    const signed = world.sign({ validBefore: BigInt(Math.floor(Date.now() / 1000)) + 2n });
    expect((await lane.deliver(world.toDelivery(signed))).status).toBe("unknown");
    expect(await world.isUsed(signed)).toBe(true);
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

  test("closing answers everything, under way or not", async () => {
    const lane = world.openLane({ closeMs: 500 });
    const first = world.sign();
    await expectSettled(first, await lane.deliver(world.toDelivery(first)));
    world.intercept = (method, [raw]) => (isSend(method) ? { result: keccak256(raw as Hex) } : undefined);
    const pending = Array.from({ length: 10 }, () => lane.deliver(world.toDelivery(world.sign(), true)));
    await lane.close();
    const statuses = (await Promise.all(pending)).map(({ status }) => status);
    expect(statuses).toEqual([...Array(8).fill("unknown"), "not_sent", "not_sent"]);
    expect((await lane.deliver(world.toDelivery(world.sign()))).status).toBe("not_sent");
  });

  test("closing while the nonce is being asked for answers, and sends nothing afterwards", async () => {
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
