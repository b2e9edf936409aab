import { toFacilitatorEvmSigner } from "@x402/evm";
import { BatchSettlementEvmScheme as OfficialClient } from "@x402/evm/batch-settlement/client";
import { BatchSettlementEvmScheme as OfficialFacilitator } from "@x402/evm/batch-settlement/facilitator";
import { createWalletClient, type Hex, http, maxUint256, parseAbi, publicActions, toHex } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { base } from "viem/chains";
import { expect, test } from "vitest";
import { loadSample } from "./deploySamples.js";
import { type ChannelConfig, openSettlement } from "./testing/openSettlement.js";
import { useDevnet } from "./testing/useDevnet.js";

const NETWORK = "eip155:8453";
const PRICE = 20_000n;
const PERMIT2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3";

type PaymentPayload = Parameters<OfficialFacilitator["verify"]>[0];
type PaymentRequirements = Parameters<OfficialFacilitator["verify"]>[1];
interface ChannelPayload {
  type: string;
  channelConfig: ChannelConfig;
  voucher: { channelId: Hex; maxClaimableAmount: string; signature: Hex };
}

const local = useDevnet();

/** The official classes on the local chain, as their makers intend them. */
function setUp(extra: Record<string, unknown> = {}) {
  const settlement = openSettlement(local.devnet);
  const { receiver, receiverAuthorizer, token } = settlement;
  const wallet = createWalletClient({
    account: privateKeyToAccount(local.devnet.settler.privateKey),
    chain: base,
    pollingInterval: 10,
    transport: http(local.devnet.rpcUrl),
  }).extend(publicActions);
  const facilitator = new OfficialFacilitator(
    toFacilitatorEvmSigner({
      address: wallet.account.address,
      getCode: (request) => wallet.getCode(request),
      readContract: (request) => wallet.readContract({ ...request, args: request.args ?? [] }),
      verifyTypedData: (request) =>
        wallet.verifyTypedData(request as Parameters<typeof wallet.verifyTypedData>[0]),
      writeContract: (request) => wallet.writeContract({ ...request, args: request.args ?? [] }),
      sendTransaction: (request) => wallet.sendTransaction(request),
      waitForTransactionReceipt: (request) => wallet.waitForTransactionReceipt(request),
    }),
    {
      address: receiverAuthorizer.address,
      signTypedData: (request) => receiverAuthorizer.signTypedData(request),
    },
  );
  const requirements: PaymentRequirements = {
    scheme: "batch-settlement",
    network: NETWORK,
    asset: token.address,
    amount: PRICE.toString(),
    payTo: receiver.address,
    maxTimeoutSeconds: 300,
    extra: {
      receiverAuthorizer: receiverAuthorizer.address,
      withdrawDelay: 900,
      name: token.name,
      version: token.version,
      ...extra,
    },
  };
  const envelop = (payload: object): PaymentPayload => ({
    x402Version: 2,
    accepted: requirements,
    payload: payload as Record<string, unknown>,
  });
  /** A payment as the official client makes it; it reads the channel from the chain. */
  async function pay(account: PrivateKeyAccount, salt: Hex = toHex(1, { size: 32 })) {
    const signer = {
      address: account.address,
      signTypedData: (request: Parameters<PrivateKeyAccount["signTypedData"]>[0]) =>
        account.signTypedData(request),
      readContract: (request: Parameters<typeof wallet.readContract>[0]) => wallet.readContract(request),
    } as ConstructorParameters<typeof OfficialClient>[0];
    const client = new OfficialClient(signer, { salt });
    const { payload } = await client.createPaymentPayload(2, requirements);
    return payload as unknown as ChannelPayload;
  }
  const verify = (payload: object) => facilitator.verify(envelop(payload), requirements);
  const settle = (payload: object) => facilitator.settle(envelop(payload), requirements);
  return { ...settlement, pay, verify, settle };
}

/** What a server sends to claim all that a payment allows. */
const toClaim = ({ channelConfig, voucher }: ChannelPayload) => ({
  voucher: { channel: channelConfig, maxClaimableAmount: voucher.maxClaimableAmount },
  signature: voucher.signature,
  totalClaimed: voucher.maxClaimableAmount,
});

test("a deposit by EIP-3009, vouchers, a claim, a settlement and a refund, all by the official classes", async () => {
  const { payer, receiver, pay, verify, settle, read, readTokens } = setUp();
  const before = await readTokens(payer.address);
  const deposit = await pay(payer);
  expect(deposit.type).toBe("deposit");
  expect(await read("getChannelId", [deposit.channelConfig])).toBe(deposit.voucher.channelId);
  expect(await verify(deposit)).toMatchObject({ isValid: true, extra: { balance: "0", totalClaimed: "0" } });
  expect(await settle(deposit)).toMatchObject({
    success: true,
    amount: "100000",
    extra: { channelState: { balance: "100000", totalClaimed: "0", refundNonce: "0" } },
  });
  // The authorization moved the money once.
  expect(await settle(deposit)).toMatchObject({
    success: false,
    errorReason: "invalid_batch_settlement_evm_deposit_simulation_failed",
  });

  const voucher = await pay(payer);
  expect(voucher.type).toBe("voucher");
  expect(await verify(voucher)).toMatchObject({ isValid: true, extra: { balance: "100000" } });
  expect(await settle({ type: "claim", claims: [toClaim(voucher)] })).toMatchObject({ success: true });
  expect(await verify(voucher)).toMatchObject({
    isValid: false,
    invalidReason: "invalid_batch_settlement_evm_cumulative_below_claimed",
  });
  const sweep = { type: "settle", receiver: receiver.address, token: local.devnet.stablecoin.address };
  const earlier = await readTokens(receiver.address);
  expect(await settle(sweep)).toMatchObject({ success: true, amount: PRICE.toString() });
  expect(await readTokens(receiver.address)).toBe(earlier + PRICE);
  expect(await settle(sweep)).toMatchObject({
    success: false,
    errorReason: "invalid_batch_settlement_evm_nothing_to_settle",
  });

  const last = await pay(payer);
  const refund = { ...last, type: "refund", amount: "100000", refundNonce: "0", claims: [toClaim(last)] };
  expect(await settle(refund)).toMatchObject({
    success: true,
    amount: "60000",
    extra: { channelState: { balance: "40000", totalClaimed: "40000", refundNonce: "1" } },
  });
  expect(await read("channels", [last.voucher.channelId])).toEqual([40_000n, 40_000n]);
  expect(await readTokens(payer.address)).toBe(before - 2n * PRICE);
  expect(await settle({ ...refund, claims: [] })).toMatchObject({
    success: false,
    errorReason: "invalid_batch_settlement_evm_refund_no_balance",
  });
});

test("the official client pays more in when the channel is used up", async () => {
  const { payer, pay, settle, send, signClaims, receiverAuthorizer, read } = setUp();
  const deposit = await pay(payer);
  await settle(deposit);
  const { channelId } = deposit.voucher;
  const settlement = openSettlement(local.devnet);
  const channel = { id: channelId, config: deposit.channelConfig };
  const claim = await settlement.signVoucher(channel, 100_000n, 100_000n, payer);
  await send(receiverAuthorizer.address, "claimWithSignature", [[claim], await signClaims([claim])]);
  const topUp = await pay(payer);
  expect(topUp.type).toBe("deposit");
  expect(await settle(topUp)).toMatchObject({
    success: true,
    extra: { channelState: { balance: "200000", totalClaimed: "100000" } },
  });
  expect(await read("channels", [channelId])).toEqual([200_000n, 100_000n]);
});

test("one claim of the official facilitator takes the vouchers of many payers", async () => {
  const { pay, settle, readReceiver } = setUp();
  const payers = local.devnet.accounts.map(({ privateKey }) => privateKeyToAccount(privateKey));
  const payments = await Promise.all(payers.map((account) => pay(account)));
  for (const payment of payments) expect(await settle(payment)).toMatchObject({ success: true });
  expect(await settle({ type: "claim", claims: payments.map(toClaim) })).toMatchObject({ success: true });
  expect(await readReceiver()).toEqual({ totalClaimed: 10n * PRICE, totalSettled: 0n });
});

test("the official facilitator sees a withdrawal that the payer asked for, and a refund that takes it over", async () => {
  const { payer, pay, verify, settle, send } = setUp();
  const deposit = await pay(payer);
  await settle(deposit);
  await send(payer.address, "initiateWithdraw", [deposit.channelConfig, 50_000n]);
  const voucher = await pay(payer);
  const seen = await verify(voucher);
  const requestedAt = Number(seen.extra?.withdrawRequestedAt);
  expect(Math.abs(requestedAt - Date.now() / 1_000)).toBeLessThan(60);
  const refund = { ...voucher, type: "refund", claims: [] };
  expect(await settle({ ...refund, amount: "20000", refundNonce: "0" })).toMatchObject({
    success: true,
    amount: "20000",
    extra: { channelState: { balance: "80000", withdrawRequestedAt: requestedAt, refundNonce: "1" } },
  });
  expect(await settle({ ...refund, amount: "30000", refundNonce: "1" })).toMatchObject({
    success: true,
    extra: { channelState: { balance: "50000", withdrawRequestedAt: 0, refundNonce: "2" } },
  });
});

test("a deposit by Permit2, where its contract is installed", async () => {
  const { payer, token, pay, verify, settle, readChannel } = setUp({ assetTransferMethod: "permit2" });
  const code = await local.devnet.request<Hex>("eth_call", [{ data: loadSample("SamplePermit2").bytecode }]);
  await local.devnet.request("hardhat_setCode", [PERMIT2, code]);
  const deposit = await pay(payer);
  expect(await verify(deposit)).toMatchObject({
    isValid: false,
    invalidReason: "invalid_batch_settlement_evm_permit2_allowance_required",
  });
  const wallet = createWalletClient({ account: payer, chain: base, transport: http(local.devnet.rpcUrl) });
  await wallet.writeContract({
    address: token.address,
    abi: parseAbi(["function approve(address, uint256) returns (bool)"]),
    functionName: "approve",
    args: [PERMIT2, maxUint256],
  });
  expect(await verify(deposit)).toMatchObject({ isValid: true });
  expect(await settle(deposit)).toMatchObject({ success: true, amount: "100000" });
  const channel = { id: deposit.voucher.channelId, config: deposit.channelConfig };
  expect(await readChannel(channel)).toEqual({ balance: 100_000n, totalClaimed: 0n });
  expect(await settle(deposit)).toMatchObject({ success: false });
});
