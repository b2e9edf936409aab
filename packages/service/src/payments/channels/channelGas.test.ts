import { until } from "@assay/chain/testing/until";
import { BATCH_SETTLEMENT, type ChannelPayment, type Hex } from "@assay/protocol";
import { createWalletClient, encodeFunctionData, erc20Abi, http, parseAbi } from "viem";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { accountOf, balanceOf, fetchChallenge, send } from "../../../test/payer.js";
import { useTestService } from "../../../test/useTestService.js";
import { readChannels } from "./channelChain.js";
import { findChannel } from "./channelRecords.js";
import { claimVouchers } from "./claimVouchers.js";
import { fund, openPayer } from "./testing/channelPayer.js";

// At the gwei that the local chain suggests, a transaction costs tens of cents, and this capability a cent or two.
const service = useTestService({ MAX_TIP_WEI: "1000000000" });
const interfaceUrl = () =>
  service.invokeUrl("contract.interface", { address: service.chainOf.contracts.plainToken });

type Payer = Awaited<ReturnType<typeof openPayer>>;

function channels() {
  const found = service.context.facilitator.channels;
  if (!found) throw new Error("no channels are taken");
  return found;
}
beforeAll(async () => {
  // Fees and the price of ether are asked at the start.
  await until(async () => (channels().estimateCost(100_000n) ?? 0n) > 200_000n || undefined);
});

const openRich = () => openPayer(service, { usd: 20, depositUsd: 5 });

async function buy(payer: Payer): Promise<void> {
  const { status, body } = await payer.buy(interfaceUrl());
  expect(status, body).toBe(200);
}
async function channelOf({ account }: Payer) {
  const [row] = await service.db.query<{ channel_id: string }>({
    text: "SELECT channel_id FROM channels WHERE lower(config->>'payer') = $1",
    values: [account.address.toLowerCase()],
  });
  const channel = await findChannel(service.db, row?.channel_id ?? "");
  if (!channel) throw new Error("no channel is on record");
  return channel;
}
const signDeposit = async (payer: Payer): Promise<ChannelPayment> => {
  const payment = await payer.sign(await fetchChallenge(interfaceUrl()));
  expect(payment.payload.type).toBe("deposit");
  return payment;
};

async function sendAs(payer: Payer, to: Hex, data: Hex): Promise<void> {
  const wallet = createWalletClient({ account: payer.account, transport: http(service.chainOf.rpcUrl) });
  await service.chainOf.request("hardhat_setBalance", [payer.account.address, "0xde0b6b3a7640000"]);
  await wallet.sendTransaction({ to, data, gas: 500_000n, chain: null });
  await service.chainOf.mine(1);
  await service.context.chain.latestBlock();
}

describe("what costs more gas than it moves", () => {
  test("is no deposit: the refusal says how much is enough", async () => {
    const payer = await openPayer(service);
    const response = await send(interfaceUrl(), await signDeposit(payer));
    expect([response.status, await response.json()]).toEqual([
      402,
      expect.objectContaining({
        error: expect.stringMatching(
          /deposit_below_min_deposit: .* cost \d+ micro-dollars; deposit at least \d+$/,
        ),
      }),
    ]);
    expect(await balanceOf(service, payer.account.address)).toBe(10_000_000n);
  });

  test("is no refund: the payer keeps it in the channel, and gets the whole of it", async () => {
    const payer = await openRich();
    await buy(payer);
    const before = await balanceOf(service, payer.account.address);
    await expect(payer.scheme.refund(interfaceUrl(), { amount: "1000" })).rejects.toThrow(
      /refund_amount_invalid: returning 1000 would cost \d+ micro-dollars/,
    );
    expect(await balanceOf(service, payer.account.address)).toBe(before);
    const { balance, charged } = await channelOf(payer);
    await payer.scheme.refund(interfaceUrl());
    expect(await balanceOf(service, payer.account.address)).toBe(before + balance - charged);
  });
});

/** Leaves nothing of a budget. */
const spend = (budget: string, key: string, points: number) =>
  service.db.query({
    text: `INSERT INTO rate_limits (key, points, expire)
           VALUES ($1, $2, (extract(epoch FROM now()) * 1000)::bigint + 1800000)`,
    values: [`${budget}:${key.toLowerCase()}`, points],
  });

async function expectLimit(response: Response, rule: string): Promise<void> {
  const text = await response.text();
  expect(response.status, text).toBe(429);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(1_000);
  expect(JSON.parse(text)).toMatchObject({ code: "rate_limited", detail: `At most ${rule} in 3600 s.` });
}

describe("transactions that a payer can make us send are limited", () => {
  async function signRefund(payer: Payer): Promise<ChannelPayment> {
    const signed = await payer.sign(await fetchChallenge(interfaceUrl()));
    const { charged, voucherSignature, channelId } = await channelOf(payer);
    const voucher = {
      channelId,
      maxClaimableAmount: charged.toString(),
      signature: voucherSignature as Hex,
    };
    return {
      ...signed,
      payload: {
        type: "refund",
        channelConfig: signed.payload.channelConfig,
        voucher,
        amount: "1000000",
      },
    };
  }

  test("to three refunds of a channel in an hour, with one voucher again and again", async () => {
    const payer = await openRich();
    await buy(payer);
    const refund = await signRefund(payer);
    for (let turn = 0; turn < 3; turn++) {
      const response = await send(interfaceUrl(), refund);
      expect(response.status, await response.text()).toBe(200);
    }
    const before = await balanceOf(service, payer.account.address);
    await expectLimit(await send(interfaceUrl(), refund), "3 refunds of one channel");
    expect(await balanceOf(service, payer.account.address)).toBe(before);
    // The channel pays on.
    await buy(payer);
  });

  test("to ten refunds of a wallet", async () => {
    const payer = await openRich();
    await buy(payer);
    await spend("refundOf", payer.account.address, 10);
    await expectLimit(await send(interfaceUrl(), await signRefund(payer)), "10 refunds of one wallet");
  });

  test("to thirty deposits of a wallet", async () => {
    const payer = await openRich();
    await spend("deposit", payer.account.address, 30);
    await expectLimit(await send(interfaceUrl(), await signDeposit(payer)), "30 deposits of one wallet");
    expect(await balanceOf(service, payer.account.address)).toBe(20_000_000n);
  });
});

test("a payer whose deposit failed on the chain is refused for an hour", async () => {
  const payer = await openRich();
  const { deposit } = channels();
  // The money is there when the deposit is simulated, and gone when it is mined.
  vi.spyOn(channels(), "deposit").mockImplementationOnce(async (order) => {
    const args = [accountOf(service, "frank").address, 20_000_000n] as const;
    await sendAs(
      payer,
      service.chainOf.stablecoin.address as Hex,
      encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args }),
    );
    return deposit(order);
  });
  const failed = await send(interfaceUrl(), await signDeposit(payer));
  expect([failed.status, await failed.text()]).toEqual([
    402,
    expect.stringContaining("deposit_transaction_failed"),
  ]);
  await fund(service, payer.account.address, 20_000_000n);
  const refused = await send(interfaceUrl(), await signDeposit(payer));
  expect([refused.status, await refused.text()]).toEqual([
    402,
    expect.stringContaining("payer_failed_settlement_within_the_hour"),
  ]);
  expect(await balanceOf(service, payer.account.address)).toBe(20_000_000n);
});

// Last, because it moves the clock of the chain.
test("what costs more gas than it moves is no claim, even while its payer withdraws; and once it is withdrawn, it is not tried again", async () => {
  const payer = await openRich();
  await buy(payer);
  const { config, balance, channelId } = await channelOf(payer);
  const abi = parseAbi([
    "struct ChannelConfig { address payer; address payerAuthorizer; address receiver; address receiverAuthorizer; address token; uint40 withdrawDelay; bytes32 salt; }",
    "function initiateWithdraw(ChannelConfig config, uint128 amount)",
    "function finalizeWithdraw(ChannelConfig config)",
  ]);
  const args = { ...config, salt: config.salt as Hex };
  await sendAs(
    payer,
    BATCH_SETTLEMENT,
    encodeFunctionData({ abi, functionName: "initiateWithdraw", args: [args, balance] }),
  );
  const makeDue = "UPDATE channels SET unclaimed_since = now() - interval '2 hours', checked_at = 'epoch'";
  await service.db.query({ text: makeDue });
  expect(await claimVouchers(service.context)).toBe(0);
  const [state] = await readChannels(service.context.chain, [channelId]);
  expect(state).toMatchObject({ claimed: 0n, withdrawing: balance });

  // Its payer has the money: gas that costs nothing changes nothing any more.
  await service.chainOf.request("evm_increaseTime", [config.withdrawDelay + 1]);
  await service.chainOf.mine(1);
  await sendAs(
    payer,
    BATCH_SETTLEMENT,
    encodeFunctionData({ abi, functionName: "finalizeWithdraw", args: [args] }),
  );
  const spy = vi.spyOn(channels(), "estimateCost").mockReturnValue(0n);
  expect(await claimVouchers(service.context)).toBeGreaterThan(0);
  expect(await claimVouchers(service.context)).toBe(0);
  spy.mockRestore();
});
