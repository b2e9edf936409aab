import { paymentRequiredSchema, receiptSchema } from "@assay/protocol";
import { expect, test, vi } from "vitest";
import { balanceOf, fetchChallenge, send } from "../../../test/payer.js";
import { useTestService } from "../../../test/useTestService.js";
import { openPayer } from "./testing/channelPayer.js";

const service = useTestService({ RATE_LIMITS: "off" });
/** An answer that stays fresh for as long as a test takes. */
const interfaceUrl = () =>
  service.invokeUrl("contract.interface", { address: service.chainOf.contracts.plainToken });

type Payer = Awaited<ReturnType<typeof openPayer>>;

async function spend(payer: Payer, calls: number) {
  let [charged, receiptUrl] = [0n, ""];
  for (let call = 0; call < calls; call++) {
    const { status, body, paid } = await payer.buy(interfaceUrl());
    expect(status, body).toBe(200);
    charged += BigInt(String(paid?.extra?.chargedAmount));
    ({ receiptUrl } = JSON.parse(body) as { receiptUrl: string });
  }
  return { charged, receiptUrl };
}

test("the official client closes its channel: what was charged is claimed, and the rest is back in one transaction", async () => {
  const payer = await openPayer(service);
  const before = await balanceOf(service, payer.account.address);
  const { charged, receiptUrl } = await spend(payer, 3);
  const settled = await payer.scheme.refund(interfaceUrl());
  expect(settled).toMatchObject({ success: true, transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
  expect(before - (await balanceOf(service, payer.account.address))).toBe(charged);
  const receipt = receiptSchema.parse(await (await fetch(receiptUrl)).json());
  expect(receipt.payment.channel).toMatchObject({
    isClaimed: true,
    claimTransaction: settled.transaction,
  });
  // The same channel opens again with the next deposit.
  const { charged: later } = await spend(payer, 2);
  await payer.scheme.refund(interfaceUrl());
  expect(before - (await balanceOf(service, payer.account.address))).toBe(charged + later);
});

test("a part is returned, and the channel pays on with the rest", async () => {
  const payer = await openPayer(service);
  await spend(payer, 1);
  const before = await balanceOf(service, payer.account.address);
  const settled = await payer.scheme.refund(interfaceUrl(), { amount: "1000" });
  expect(settled.amount).toBe("1000");
  expect((await balanceOf(service, payer.account.address)) - before).toBe(1000n);
  await spend(payer, 2);
});

test("a request over another charge is corrected, and one for an empty channel is refused", async () => {
  const payer = await openPayer(service);
  await spend(payer, 2);
  const url = interfaceUrl();
  const challenge = await fetchChallenge(url);
  const signed = await payer.sign(challenge);
  // The voucher of the next call: over more than was charged.
  const early = await send(url, {
    ...signed,
    payload: { type: "refund", channelConfig: signed.payload.channelConfig, voucher: signed.payload.voucher },
  });
  expect(early.status).toBe(402);
  const corrected = paymentRequiredSchema.parse(await early.json());
  expect(corrected.error).toBe("invalid_batch_settlement_evm_cumulative_amount_mismatch");
  expect(corrected.accepts[1]?.extra).toHaveProperty("channelState.chargedCumulativeAmount");
  await payer.scheme.refund(url);
  await expect(payer.scheme.refund(url)).rejects.toThrow(/refund_no_balance|no remaining balance/);
});

test("what a refund returned whose end nobody saw buys nothing more, and asking again finds it made", async () => {
  const payer = await openPayer(service);
  const before = await balanceOf(service, payer.account.address);
  const { charged } = await spend(payer, 1);
  const { channels } = service.context.facilitator;
  if (!channels) throw new Error("no channels are taken");
  const { send: sendToChain } = channels;
  vi.spyOn(channels, "send").mockImplementationOnce(async (...order) => {
    await sendToChain(...order);
    return { status: "unknown", reason: "the process died" };
  });
  const url = interfaceUrl();
  await expect(payer.scheme.refund(url)).rejects.toThrow();
  expect(before - (await balanceOf(service, payer.account.address))).toBe(charged);
  // The client knows nothing of it, and pays on.
  const refused = await send(url, await payer.sign(await fetchChallenge(url)));
  expect([refused.status, await refused.text()]).toEqual([
    402,
    expect.stringContaining("cumulative_exceeds_balance"),
  ]);
  await expect(payer.scheme.refund(url)).rejects.toThrow(/refund_no_balance/);
});
