import {
  type ChannelPayment,
  capabilityResultSchema,
  type PaymentRequired,
  paymentRequiredSchema,
  quoteSchema,
  receiptSchema,
} from "@assay/protocol";
import { decodePaymentResponseHeader } from "@x402/fetch";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { asPost, balanceOf, fetchChallenge, send } from "../../../test/payer.js";
import { startNeighbour } from "../../../test/startNeighbour.js";
import { useTestService } from "../../../test/useTestService.js";
import { describeTrueClaim } from "../../claims/testing/paidClaims.js";
import { getBalance, issueMove, moveCredits } from "../../credits/ledger.js";
import { packFinalCalls } from "../packFinalCalls.js";
import { openPayer } from "./testing/channelPayer.js";

/** Both processes of a deployment have it: it decides for the receiver of every channel. */
const env = { RATE_LIMITS: "off", SERVICE_SIGNING_KEY: `0x${"5e".repeat(32)}` };
const service = useTestService(env);
const guardUrl = (address: string) => service.invokeUrl("contract.guard", { address });
/** An answer that stays fresh for as long as a test takes. */
const interfaceUrl = () =>
  service.invokeUrl("contract.interface", { address: service.chainOf.contracts.plainToken });

const MISMATCH = "invalid_batch_settlement_evm_cumulative_amount_mismatch";

async function errorOf(response: Response): Promise<PaymentRequired> {
  const text = await response.text();
  expect(response.status, text).toBe(402);
  return paymentRequiredSchema.parse(JSON.parse(text));
}
const chargedOf = async (payer: string): Promise<bigint> => {
  const [row] = await service.db.query<{ charged: bigint }>({
    text: "SELECT charged FROM channels WHERE lower(config->>'payer') = $1",
    values: [payer.toLowerCase()],
  });
  return row?.charged ?? 0n;
};
const countCalls = async (payer: string): Promise<number> => {
  const rows = await service.db.query({
    text: "SELECT FROM invocations WHERE payer = $1 AND state = 'settled'",
    values: [payer.toLowerCase()],
  });
  return rows.length;
};

test("the official client deposits with its first call, then pays by vouchers, and nothing more reaches the chain", async () => {
  const { contracts } = service.chainOf;
  const payer = await openPayer(service);
  const before = await balanceOf(service, payer.account.address);
  const first = await payer.buy(guardUrl(contracts.plainToken));
  expect(first.status, first.body).toBe(200);
  const deposit = BigInt(first.paid?.amount ?? 0);
  expect(before - (await balanceOf(service, payer.account.address))).toBe(deposit);
  const price = BigInt(String(first.paid?.extra?.chargedAmount));
  expect(deposit).toBe(10n * price);

  for (const contract of [contracts.weth, contracts.plainToken, contracts.weth]) {
    const next = await payer.buy(guardUrl(contract));
    expect(next.status, next.body).toBe(200);
    expect(next.paid).toMatchObject({ success: true, transaction: "", amount: "" });
  }
  expect(before - (await balanceOf(service, payer.account.address))).toBe(deposit);

  const result = capabilityResultSchema.parse(JSON.parse(first.body));
  const receipt = receiptSchema.parse(await (await fetch(result.receiptUrl)).json());
  expect(receipt).toMatchObject({
    state: "settled",
    charged: true,
    payment: {
      transaction: null,
      channel: { isClaimed: false, voucher: { maxClaimableAmount: price.toString() } },
    },
  });
});

test("a channel that is used up is topped up by the next call", async () => {
  const payer = await openPayer(service);
  let [charged, deposits] = [0n, 0];
  while (deposits < 2) {
    const { status, body, paid } = await payer.buy(interfaceUrl());
    expect(status, body).toBe(200);
    charged += BigInt(String(paid?.extra?.chargedAmount));
    if (paid?.transaction !== "") deposits += 1;
  }
  expect(await countCalls(payer.account.address)).toBeGreaterThan(5);
  expect(await chargedOf(payer.account.address)).toBe(charged);
});

describe("a voucher", () => {
  test("buys its answer once: sent again, it gets the same bytes, and for another question it buys nothing", async () => {
    const payer = await openPayer(service);
    await payer.buy(interfaceUrl());
    const url = guardUrl(service.chainOf.contracts.bytes32Token);
    const payment = await payer.sign(await fetchChallenge(url));
    const first = await send(url, payment);
    const text = await first.text();
    expect(first.status, text).toBe(200);
    const again = await send(url, payment);
    expect([again.status, await again.text()]).toEqual([200, text]);
    expect(again.headers.get("payment-response")).toBe(first.headers.get("payment-response"));

    const other = guardUrl(service.chainOf.contracts.taxedToken);
    const { accepts } = await fetchChallenge(other);
    const moved = { ...payment, accepted: accepts[1] as ChannelPayment["accepted"] };
    const { error, accepts: corrected } = await errorOf(await send(other, moved));
    expect(error).toBe(MISMATCH);
    const charged = await chargedOf(payer.account.address);
    expect(corrected[1]?.extra).toMatchObject({
      channelState: { chargedCumulativeAmount: charged.toString() },
      voucherState: { signedMaxClaimable: charged.toString(), signature: payment.payload.voucher.signature },
    });
    expect(await countCalls(payer.account.address)).toBe(2);
  });

  test("gets the same bytes, and the same receipt, after its call was packed", async () => {
    const payer = await openPayer(service);
    await payer.buy(interfaceUrl());
    const payment = await payer.sign(await fetchChallenge(interfaceUrl()));
    const first = await send(interfaceUrl(), payment);
    const text = await first.text();
    const { pricing, receiptUrl } = capabilityResultSchema.parse(JSON.parse(text));
    expect(pricing.actualCacheStatus).toBe("hit");
    const receiptOf = async () => {
      const { log: _log, ...receipt } = receiptSchema.parse(await (await fetch(receiptUrl)).json());
      return receipt;
    };
    const receipt = await receiptOf();
    expect(await packFinalCalls(service.context.database, 0)).toBeGreaterThan(0);
    expect(await (await send(interfaceUrl(), payment)).text()).toBe(text);
    expect(await receiptOf()).toEqual(receipt);
  });

  test("gets a private answer again too, and nobody gets it without the buyer's secret", async () => {
    const payer = await openPayer(service);
    const guard = await service.buy(guardUrl(service.chainOf.contracts.plainToken), "carol");
    const url = service.invokeUrl("evidence.artifact", { artifactId: guard.evidenceReference.artifactId });
    const payment = await payer.sign(await fetchChallenge(url));
    const first = await send(url, payment);
    const text = await first.text();
    expect(first.status, text).toBe(200);
    expect(await (await send(url, payment)).text()).toBe(text);
    const { accepts } = await fetchChallenge(url);
    const guessed = { ...payment, accepted: accepts[1] as ChannelPayment["accepted"] };
    expect((await errorOf(await send(url, guessed))).error).toBe(MISMATCH);
  });

  test("of a payer who lost count is corrected, and the official client pays on", async () => {
    const payer = await openPayer(service);
    await payer.buy(interfaceUrl());
    await payer.buy(interfaceUrl());
    const { scheme } = payer;
    const storage = (scheme as unknown as { storage: { channels: Map<string, unknown> } }).storage;
    expect(storage.channels.size).toBe(1);
    storage.channels.clear();
    const next = await payer.buy(interfaceUrl());
    expect(next.status, next.body).toBe(200);
    expect(await countCalls(payer.account.address)).toBe(3);
  });

  test("whose work failed is not charged, and buys another answer", async () => {
    const payer = await openPayer(service);
    await payer.buy(interfaceUrl());
    const charged = await chargedOf(payer.account.address);
    const url = guardUrl(service.chainOf.contracts.legacyProxy);
    vi.spyOn(service.context.signer, "sign").mockImplementationOnce(() => {
      throw new Error("the key is away");
    });
    expect((await send(url, await payer.sign(await fetchChallenge(url)))).status).toBe(500);
    expect(await chargedOf(payer.account.address)).toBe(charged);
    const other = guardUrl(service.chainOf.contracts.uupsProxy);
    const answered = await send(other, await payer.sign(await fetchChallenge(other)));
    expect(answered.status, await answered.text()).toBe(200);
  });

  test("over more than the channel holds is refused, and the deposit that would cover it is not made for a wrong one", async () => {
    const payer = await openPayer(service);
    const url = interfaceUrl();
    const payment = await payer.sign(await fetchChallenge(url));
    if (payment.payload.type !== "deposit") throw new Error("a first call deposits");
    const { deposit: _deposit, ...rest } = payment.payload;
    const alone: ChannelPayment = { ...payment, payload: { ...rest, type: "voucher" } };
    const { error } = await errorOf(await send(url, alone));
    expect(error).toBe("invalid_batch_settlement_evm_channel_not_found");
    const before = await balanceOf(service, payer.account.address);
    const small = { ...payment.payload.deposit, amount: "1" };
    const short = await send(url, { ...payment, payload: { ...payment.payload, deposit: small } });
    expect((await errorOf(short)).error).toBe("invalid_batch_settlement_evm_cumulative_exceeds_balance");
    expect(await balanceOf(service, payer.account.address)).toBe(before);
  });
});

test("parallel calls of one channel are served one after another, and each answer is charged once", async () => {
  const payer = await openPayer(service);
  await payer.buy(interfaceUrl());
  const before = await chargedOf(payer.account.address);
  const neighbour = await startNeighbour(service, env);
  try {
    const urls = Array.from({ length: 12 }, (_, i) =>
      i % 2 === 0 ? interfaceUrl() : interfaceUrl().replace(service.url, neighbour.url),
    );
    const answers = await Promise.all(urls.map((url) => payer.fetch(url)));
    expect(answers.every(({ status }) => status === 200 || status === 402)).toBe(true);
    const prices = answers.flatMap(({ headers }) => {
      const header = headers.get("payment-response");
      return header === null
        ? []
        : [BigInt(String(decodePaymentResponseHeader(header).extra?.chargedAmount))];
    });
    expect(prices.length).toBeGreaterThan(0);
    expect(await countCalls(payer.account.address)).toBe(prices.length + 1);
    const charged = (await chargedOf(payer.account.address)) - before;
    expect(charged).toBe(prices.reduce((sum, price) => sum + price, 0n));
  } finally {
    await neighbour.stop();
  }
});

test("a voucher whose channel another process charged during its deposit buys nothing", async () => {
  const payer = await openPayer(service);
  const neighbour = await startNeighbour(service, env);
  onTestFinished(() => neighbour.stop());
  const [url, rivalUrl] = [interfaceUrl(), guardUrl(service.chainOf.contracts.plainToken)];
  const payment = await payer.sign(await fetchChallenge(url));
  const rival = await payer.sign(await fetchChallenge(rivalUrl));
  const { channels } = service.context.facilitator;
  if (!channels) throw new Error("no channels are taken");
  const { deposit } = channels;
  vi.spyOn(channels, "deposit").mockImplementationOnce(async (order) => {
    const outcome = await deposit(order);
    const answered = await send(rivalUrl.replace(service.url, neighbour.url), rival);
    expect(answered.status, await answered.text()).toBe(200);
    return outcome;
  });
  expect((await errorOf(await send(url, payment))).error).toBe(MISMATCH);
  expect(await chargedOf(payer.account.address)).toBe(BigInt(rival.accepted.amount));
  expect(await countCalls(payer.account.address)).toBe(1);
});

describe("beside single payments, all is the same", () => {
  test("a quote with credit lowers the price once", async () => {
    const payer = await openPayer(service);
    const wallet = payer.account.address.toLowerCase();
    await service.db.transaction((tx) => moveCredits(tx, [issueMove(wallet, "review", wallet, 40_000n)]));
    const { freshToken: address } = service.chainOf.contracts;
    const quoted = await fetch(service.quoteUrl("contract.guard", wallet, { address }));
    const { invokeUrl } = quoteSchema.parse(await quoted.json());
    const payment = await payer.sign(await fetchChallenge(invokeUrl));
    const answered = await send(invokeUrl, payment);
    const { pricing } = capabilityResultSchema.parse(await answered.json());
    expect(pricing).toMatchObject({ creditAppliedUsd: 0.04, pricePaidUsd: 0.06 });
    expect(await getBalance(service.db, `wallet:${wallet}`)).toBe(0n);
    expect(await chargedOf(wallet)).toBe(60_000n);
    const another = await payer.sign(await fetchChallenge(guardUrl(address)));
    const accepted = { ...payment.accepted };
    expect((await errorOf(await send(invokeUrl, { ...another, accepted }))).error).toBe(MISMATCH);
  });

  test("a claim is opened by voucher, for the wallet that pays", async () => {
    const payer = await openPayer(service, { usd: 20 });
    const claim = await describeTrueClaim(service, payer.account);
    const url = `${service.url}/api/v1/claims`;
    const opened = await payer.buy(url, asPost(claim));
    expect(opened.status, opened.body).toBe(201);
    const { claimId } = JSON.parse(opened.body) as { claimId: string };
    expect((await fetch(`${url}/${claimId}`)).status).toBe(200);
    const stranger = await openPayer(service, { usd: 20 });
    const refused = await stranger.buy(url, asPost(claim));
    expect([refused.status, JSON.parse(refused.body).code]).toEqual([400, "invalid_input"]);
  });

  test("a call of a tool is paid by voucher", async () => {
    const payer = await openPayer(service);
    await payer.buy(interfaceUrl());
    const address = service.chainOf.contracts.plainToken;
    const call = (meta?: Record<string, unknown>) =>
      fetch(
        `${service.url}/api/mcp?x402=mcp`,
        asPost({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "contract_interface", arguments: { address }, ...(meta && { _meta: meta }) },
        }),
      );
    const { result } = (await (await call()).json()) as { result: { structuredContent: unknown } };
    const payment = await payer.sign(paymentRequiredSchema.parse(result.structuredContent));
    const answered = (await (await call({ "x402/payment": payment })).json()) as {
      result: { isError?: boolean; _meta: Record<string, { extra: unknown }> };
    };
    expect(answered.result.isError ?? false).toBe(false);
    expect(answered.result._meta["x402/payment-response"]).toMatchObject({ success: true, transaction: "" });
  });
});
