import {
  BATCH_SETTLEMENT,
  type ChannelPayment,
  type Hex,
  paymentRequiredSchema,
  receiptSchema,
} from "@assay/protocol";
import { createWalletClient, encodeFunctionData, http, parseAbi } from "viem";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { balanceOf, fetchChallenge, send } from "../../../test/payer.js";
import { useTestService } from "../../../test/useTestService.js";
import { readChannels } from "./channelChain.js";
import { findChannel } from "./channelRecords.js";
import { claimVouchers } from "./claimVouchers.js";
import { openPayer } from "./testing/channelPayer.js";

const service = useTestService({ RATE_LIMITS: "off" });
/** The tests claim themselves; the service's own job would claim before them. */
beforeAll(() => service.stopJobs());

/** An answer that stays fresh for as long as a test takes. */
const interfaceUrl = () =>
  service.invokeUrl("contract.interface", { address: service.chainOf.contracts.plainToken });

const abi = parseAbi([
  "struct ChannelConfig { address payer; address payerAuthorizer; address receiver; address receiverAuthorizer; address token; uint40 withdrawDelay; bytes32 salt; }",
  "function initiateWithdraw(ChannelConfig config, uint128 amount)",
]);

type Payer = Awaited<ReturnType<typeof openPayer>>;

async function channelOf({ account }: Payer) {
  const [row] = await service.db.query<{ channel_id: string }>({
    text: "SELECT channel_id FROM channels WHERE lower(config->>'payer') = $1",
    values: [account.address.toLowerCase()],
  });
  const channel = await findChannel(service.db, row?.channel_id ?? "");
  if (!channel) throw new Error("no channel is on record");
  return channel;
}
async function chainOf(channelId: string) {
  const [state] = await readChannels(service.context.chain, [channelId]);
  if (!state) throw new Error("the chain does not answer");
  return state;
}
async function buy(payer: Payer) {
  const { status, body } = await payer.buy(interfaceUrl());
  expect(status, body).toBe(200);
  return JSON.parse(body) as { receiptUrl: string };
}
const receiptOf = async (url: string) => receiptSchema.parse(await (await fetch(url)).json());
/** As if the oldest charge were older than a claim may wait. */
const makeOld = () =>
  service.db.query({ text: "UPDATE channels SET unclaimed_since = now() - interval '2 hours'" });
const forgetChecks = () =>
  service.db.query({ text: "UPDATE channels SET checked_at = now() - interval '1 hour'" });
const settleMine = async () => {
  await service.chainOf.mine(1);
  await service.context.chain.latestBlock();
};

async function askToWithdraw(payer: Payer) {
  const { config, balance } = await channelOf(payer);
  const wallet = createWalletClient({ account: payer.account, transport: http(service.chainOf.rpcUrl) });
  await service.chainOf.request("hardhat_setBalance", [payer.account.address, "0xde0b6b3a7640000"]);
  const args = { ...config, salt: config.salt as Hex };
  const data = encodeFunctionData({ abi, functionName: "initiateWithdraw", args: [args, balance] });
  await wallet.sendTransaction({ to: BATCH_SETTLEMENT, data, gas: 500_000n, chain: null });
  await settleMine();
}

test("vouchers of many channels are claimed in one transaction once the oldest has waited, and receipts name it", async () => {
  const payers: Payer[] = [];
  for (let i = 0; i < 4; i++) payers.push(await openPayer(service));
  const receipts: string[] = [];
  for (const payer of payers)
    for (let call = 0; call < 3; call++) receipts.push((await buy(payer)).receiptUrl);
  expect(await claimVouchers(service.context)).toBe(0);
  await makeOld();
  expect(await claimVouchers(service.context)).toBe(4);
  const named = new Set<string | null | undefined>();
  for (const url of receipts) {
    const { payment } = await receiptOf(url);
    expect(payment.channel).toMatchObject({ isClaimed: true });
    named.add(payment.channel?.claimTransaction);
  }
  expect([...named]).toEqual([expect.stringMatching(/^0x[0-9a-f]{64}$/)]);
  for (const payer of payers) {
    const { channelId, charged, claimed } = await channelOf(payer);
    expect(claimed).toBe(charged);
    expect((await chainOf(channelId)).claimed).toBe(charged);
  }
  expect(await claimVouchers(service.context)).toBe(0);
});

test("what is charged while a claim is under way is as old as that charge, and waits as long as any other", async () => {
  const payer = await openPayer(service);
  await buy(payer);
  await buy(payer);
  await makeOld();
  const { channels } = service.context.facilitator;
  if (!channels) throw new Error("no channels are taken");
  const { send } = channels;
  vi.spyOn(channels, "send").mockImplementationOnce(async (...order) => {
    const outcome = await send(...order);
    await buy(payer);
    return outcome;
  });
  expect(await claimVouchers(service.context)).toBeGreaterThan(0);
  const { channelId, charged, claimed } = await channelOf(payer);
  expect(charged).toBeGreaterThan(claimed);
  const [row] = await service.db.query<{ is_old: boolean }>({
    text: "SELECT unclaimed_since < now() - interval '1 hour' AS is_old FROM channels WHERE channel_id = $1",
    values: [channelId],
  });
  expect(row?.is_old).toBe(false);
});

test("a voucher that a claim made public tells a stranger nothing, and does not close the channel", async () => {
  const payer = await openPayer(service);
  const claimed = await payer.sign(await fetchChallenge(interfaceUrl()));
  expect((await send(interfaceUrl(), claimed)).status).toBe(200);
  await makeOld();
  await claimVouchers(service.context);
  const { receiptUrl } = await buy(payer);
  const { channelId, charged, claimed: onChain, voucherSignature } = await channelOf(payer);
  expect(charged).toBeGreaterThan(onChain);
  const [unclaimed, newest] = [await receiptOf(receiptUrl), String(voucherSignature)];
  expect(unclaimed.payment.channel).toMatchObject({ isClaimed: false });
  expect(JSON.stringify(unclaimed)).not.toContain(newest);

  // All that the chain shows: the channel's parts and the claimed voucher.
  const { channelConfig, voucher } = claimed.payload;
  const ask = async (payload: ChannelPayment["payload"]) => {
    const { accepts } = await fetchChallenge(interfaceUrl());
    const accepted = accepts[1] as ChannelPayment["accepted"];
    const answer = await send(interfaceUrl(), { ...claimed, accepted, payload });
    return { status: answer.status, text: await answer.text() };
  };
  for (const type of ["voucher", "refund"] as const) {
    const { status, text } = await ask({ type, channelConfig, voucher });
    const { error, accepts } = paymentRequiredSchema.parse(JSON.parse(text));
    expect([status, error]).toEqual([402, "invalid_batch_settlement_evm_cumulative_amount_mismatch"]);
    expect(accepts[1]?.extra).not.toHaveProperty("channelState");
    expect(text).not.toContain(newest);
  }
  expect((await chainOf(channelId)).balance).toBe((await channelOf(payer)).balance);

  // The official client without its records reads from the chain what was claimed, and is corrected from there.
  const { storage } = payer.scheme as unknown as { storage: { channels: Map<string, unknown> } };
  storage.channels.clear();
  await buy(payer);
});

test("what was claimed is paid out in one transfer", async () => {
  const payer = await openPayer(service);
  await buy(payer);
  await makeOld();
  await service.db.query({ text: "UPDATE channel_work SET swept_at = now() - interval '2 days'" });
  const before = await balanceOf(service, service.context.settings.payTo);
  await claimVouchers(service.context);
  const { charged } = await channelOf(payer);
  expect((await balanceOf(service, service.context.settings.payTo)) - before).toBeGreaterThanOrEqual(charged);
});

test("a payer who asks to withdraw is claimed from at once, and buys nothing more with what it withdraws", async () => {
  const payer = await openPayer(service);
  await buy(payer);
  const { charged, channelId, balance } = await channelOf(payer);
  await askToWithdraw(payer);
  await forgetChecks();
  await claimVouchers(service.context);
  expect(await chainOf(channelId)).toMatchObject({ claimed: charged, withdrawing: balance });
  const refused = await payer.buy(interfaceUrl());
  expect([refused.status, refused.body]).toEqual([
    402,
    expect.stringContaining("cumulative_exceeds_balance"),
  ]);
  expect((await channelOf(payer)).charged).toBe(charged);
});

/** Makes the newest block count as final. */
async function endReorganisation() {
  await service.chainOf.mine(3);
  await settleMine();
  const head = await service.context.chain.latestBlock();
  const later = { ...head, timestamp: Math.ceil(Date.now() / 1000) + 60 };
  const spy = vi.spyOn(service.context.chain, "findFinalizedBlock").mockResolvedValue(later);
  onTestFinished(() => spy.mockRestore());
}

async function expectRepaired(channelId: string, balance: bigint) {
  await claimVouchers(service.context);
  expect((await chainOf(channelId)).balance).toBe(balance);
}

test("a deposit that a reorganisation undid is made again while it is valid", async () => {
  const payer = await openPayer(service);
  const snapshot = await service.chainOf.snapshot();
  await buy(payer);
  const { balance, channelId } = await channelOf(payer);
  await service.chainOf.revert(snapshot);
  await endReorganisation();
  expect((await chainOf(channelId)).balance).toBe(0n);
  await expectRepaired(channelId, balance);
  await buy(payer);
});

test("every deposit that a reorganisation undid is made again, not the newest alone", async () => {
  const payer = await openPayer(service);
  const snapshot = await service.chainOf.snapshot();
  for (let deposits = 0; deposits < 2; ) {
    const { status, body, paid } = await payer.buy(interfaceUrl());
    expect(status, body).toBe(200);
    if (paid?.transaction !== "") deposits += 1;
  }
  const { balance, channelId } = await channelOf(payer);
  await service.chainOf.revert(snapshot);
  await endReorganisation();
  expect((await chainOf(channelId)).balance).toBe(0n);
  await expectRepaired(channelId, balance);
});

test("a claim that a reorganisation undid is made again", async () => {
  const payer = await openPayer(service);
  await buy(payer);
  const snapshot = await service.chainOf.snapshot();
  await makeOld();
  expect(await claimVouchers(service.context)).toBeGreaterThan(0);
  const { charged, channelId } = await channelOf(payer);
  await service.chainOf.revert(snapshot);
  await endReorganisation();
  expect((await chainOf(channelId)).claimed).toBe(0n);
  await claimVouchers(service.context);
  await makeOld();
  await claimVouchers(service.context);
  expect((await chainOf(channelId)).claimed).toBe(charged);
});

test("a channel whose record was lost is charged on from its next voucher, so that nothing charged before is given up", async () => {
  const payer = await openPayer(service);
  await buy(payer);
  await buy(payer);
  const { charged, channelId } = await channelOf(payer);
  await service.db.query({
    text: "UPDATE invocations SET channel_no = NULL, voucher_ceiling = NULL, voucher_signature = NULL, transaction_hash = '' WHERE channel_no IS NOT NULL",
  });
  await service.db.query({ text: "DELETE FROM channel_claims" });
  await service.db.query({ text: "DELETE FROM channels WHERE channel_id = $1", values: [channelId] });
  await buy(payer);
  const found = await channelOf(payer);
  expect(found.charged).toBeGreaterThan(charged);
  await makeOld();
  await claimVouchers(service.context);
  expect((await chainOf(channelId)).claimed).toBe(found.charged);
});
