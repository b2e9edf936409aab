import { until } from "@assay/chain/testing/until";
import type { Hex } from "@assay/protocol";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { accountOf, fetchChallenge, send, signPayment } from "../../test/payer.js";
import { startTestService } from "../../test/startTestService.js";
import type { BaseContext } from "../base/context.js";
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

test("one payment the node cannot answer for does not hold up the others", async () => {
  const service = await startTestService();
  try {
    const url = `${service.url}/api/v1/capabilities/contract.guard/invoke?address=${service.chainOf.contracts.plainToken}`;
    const payments = [];
    for (const name of ["alice", "bob", "carol"]) {
      const payment = await signPayment(accountOf(service, name), await fetchChallenge(url));
      vi.spyOn(service.context.facilitator, "settle").mockImplementationOnce(async (...args) => {
        await service.context.facilitator.settle(...args);
        return { status: "unknown", reason: "the answer was lost" };
      });
      // The job must not settle them while this test checks them.
      await service.db.query({ text: "UPDATE invocations SET lease_until = now() + interval '1 hour'" });
      expect((await send(url, payment)).status).toBe(503);
      payments.push(payment);
    }
    const [poisoned] = payments;
    const { request } = service.context.chain;
    vi.spyOn(service.context.chain, "request").mockImplementation(async (method, params) => {
      const isPoison = JSON.stringify(params).includes(String(poisoned?.payload.authorization.nonce));
      if (method === "eth_getLogs" && isPoison) throw new Error("query returned too much");
      return request(method, params) as never;
    });
    await service.db.query({
      text: `UPDATE invocations SET state = 'unknown', lease_until = now() - interval '1 second'
             WHERE state <> 'settled'`,
    });
    await reconcileAbandoned(service.context, 20);
    const states = await service.db.query<{ state: string; n: bigint }>({
      text: "SELECT state, count(*) n FROM invocations GROUP BY state ORDER BY state",
    });
    expect(states).toEqual([
      { state: "settled", n: 2n },
      { state: "unknown", n: 1n },
    ]);
  } finally {
    await service.stop();
  }
});

describe("a payment whose process died", () => {
  test("before its transaction was sent is delivered by the next process, and its payer gets the answer", async () => {
    const service = await startTestService();
    try {
      const url = `${service.url}/api/v1/capabilities/contract.guard/invoke?address=${service.chainOf.contracts.plainToken}`;
      const payment = await signPayment(accountOf(service, "alice"), await fetchChallenge(url));
      vi.spyOn(service.context.facilitator, "settle").mockImplementationOnce(() => new Promise(() => {}));
      void send(url, payment).catch(() => undefined);
      const stateOf = async () =>
        (await service.db.query<{ state: string }>({ text: "SELECT state FROM invocations" }))[0]?.state;
      await until(async () => ((await stateOf()) === "settling" ? true : undefined));
      await service.db.query({ text: "UPDATE invocations SET lease_until = now() - interval '1 second'" });
      await until(async () => ((await stateOf()) === "settled" ? true : undefined));
      expect((await send(url, payment)).status).toBe(200);
    } finally {
      await service.stop();
    }
  });

  test("and was only slow does not call it failed once another process has taken it over", async () => {
    const service = await startTestService();
    try {
      const url = `${service.url}/api/v1/capabilities/contract.guard/invoke?address=${service.chainOf.contracts.plainToken}`;
      const payment = await signPayment(accountOf(service, "alice"), await fetchChallenge(url));
      vi.spyOn(service.context.facilitator, "settle").mockImplementationOnce(async () => {
        await service.db.query({ text: "UPDATE invocations SET lease_until = now() - interval '1 second'" });
        await until(async () => {
          const [row] = await service.db.query<{ state: string }>({ text: "SELECT state FROM invocations" });
          return row?.state === "settling" ? undefined : true;
        });
        return { status: "not_sent", reason: "no node takes transactions" };
      });
      const slow = await send(url, payment);
      expect(slow.status).toBe(503);
      expect(await slow.json()).toMatchObject({ code: "payment_outcome_unknown" });
      const again = await until(async () => {
        const response = await send(url, payment);
        return response.status === 200 ? response : undefined;
      });
      expect(again.headers.get("payment-response")).not.toBeNull();
    } finally {
      await service.stop();
    }
  });
});
