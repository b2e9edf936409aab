import {
  type ChannelConfig,
  type ChannelPayment,
  type ChannelRequirements,
  channelIdOf,
  type Hex,
  type PaymentRequired,
} from "@assay/protocol";
import { askFor, PRICE, requestOf } from "./exactBuyers.js";
import { voucherSignatureOf } from "./simulatedChain.js";
import { AUTHORIZER, PAY_TO, TOKEN, WITHDRAW_DELAY_SECONDS } from "./simulatedProcess.js";
import type { Purchase, Sight, SimulatedWorld } from "./simulatedWorld.js";

const MISMATCH = "invalid_batch_settlement_evm_cumulative_amount_mismatch";

/** One channel of one payer, and what the payer believes of it. */
export interface ChannelBuyer {
  readonly config: ChannelConfig;
  readonly channelId: string;
  /** Charged so far, as the payer knows. */
  charged: bigint;
  deposited: bigint;
  readonly purchases: Purchase[];
  isBusy: boolean;
  hasWithdrawn: boolean;
}

const wallets = [1, 2, 3].map((n): Hex => `0x${`c${n}`.padStart(40, "c")}`);

export function openBuyer({ scene }: SimulatedWorld, place: number): ChannelBuyer {
  const wallet = wallets[place] as Hex;
  const config: ChannelConfig = {
    ...{
      payer: wallet,
      payerAuthorizer: wallet,
      receiver: PAY_TO,
      receiverAuthorizer: AUTHORIZER,
      token: TOKEN,
    },
    ...{ withdrawDelay: WITHDRAW_DELAY_SECONDS, salt: scene.choices.hex(32) },
  };
  return {
    ...{ config, channelId: channelIdOf(config).toLowerCase() },
    ...{ charged: 0n, deposited: 0n, purchases: [], isBusy: false, hasWithdrawn: false },
  };
}

function signVoucher({ chain }: SimulatedWorld, { config, channelId }: ChannelBuyer, ceiling: bigint) {
  chain.contract.signed.add(`${channelId} ${ceiling}`);
  const voucher = { channelId, maxClaimableAmount: ceiling.toString() };
  return { ...voucher, signature: voucherSignatureOf(config.payerAuthorizer, voucher) };
}

function describeDeposit({ scene }: SimulatedWorld, amount: bigint) {
  const nowSeconds = Math.floor(scene.timeline.nowMs() / 1000);
  return {
    amount: amount.toString(),
    authorization: {
      erc3009Authorization: {
        ...{ validAfter: String(nowSeconds - 60), validBefore: String(nowSeconds + 300) },
        ...{ salt: scene.choices.hex(32), signature: `0x${"11".repeat(65)}` },
      },
    },
  };
}

/** One call paid by voucher, with a deposit where the channel may not hold enough. Calls of one buyer come one after another. */
export async function buyByVoucher(world: SimulatedWorld, buyer: ChannelBuyer, life: number): Promise<void> {
  const { choices, timeline } = world.scene;
  while (buyer.isBusy) await timeline.sleep(200);
  buyer.isBusy = true;
  try {
    const request = requestOf(`voucher ${life}`);
    let challenge = await askFor(world, request);
    for (let tries = 0; challenge && tries < 4; tries++)
      challenge = await pay(world, buyer, request, challenge);
    if (choices.chance(0.1)) {
      const asked = askBack(world, buyer);
      // Some go on buying meanwhile.
      if (choices.chance(0.5)) await asked;
    }
    if (choices.chance(0.03)) withdraw(world, buyer);
  } finally {
    buyer.isBusy = false;
  }
}

/** Pays this challenge; returns another one that is worth paying. */
async function pay(
  world: SimulatedWorld,
  buyer: ChannelBuyer,
  request: Purchase["request"],
  challenge: PaymentRequired,
): Promise<PaymentRequired | undefined> {
  const { choices, timeline } = world.scene;
  const accepted = challenge.accepts[1] as ChannelRequirements;
  const price = BigInt(accepted.amount);
  const ceiling = buyer.charged + price;
  const voucher = signVoucher(world, buyer, ceiling);
  const needsDeposit = ceiling > buyer.deposited;
  const amount = PRICE * BigInt(choices.integer(1, 6));
  const payment: ChannelPayment = {
    x402Version: 2,
    accepted,
    payload: needsDeposit
      ? { type: "deposit", channelConfig: buyer.config, voucher, deposit: describeDeposit(world, amount) }
      : { type: "voucher", channelConfig: buyer.config, voucher },
  };
  const purchase: Purchase = {
    ...{
      payment,
      request,
      isPrivate: false,
      payer: buyer.config.payer.toLowerCase(),
      nonce: `${ceiling}`,
      price,
    },
    ...{ sights: [] as Sight[], sentMs: [] },
  };
  buyer.purchases.push(purchase);
  world.purchases.push(purchase);
  for (let tries = 0; tries < 5; tries++) {
    const racers = choices.chance(0.15)
      ? [world.send(purchase), world.send(purchase)]
      : [world.send(purchase)];
    for (const one of racers) await one;
    const sight =
      purchase.sights.find(({ status }) => status === "answer") ?? (purchase.sights.at(-1) as Sight);
    if (sight.status === "answer") {
      buyer.charged = ceiling;
      if (needsDeposit) buyer.deposited += amount;
      return undefined;
    }
    if (sight.status === "challenge" && sight.challenge)
      return learn(world, buyer, sight.challenge, sight.reason ?? "");
    await timeline.sleep(choices.integer(100, 3_000));
  }
  return undefined;
}

/** What the service says was charged is believed where the payer's own signature is over it. */
function learn(
  { chain }: SimulatedWorld,
  buyer: ChannelBuyer,
  challenge: PaymentRequired,
  reason: string,
): PaymentRequired | undefined {
  const { channelState, voucherState } = (challenge.accepts[1]?.extra ?? {}) as {
    readonly channelState?: { readonly balance: string; readonly chargedCumulativeAmount: string };
    readonly voucherState?: { readonly signedMaxClaimable: string };
  };
  if (channelState) {
    const charged = BigInt(channelState.chargedCumulativeAmount);
    const isOwn = voucherState?.signedMaxClaimable === channelState.chargedCumulativeAmount;
    if (charged === 0n || (isOwn && chain.contract.signed.has(`${buyer.channelId} ${charged}`)))
      buyer.charged = charged;
    buyer.deposited = BigInt(channelState.balance);
    return challenge;
  }
  if (reason.startsWith("invalid_batch_settlement_evm_cumulative_exceeds_balance")) buyer.deposited = 0n;
  return reason === MISMATCH ? challenge : undefined;
}

async function askBack(world: SimulatedWorld, buyer: ChannelBuyer): Promise<void> {
  const challenge = await askFor(world, requestOf("refund"));
  if (!challenge) return;
  const amount = world.scene.choices.chance(0.5) ? { amount: PRICE.toString() } : {};
  const outcome = await world.refund({
    x402Version: 2,
    accepted: challenge.accepts[1] as ChannelRequirements,
    payload: {
      type: "refund",
      channelConfig: buyer.config,
      voucher: signVoucher(world, buyer, buyer.charged),
      ...amount,
    },
  });
  if (outcome !== "stale") buyer.deposited = buyer.charged;
}

/** The payer takes its money out itself: asks, waits as long as the contract demands, and takes it. */
function withdraw({ chain, scene }: SimulatedWorld, buyer: ChannelBuyer): void {
  const { timeline } = scene;
  buyer.hasWithdrawn = true;
  chain.later((height, timestamp) => {
    const { balance, claimed } = chain.contract.at(buyer.channelId, height);
    chain.contract.initiateWithdraw(buyer.config, balance - claimed, height, timestamp);
    return undefined;
  });
  timeline.after((WITHDRAW_DELAY_SECONDS + 10) * 1000, undefined, () =>
    chain.later((height, timestamp) => {
      chain.contract.finalizeWithdraw(buyer.config, height, timestamp);
      return undefined;
    }),
  );
}
