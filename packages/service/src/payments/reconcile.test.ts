import { devnetChain } from "@assay/chain/testing/devnetChain";
import { until } from "@assay/chain/testing/until";
import { AssayError, type Hex, type PaymentPayload } from "@assay/protocol";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { fetchChallenge, send, signPayment } from "../../test/payer.js";
import { useTestService } from "../../test/useTestService.js";
import type { BaseContext } from "../base/context.js";
import type { SettleOutcome } from "./facilitator.js";
import type { Invocation } from "./invocations.js";
import { isAuthorizationUsed, readPaymentFate } from "./paymentFate.js";
import { reconcileAbandoned } from "./reconcile.js";
import {
  openSettlement,
  type SettlementFixture,
  type SignedPayment,
  type SignOptions,
} from "./settlement/testing/settlementFixture.js";

describe("the fate of a payment, as the chain shows it", () => {
  let world: SettlementFixture;
  let context: BaseContext;
  beforeAll(async () => {
    world = await openSettlement();
    context = { chain: world.chain, logger: pino({ level: "silent" }) } as unknown as BaseContext;
  });
  afterAll(() => world.close());

  const reserve = async ({ payment }: SignedPayment): Promise<Invocation> => {
    const { from, to, value, nonce, validBefore } = payment.payload.authorization;
    return {
      payer: from.toLowerCase(),
      payTo: to.toLowerCase(),
      amount: BigInt(value),
      authorizationNonce: nonce.toLowerCase(),
      asset: world.devnet.stablecoin.address.toLowerCase(),
      validBefore: BigInt(validBefore),
      reservedAtBlock: (await world.chain.latestBlock()).number,
    } as Invocation;
  };
  const sign = (options: SignOptions = {}) => world.sign({ key: world.keyOf("bob"), ...options });
  const handIn = (signed: SignedPayment) =>
    world.send(world.keyOf("judy"), world.devnet.stablecoin.address, world.toDelivery(signed).call as Hex);

  test("paid, no matter who sent it to the token", async () => {
    const signed = sign();
    const invocation = await reserve(signed);
    const transaction = await handIn(signed);
    expect(await readPaymentFate(context, invocation)).toEqual({ status: "paid", transaction });
    expect(await isAuthorizationUsed(context, invocation)).toBe(true);
  });

  test("paid, also where the node searches ten blocks at once", async () => {
    const signed = sign();
    const invocation = await reserve(signed);
    await world.devnet.mine(20);
    const transaction = await handIn(signed);
    await world.devnet.mine(20);
    world.intercept = (method, [filter]) => {
      if (method !== "eth_getLogs") return undefined;
      const { fromBlock, toBlock } = filter as { fromBlock: Hex; toBlock: Hex };
      return Number(toBlock) - Number(fromBlock) < 10
        ? undefined
        : { error: { code: -32600, message: "this plan allows a range of up to 10 blocks" } };
    };
    expect(await readPaymentFate(context, invocation)).toEqual({ status: "paid", transaction });
    world.intercept = undefined;
  });

  test("dead when it was used before this call, to the same payee: it paid for something else", async () => {
    const signed = sign();
    await handIn(signed);
    await world.devnet.mine(5);
    const invocation = await reserve(signed);
    await world.devnet.mine(1);
    const head = await world.chain.latestBlock();
    vi.spyOn(world.chain, "latestBlock").mockResolvedValueOnce(head);
    vi.spyOn(world.chain, "findFinalizedBlock").mockResolvedValueOnce(head);
    expect(await readPaymentFate(context, invocation)).toMatchObject({
      status: "dead",
      reason: /before this call/,
    });
  });

  test("dead once the payer has cancelled it", async () => {
    const signed = sign();
    const invocation = await reserve(signed);
    await world.cancel(signed);
    expect(await readPaymentFate(context, invocation)).toMatchObject({ status: "dead", reason: /cancelled/ });
  });

  test("dead when the nonce paid another amount", async () => {
    const signed = sign();
    const other = sign({ value: 7n, nonce: signed.payment.payload.authorization.nonce as Hex });
    const invocation = await reserve(signed);
    await handIn(other);
    expect(await readPaymentFate(context, invocation)).toMatchObject({ status: "dead", reason: /another/ });
  });

  test("undecided while it is unused and may still be used", async () => {
    const invocation = await reserve(sign());
    expect((await readPaymentFate(context, invocation)).status).toBe("undecided");
    expect(await isAuthorizationUsed(context, invocation)).toBe(false);
  });

  test("undecided while fresh logs are missing, dead once a final block shows the use is an older one", async () => {
    const signed = sign();
    await handIn(signed);
    const invocation = await reserve(signed);
    const isLogs = (method: string) => method === "eth_getLogs";
    world.intercept = (method) => (isLogs(method) ? { result: [] } : undefined);
    vi.spyOn(world.chain, "findFinalizedBlock").mockResolvedValueOnce(undefined);
    expect((await readPaymentFate(context, invocation)).status).toBe("undecided");
    const head = await world.chain.latestBlock();
    vi.spyOn(world.chain, "latestBlock").mockResolvedValueOnce(head);
    vi.spyOn(world.chain, "findFinalizedBlock").mockResolvedValueOnce(head);
    expect(await readPaymentFate(context, invocation)).toMatchObject({
      status: "dead",
      reason: /before this call/,
    });
    world.intercept = undefined;
  });

  test.each([
    ["finds no events", "eth_getLogs", []],
    ["has no receipts", "eth_getTransactionReceipt", null],
  ])("paid, also where the node %s", async (_, broken, result) => {
    const signed = sign();
    const invocation = await reserve(signed);
    await world.devnet.mine(20);
    const transaction = await handIn(signed);
    await world.devnet.mine(20);
    const behind = devnetChain(world.devnet);
    const receipt = await behind.rpc("eth_getTransactionReceipt", transaction);
    world.intercept = (method) => {
      if (method === broken) return { result };
      // As nodes of Base do, and the local chain does not.
      return method === "eth_getBlockReceipts" ? { result: [receipt] } : undefined;
    };
    // A final block decides what is dead, and this is not.
    const head = await world.chain.latestBlock();
    const finalized = vi.spyOn(world.chain, "findFinalizedBlock").mockResolvedValue(head);
    expect(await readPaymentFate(context, invocation)).toEqual({ status: "paid", transaction });
    finalized.mockRestore();
    world.intercept = undefined;
  });

  test("nothing is concluded from a node that does not answer", async () => {
    const invocation = await reserve(sign());
    world.node.fault = { kind: "reset" };
    await expect(readPaymentFate(context, invocation)).rejects.toThrow(/No node/);
    expect(await isAuthorizationUsed(context, invocation)).toBeUndefined();
    world.node.fault = undefined;
    await until(() => world.chain.latestBlock().catch(() => undefined));
  });

  // Last: it moves the chain's clock.
  test("dead when a final block past its validity still shows it unused, and not before", async () => {
    const invocation = await reserve(sign({ validBefore: BigInt(Math.floor(Date.now() / 1000)) + 300n }));
    const fate = () => readPaymentFate(context, invocation);
    expect((await fate()).status).toBe("undecided");
    await world.devnet.request("evm_increaseTime", [301]);
    await world.devnet.mine();
    vi.spyOn(world.chain, "findFinalizedBlock").mockResolvedValueOnce(undefined);
    expect((await fate()).status).toBe("undecided");
    expect(await fate()).toMatchObject({ status: "dead", reason: /expired unused/ });
  });
});

describe("a payment whose process went away", () => {
  const service = useTestService();
  const guardUrl = () =>
    service.invokeUrl("contract.guard", { address: service.chainOf.contracts.plainToken });
  const prepare = async (name: string) =>
    signPayment(service.account(name), await fetchChallenge(guardUrl()));
  const nonceOf = (payment: PaymentPayload) => payment.payload.authorization.nonce.toLowerCase();
  const stateOf = async (payment: PaymentPayload) => {
    const [row] = await service.db.query<{ state: string }>({
      text: "SELECT state FROM invocations WHERE authorization_nonce = $1",
      values: [nonceOf(payment)],
    });
    return row?.state;
  };
  const endLease = (payment: PaymentPayload) =>
    service.db.query({
      text: "UPDATE invocations SET lease_until = now() - interval '1 second' WHERE authorization_nonce = $1",
      values: [nonceOf(payment)],
    });

  test("does not hold up the others where the node cannot answer for it", async () => {
    const payments: PaymentPayload[] = [];
    for (const name of ["alice", "bob", "carol"]) {
      const payment = await prepare(name);
      vi.spyOn(service.context.facilitator, "settle").mockImplementationOnce(async (...args) => {
        await service.context.facilitator.settle(...args);
        return { status: "unknown", reason: "the answer was lost" };
      });
      // The job must not settle them while this test checks them.
      await service.db.query({ text: "UPDATE invocations SET lease_until = now() + interval '1 hour'" });
      expect((await send(guardUrl(), payment)).status).toBe(503);
      payments.push(payment);
    }
    const [poisoned] = payments as [PaymentPayload];
    const { request } = service.context.chain;
    const poisoning = vi
      .spyOn(service.context.chain, "request")
      .mockImplementation(async (method, params) => {
        const isPoison = JSON.stringify(params).includes(poisoned.payload.authorization.nonce);
        if (method === "eth_getLogs" && isPoison) throw new Error("query returned too much");
        return request(method, params) as never;
      });
    await service.db.query({
      text: `UPDATE invocations SET state = 'unknown', lease_until = now() - interval '1 second'
             WHERE state <> 'settled'`,
    });
    await reconcileAbandoned(service.context, 20);
    // The job may have taken some of them, and still be about them.
    await vi.waitFor(
      async () => expect(await Promise.all(payments.map(stateOf))).toEqual(["unknown", "settled", "settled"]),
      { timeout: 15_000, interval: 100 },
    );
    poisoning.mockRestore();
  });

  test("before its transaction was sent is delivered by the next process, and its payer gets the answer", async () => {
    const payment = await prepare("dave");
    let comeBack: (outcome: SettleOutcome) => void = () => undefined;
    vi.spyOn(service.context.facilitator, "settle").mockImplementationOnce(
      () =>
        new Promise((resolve) => {
          comeBack = resolve;
        }),
    );
    const gone = send(guardUrl(), payment);
    await until(async () => ((await stateOf(payment)) === "settling" ? true : undefined));
    await endLease(payment);
    await until(async () => ((await stateOf(payment)) === "settled" ? true : undefined));
    expect((await send(guardUrl(), payment)).status).toBe(200);
    // A service waits for its requests before it stops.
    comeBack({ status: "unknown", reason: "it was away" });
    await gone;
  });

  test("is never said to be uncharged while no node shows what became of it", async () => {
    const payment = await prepare("frank");
    const { facilitator, chain } = service.context;
    const settle = facilitator.settle.bind(facilitator);
    const away = new AssayError("chain_unavailable", "No node answers.");
    let node: { mockRestore(): void } | undefined;
    vi.spyOn(facilitator, "settle").mockImplementationOnce(async (...args) => {
      await settle(...args);
      node = vi.spyOn(chain, "latestBlock").mockRejectedValue(away);
      return { status: "unknown", reason: "the answer was lost" };
    });
    for (const time of ["first", "again"]) {
      const response = await send(guardUrl(), payment);
      expect([time, response.status]).toEqual([time, 503]);
      expect(await response.json()).toMatchObject({ code: "payment_outcome_unknown" });
    }
    node?.mockRestore();
    await until(async () => ((await send(guardUrl(), payment)).status === 200 ? true : undefined));
  });

  test("and was only slow is not called failed once another process has taken it over", async () => {
    const payment = await prepare("erin");
    vi.spyOn(service.context.facilitator, "settle").mockImplementationOnce(async () => {
      await endLease(payment);
      await until(async () => ((await stateOf(payment)) === "settling" ? undefined : true));
      return { status: "not_sent", reason: "no node takes transactions" };
    });
    const slow = await send(guardUrl(), payment);
    expect(slow.status).toBe(503);
    expect(await slow.json()).toMatchObject({ code: "payment_outcome_unknown" });
    const again = await until(async () => {
      const response = await send(guardUrl(), payment);
      return response.status === 200 ? response : undefined;
    });
    expect(again.headers.get("payment-response")).not.toBeNull();
  });
});
