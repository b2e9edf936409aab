import { createSeededChoices, type SeededChoices } from "@assay/chain/testing/seededChoices";
import {
  type ChannelPayment,
  channelIdOf,
  channelPaymentSchema,
  type Hex,
  MAX_WITHDRAW_DELAY_SECONDS,
  MIN_WITHDRAW_DELAY_SECONDS,
  NETWORK,
  voucherDigestOf,
} from "@assay/protocol";
import { computeChannelId } from "@x402/evm/batch-settlement/client";
import { BatchSettlementEvmScheme } from "@x402/evm/batch-settlement/server";
import { expect, test } from "vitest";
import { addressOfKey, signDigest, toSignatureHex } from "../../base/secp256k1.js";
import type { Settings } from "../../base/settings.js";
import { createPayerSignatures } from "../authorizationSignature.js";
import { checkNext, checkVoucher } from "./checkVoucher.js";

const word = (byte: number): Hex => `0x${byte.toString(16).padStart(2, "0").repeat(32)}`;
const address = (byte: number): Hex => `0x${byte.toString(16).padStart(2, "0").repeat(20)}`;
const KEYS = [word(11), word(12), word(13)] as const;
const DELAY = 86_400;
const settings: Pick<Settings, "payTo" | "stablecoin" | "channels"> = {
  payTo: address(0x21),
  stablecoin: { address: address(0x31), name: "USD Coin", version: "2" },
  channels: { receiverAuthorizer: address(0x41), formerAuthorizers: [], withdrawDelaySeconds: DELAY },
};
const context = { settings, payerSignatures: createPayerSignatures(settings.stablecoin) };

interface Case {
  readonly config: ChannelPayment["payload"]["channelConfig"];
  readonly channelId: Hex;
  readonly price: bigint;
  readonly ceiling: bigint;
  readonly signature: Hex;
  readonly charged: bigint;
  readonly balance: bigint;
}

/** A voucher that may be taken, and then changed in no, one or several places. */
function drawCase(random: SeededChoices): Case {
  const pick = <T>(...options: readonly T[]): T => random.pick(options);
  const price = BigInt(pick(1, 1_000, 50_000, 250_000));
  const charged = BigInt(pick(0, 1, 999, 1_000_000)) * price;
  const key = pick(...KEYS);
  let config: Case["config"] = {
    payer: address(0x51),
    payerAuthorizer: addressOfKey(key),
    receiver: settings.payTo,
    receiverAuthorizer: address(0x41),
    token: address(0x31),
    withdrawDelay: DELAY,
    salt: word(pick(0, 1, 255)),
  };
  const changes = pick(0, 0, 1, 1, 1, 2, 3);
  let ceiling = charged + price;
  let balance = ceiling + BigInt(pick(0, 1, 5_000_000));
  let signedCeiling: bigint | undefined;
  let signer = key;
  let mangle: ((signature: Hex) => Hex) | undefined;
  let otherId = false;
  for (let change = 0; change < changes; change++) {
    switch (random.integer(0, 11)) {
      case 0:
        config = { ...config, receiver: address(0x22) };
        break;
      case 1:
        config = { ...config, receiverAuthorizer: pick(address(0x42), address(0)) };
        break;
      case 2:
        config = { ...config, token: address(0x32) };
        break;
      case 3:
        config = {
          ...config,
          withdrawDelay: pick(
            0,
            MIN_WITHDRAW_DELAY_SECONDS - 1,
            MIN_WITHDRAW_DELAY_SECONDS,
            DELAY + 1,
            MAX_WITHDRAW_DELAY_SECONDS + 1,
          ),
        };
        break;
      case 4:
        otherId = true;
        break;
      case 5:
        signer = pick(...KEYS);
        break;
      case 6:
        signedCeiling = ceiling + BigInt(pick(-1, 1));
        break;
      case 7:
        ceiling += BigInt(pick(-1, 1, 1_000_000));
        break;
      case 8:
        balance = ceiling - BigInt(pick(0, 1, 1_000));
        break;
      case 9:
        mangle = (text) => `${text.slice(0, -2)}${pick("1b", "1c", "00", "01", "ff")}` as Hex;
        break;
      case 10:
        mangle = (text) => pick<Hex>("0x00", `${text}00`, text.toUpperCase().replace("0X", "0x") as Hex);
        break;
      case 11:
        config = { ...config, payerAuthorizer: pick(address(0x61), addressOfKey(KEYS[0])) };
        break;
    }
  }
  if (ceiling < 0n) ceiling = 0n;
  if (balance < 0n) balance = 0n;
  const channelId = otherId ? word(0xee) : channelIdOf(config);
  const digest = voucherDigestOf({ channelId, maxClaimableAmount: signedCeiling ?? ceiling });
  const signed = toSignatureHex(signDigest(signer, digest));
  return { config, channelId, price, ceiling, charged, balance, signature: mangle?.(signed) ?? signed };
}

/** What the official server says of it, with the channel's state fresh in its store. */
async function askOfficial({ config, channelId, price, ceiling, signature, charged, balance }: Case) {
  const scheme = new BatchSettlementEvmScheme(settings.payTo, { withdrawDelay: DELAY });
  await scheme.getStorage().updateChannel(channelId, () => ({
    channelId,
    channelConfig: config as never,
    chargedCumulativeAmount: charged.toString(),
    signedMaxClaimable: charged.toString(),
    signature: "0x",
    balance: balance.toString(),
    totalClaimed: "0",
    withdrawRequestedAt: 0,
    refundNonce: 0,
    onchainSyncedAt: Date.now(),
    lastRequestTimestamp: 0,
  }));
  const requirements = {
    scheme: "batch-settlement",
    network: NETWORK,
    asset: settings.stablecoin.address,
    amount: price.toString(),
    payTo: settings.payTo,
    maxTimeoutSeconds: 300,
    extra: { receiverAuthorizer: address(0x41), withdrawDelay: DELAY, name: "USD Coin", version: "2" },
  };
  const voucher = { channelId, maxClaimableAmount: ceiling.toString(), signature };
  const paymentPayload = {
    x402Version: 2,
    accepted: requirements,
    payload: { type: "voucher", channelConfig: config, voucher },
  };
  const outcome = (await scheme.schemeHooks.onBeforeVerify?.({ paymentPayload, requirements } as never)) as
    | { abort: true; reason: string }
    | { skip: true; result: { isValid: boolean; invalidReason?: string } };
  const payment = channelPaymentSchema.parse(paymentPayload);
  return { payment, refusal: "abort" in outcome ? outcome.reason : outcome.result.invalidReason };
}

const COUNT = Number(process.env.ASSAY_VOUCHERS ?? 120);

test("takes and refuses the vouchers that the official server takes and refuses, but for one kind that no contract pays", async () => {
  const random = createSeededChoices(8453);
  const seen = { taken: 0, refused: 0, named: 0 };
  for (let round = 0; round < COUNT; round++) {
    const given = drawCase(random);
    const { payment, refusal } = await askOfficial(given);
    const channel = { ...given, withdrawing: 0n, refunding: 0n };
    const ours = checkVoucher(context, payment) ?? checkNext(channel, given.ceiling, given.price);
    const about = JSON.stringify({ round, payload: payment.payload, refusal, ours });
    // `ecrecover` knows no parity of 0 or 1. The official server takes such a voucher; the contract would never pay it.
    const isPayable = !/0[01]$/.test(given.signature);
    expect(ours === undefined, about).toBe(refusal === undefined && isPayable);
    if (ours === undefined) seen.taken += 1;
    else seen.refused += 1;
    if (ours !== undefined && ours === refusal) seen.named += 1;
  }
  expect(seen.taken).toBeGreaterThan(COUNT / 10);
  expect(seen.refused).toBeGreaterThan(COUNT / 4);
  expect(seen.named).toBeGreaterThan(seen.refused / 2);
});

test("names a channel as the official packages do", () => {
  const config = {
    payer: address(1),
    payerAuthorizer: address(2),
    receiver: address(3),
    receiverAuthorizer: address(4),
    token: address(5),
    withdrawDelay: 900,
    salt: word(9),
  };
  expect(channelIdOf(config)).toBe(computeChannelId(config, NETWORK));
});

test("refuses a voucher that no key has signed (ERC-1271), which its wallet could take back before the claim", () => {
  const config = { ...drawCase(createSeededChoices(1)).config, payerAuthorizer: address(0) };
  const channelId = channelIdOf(config);
  const voucher = { channelId, maxClaimableAmount: "1", signature: `0x${"00".repeat(65)}` };
  const payload = { type: "voucher", channelConfig: config, voucher } as const;
  expect(checkVoucher(context, { payload })).toMatch(/voucher_signature|mismatch|out_of_range/);
});
