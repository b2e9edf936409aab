import { createSeededChoices, type SeededChoices } from "@assay/chain/testing/seededChoices";
import {
  type ChannelPayment,
  channelIdOf,
  DEPOSIT_COLLECTOR,
  depositNonceOf,
  type Hex,
  type PaymentRequired,
  voucherDigestOf,
} from "@assay/protocol";
import { toFacilitatorEvmSigner } from "@x402/evm";
import { BatchSettlementEvmScheme as OfficialFacilitator } from "@x402/evm/batch-settlement/facilitator";
import { BatchSettlementEvmScheme as OfficialServer } from "@x402/evm/batch-settlement/server";
import { createWalletClient, http, publicActions } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { base } from "viem/chains";
import { expect, test } from "vitest";
import { accountOf, fetchChallenge, send } from "../../../test/payer.js";
import { useTestService } from "../../../test/useTestService.js";
import { signDigest, toSignatureHex } from "../../base/secp256k1.js";
import { findChannel } from "./channelRecords.js";
import { fund } from "./testing/channelPayer.js";

const service = useTestService({ RATE_LIMITS: "off" });
/** An answer that stays fresh for as long as the test takes. */
const interfaceUrl = () =>
  service.invokeUrl("contract.interface", { address: service.chainOf.contracts.plainToken });
const COUNT = Number(process.env.ASSAY_DEPOSITS ?? 24);

type Requirements = ChannelPayment["accepted"];
interface Extra {
  readonly receiverAuthorizer: Hex;
  readonly withdrawDelay: number;
  readonly name: string;
  readonly version: string;
}
const extraOf = ({ extra }: Requirements) => extra as unknown as Extra;
type Config = ChannelPayment["payload"]["channelConfig"];
const keys = [generatePrivateKey(), generatePrivateKey()] as const;
const poorKey = generatePrivateKey();

/** What the official server and the official facilitator say, with the channel as it is on record and on the chain. */
async function askOfficial(payment: ChannelPayment): Promise<string | undefined> {
  const { payload, accepted } = payment;
  const wallet = createWalletClient({
    account: accountOf(service, "frank"),
    chain: base,
    transport: http(service.chainOf.rpcUrl),
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
    { address: extraOf(accepted).receiverAuthorizer, signTypedData: async () => "0x" },
  );
  const server = new OfficialServer(accepted.payTo as Hex, {
    withdrawDelay: extraOf(accepted).withdrawDelay,
  });
  const known = await findChannel(service.db, payload.voucher.channelId);
  if (known)
    await server.getStorage().updateChannel(known.channelId, () => ({
      channelId: known.channelId,
      channelConfig: known.config as never,
      chargedCumulativeAmount: known.charged.toString(),
      signedMaxClaimable: known.charged.toString(),
      signature: known.voucherSignature ?? "0x",
      balance: known.balance.toString(),
      totalClaimed: known.claimed.toString(),
      withdrawRequestedAt: 0,
      refundNonce: Number(known.refundNonce),
      onchainSyncedAt: Date.now(),
      lastRequestTimestamp: 0,
    }));
  const context = { paymentPayload: payment, requirements: accepted } as never;
  const before = (await server.schemeHooks.onBeforeVerify?.(context)) as { reason?: string } | undefined;
  if (before?.reason) return before.reason;
  const verified = await facilitator.verify(payment as never, accepted as never);
  // Checked by the official server when it prepares the refund.
  if (verified.isValid && payload.type === "refund" && payload.amount === "0")
    return "invalid_batch_settlement_evm_refund_amount_invalid";
  return verified.isValid ? undefined : (verified.invalidReason ?? "invalid");
}

const nowSeconds = () => Math.floor(Date.now() / 1000);

/** A first deposit with its voucher that may be taken, and then changed in no, one or two places. */
async function drawDeposit(random: SeededChoices, challenge: PaymentRequired, isWhole = false) {
  const accepted = challenge.accepts[1] as Requirements;
  const pick = <T>(...options: readonly T[]): T => random.pick(options);
  const price = BigInt(accepted.amount);
  const key = pick(...keys);
  const { receiverAuthorizer, withdrawDelay, name, version } = extraOf(accepted);
  let config: Config = {
    payer: privateKeyToAccount(key).address,
    payerAuthorizer: privateKeyToAccount(key).address,
    receiver: accepted.payTo,
    receiverAuthorizer,
    token: accepted.asset,
    withdrawDelay,
    salt: random.hex(32) as Hex,
  };
  let [ceiling, amount] = [price, price * BigInt(pick(3, 10))];
  let [voucherKey, depositKey, otherId] = [key, key, false];
  let [validAfter, validBefore] = [0, nowSeconds() + 300];
  let change = (payment: ChannelPayment): ChannelPayment => payment;
  const changes: readonly (() => void)[] = [
    () => (voucherKey = pick(...keys, poorKey)),
    () => (ceiling += BigInt(pick(-1, 1, 1_000))),
    () => (amount = price - BigInt(pick(0, 1, 5_000))),
    () => (validBefore = nowSeconds() + pick(-100, 2, 120)),
    () => (validAfter = nowSeconds() + pick(-100, 60)),
    () => (depositKey = pick(...keys, poorKey)),
    () => {
      const poor = privateKeyToAccount(poorKey).address;
      config = { ...config, payer: poor, payerAuthorizer: poor };
      voucherKey = poorKey;
      depositKey = poorKey;
    },
    () => (config = { ...config, receiver: `0x${"22".repeat(20)}` }),
    () => (config = { ...config, receiverAuthorizer: `0x${"42".repeat(20)}` }),
    () => (config = { ...config, token: `0x${"32".repeat(20)}` }),
    () => (config = { ...config, withdrawDelay: pick(0, withdrawDelay + 1, 900) }),
    () => (otherId = true),
    () => (change = changeDeposit((deposit) => ({ ...deposit, amount: `${BigInt(deposit.amount) + 1n}` }))),
    () => (change = changeAuthorization((one) => ({ ...one, salt: random.hex(32) }))),
    () => (change = changeAuthorization((one) => ({ ...one, validBefore: `${nowSeconds() + 250}` }))),
    () => (change = changeAuthorization((one) => ({ ...one, signature: `${one.signature.slice(0, -2)}00` }))),
  ];
  for (let left = isWhole ? 0 : pick(0, 0, 1, 1, 1, 2); left > 0; left--) random.pick(changes)();
  const channelId = otherId ? (random.hex(32) as Hex) : channelIdOf(config);
  const salt = random.hex(32) as Hex;
  const signature = await privateKeyToAccount(depositKey).signTypedData({
    domain: { name, version, chainId: base.id, verifyingContract: accepted.asset as Hex },
    types: receiveTypes,
    primaryType: "ReceiveWithAuthorization",
    message: {
      from: config.payer as Hex,
      to: DEPOSIT_COLLECTOR,
      value: amount,
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
      nonce: depositNonceOf(channelId, salt),
    },
  });
  const erc3009Authorization = {
    validAfter: String(validAfter),
    validBefore: String(validBefore),
    salt,
    signature,
  };
  const payment: ChannelPayment = {
    x402Version: 2,
    accepted,
    payload: {
      type: "deposit",
      channelConfig: config,
      voucher: signVoucher(voucherKey, channelId, ceiling),
      deposit: { amount: amount.toString(), authorization: { erc3009Authorization } },
    },
  };
  return { payment: change(payment), key, channelId, price };
}

const receiveTypes = {
  ReceiveWithAuthorization: [
    { name: "from", type: "address" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "validAfter", type: "uint256" },
    { name: "validBefore", type: "uint256" },
    { name: "nonce", type: "bytes32" },
  ],
} as const;

type Deposit = Extract<ChannelPayment["payload"], { type: "deposit" }>["deposit"];
type Authorization = Deposit["authorization"]["erc3009Authorization"];

const changeDeposit =
  (change: (deposit: Deposit) => Deposit) =>
  (payment: ChannelPayment): ChannelPayment =>
    payment.payload.type === "deposit"
      ? { ...payment, payload: { ...payment.payload, deposit: change(payment.payload.deposit) } }
      : payment;
const changeAuthorization = (change: (one: Authorization) => Authorization) =>
  changeDeposit((deposit) => ({
    ...deposit,
    authorization: { erc3009Authorization: change(deposit.authorization.erc3009Authorization) },
  }));

const signVoucher = (key: Hex, channelId: Hex, ceiling: bigint) => ({
  channelId,
  maxClaimableAmount: ceiling.toString(),
  signature: toSignatureHex(signDigest(key, voucherDigestOf({ channelId, maxClaimableAmount: ceiling }))),
});

/** A wish for a refund of a channel that has just been opened, changed in no place or in one. */
async function drawRefund(random: SeededChoices): Promise<ChannelPayment> {
  const { payment, key, channelId, price } = await drawDeposit(
    random,
    await fetchChallenge(interfaceUrl()),
    true,
  );
  const opened = await send(interfaceUrl(), payment);
  expect(opened.status, await opened.text()).toBe(200);
  const challenge = await fetchChallenge(interfaceUrl());
  const isWhole = random.chance(0.4);
  const change = isWhole ? -1 : random.integer(0, 3);
  const ceiling = change === 0 ? price + BigInt(random.pick([-1, 1])) : price;
  const signer = change === 1 ? poorKey : key;
  const amount = change === 2 ? "0" : random.pick([undefined, "15000", "999999999"]);
  const { channelConfig: config } = payment.payload;
  return {
    x402Version: 2,
    accepted: challenge.accepts[1] as Requirements,
    payload: {
      type: "refund",
      channelConfig: change === 3 ? { ...config, receiver: `0x${"22".repeat(20)}` } : config,
      voucher: signVoucher(signer, channelId, ceiling),
      ...(amount !== undefined && { amount }),
    },
  };
}

/** Where we refuse what the official classes would take, and why. */
function isOurRefusal({ payload, accepted }: ChannelPayment, ours: string): boolean {
  // The chain knows of no deposit, so nothing can have been charged before. The official server believes the voucher that it was.
  if (payload.type === "deposit" && BigInt(payload.voucher.maxClaimableAmount) > BigInt(accepted.amount))
    return ours === "invalid_batch_settlement_evm_cumulative_amount_mismatch";
  return false;
}

test("takes and refuses the deposits and refunds that the official facilitator and server take and refuse", async () => {
  for (const key of keys) await fund(service, privateKeyToAccount(key).address, 500_000_000n);
  const random = createSeededChoices(8453);
  const seen = { taken: 0, refused: 0, ownRefusals: 0, refunds: 0 };
  for (let round = 0; round < COUNT; round++) {
    const isRefund = random.chance(0.2);
    const payment = isRefund
      ? await drawRefund(random)
      : (await drawDeposit(random, await fetchChallenge(interfaceUrl()))).payment;
    const official = await askOfficial(payment);
    const response = await send(interfaceUrl(), payment);
    const body = (await response.json()) as { error?: string; code?: string };
    const ours = response.status === 200 ? undefined : (body.error ?? body.code ?? "no reason");
    const about = JSON.stringify({ round, official, ours, payload: payment.payload });
    expect([200, 400, 402], about).toContain(response.status);
    if (isRefund) seen.refunds += 1;
    if (ours !== undefined && official === undefined) {
      expect(isOurRefusal(payment, ours), about).toBe(true);
      seen.ownRefusals += 1;
    } else expect(ours === undefined, about).toBe(official === undefined);
    seen[ours === undefined ? "taken" : "refused"] += 1;
  }
  expect(seen.taken, JSON.stringify(seen)).toBeGreaterThan(COUNT / 10);
  expect(seen.refused, JSON.stringify(seen)).toBeGreaterThan(COUNT / 4);
  expect(seen.refunds).toBeGreaterThan(0);
  expect(seen.ownRefusals).toBeLessThan(COUNT / 5);
  if (COUNT > 100) process.stderr.write(`deposits and refunds: ${JSON.stringify(seen)}\n`);
}, 1_800_000);
