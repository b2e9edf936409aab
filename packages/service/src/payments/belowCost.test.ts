import { until } from "@assay/chain/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accountOf, fetchChallenge, send, signPayment } from "../../test/payer.js";
import { startTestService, type TestService } from "../../test/startTestService.js";
import { issueMove, moveCredits } from "../credits/ledger.js";

const SNAPSHOT = "/api/v1/capabilities/chain.snapshot/invoke";

const readMetric = async ({ url }: TestService, name: string): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name}{capability="chain.snapshot"} (.*)$`, "m").exec(text)?.[1]);
};

async function pay(service: TestService): Promise<Response> {
  const url = `${service.url}${SNAPSHOT}`;
  return send(url, await signPayment(accountOf(service, "alice"), await fetchChallenge(url)));
}

describe("where gas is dear", () => {
  let service: TestService;
  beforeAll(async () => {
    // At the gwei that the local chain suggests, settling costs cents, and this capability half a cent.
    service = await startTestService({ MAX_TIP_WEI: "1000000000" });
  });
  afterAll(() => service.stop());

  test("a sale at a loss is refused with its reason, before any work and without a charge", async () => {
    await until(async () => service.context.facilitator.findCostRefusal?.(5_000n));
    const response = await pay(service);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "30"]);
    expect(await response.json()).toMatchObject({
      code: "facilitator_unavailable",
      detail: expect.stringMatching(/would cost \d+ micro-dollars .* Nothing was charged/),
    });
    const rows = await service.db.query<{ state: string }>({ text: "SELECT state FROM invocations" });
    expect(rows).toEqual([{ state: "void" }]);
  });

  test("a call paid with credit is settled all the same, because its price was promised", async () => {
    const alice = accountOf(service, "alice");
    const wallet = alice.address.toLowerCase();
    await service.db.transaction((tx) => moveCredits(tx, [issueMove(wallet, "review", "promised", 1_000n)]));
    const quoted = await fetch(`${service.url}/api/v1/quotes?capability=chain.snapshot&wallet=${wallet}`);
    const { invokeUrl, creditAppliedUsd } = (await quoted.json()) as {
      invokeUrl: string;
      creditAppliedUsd: number;
    };
    expect(creditAppliedUsd).toBe(0.001);
    expect((await send(invokeUrl, await signPayment(alice, await fetchChallenge(invokeUrl)))).status).toBe(
      200,
    );
  });
});

test("a sale that pays for itself is counted with what it cost and what it left", async () => {
  const service = await startTestService();
  try {
    // Known once even a payment of less than nothing can be refused.
    await until(async () => service.context.facilitator.findCostRefusal?.(-10_000n));
    expect((await pay(service)).status).toBe(200);
    const [cost, margin, gas] = await Promise.all([
      readMetric(service, "assay_settlement_cost_usd_total"),
      readMetric(service, "assay_margin_usd"),
      readMetric(service, "assay_settlement_gas_total"),
    ]);
    expect(gas).toBeGreaterThan(40_000);
    expect(gas).toBeLessThan(120_000);
    expect(cost).toBeGreaterThan(0.0001);
    expect(cost).toBeLessThan(0.002);
    expect(cost + margin).toBeCloseTo(0.005, 9);
  } finally {
    await service.stop();
  }
});
