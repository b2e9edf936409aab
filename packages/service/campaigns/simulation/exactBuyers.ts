import { createHash } from "node:crypto";
import type { Hex, PaymentPayload, PaymentRequirements } from "@assay/protocol";
import type { CheckedRequest } from "../../src/payments/paidCall.js";
import { buildRequirements } from "../../src/quotes/paymentRequirements.js";
import { newBuyerSecret } from "../../src/quotes/ticket.js";
import { describeQuote } from "./replayOnPostgres.js";
import { seedRow } from "./rowStore.js";
import { signatureOf } from "./simulatedChain.js";
import { PAY_TO } from "./simulatedProcess.js";
import type { Purchase, Sight, SimulatedWorld } from "./simulatedWorld.js";

export const PRICE = 10_000n;

export const payerOf = (place: number): Hex => `0x${`b${place}`.padStart(40, "b")}`;

/** A question, and what asking it costs. */
export function requestOf(question: string): CheckedRequest {
  return {
    sold: { id: "simulated.echo", version: "1", summary: "Repeats" },
    inputHash: createHash("sha256").update(question).digest("hex"),
    terms: () => ({ cacheStatus: "miss", listPriceMicroUsd: PRICE, endsAtMs: undefined }),
    path: "/api/v1/capabilities/simulated.echo/invoke",
    clientAddress: "buyer",
  };
}

/** A quote for this wallet, with some of its credit, as `createQuote` writes it. */
function insertQuote(
  { scene, tables, processes, seeds }: SimulatedWorld,
  wallet: string,
  inputHash: string,
): PaymentRequirements {
  const { choices, timeline } = scene;
  const settings = processes[0]?.context.settings;
  if (!settings) throw new Error("no process was started");
  const balance = tables.balances.rows.get(`wallet:${wallet}`)?.committed?.balance_micro_usd ?? 0n;
  const most = balance < PRICE - 1_000n ? balance : PRICE - 1_000n;
  const credit = choices.chance(0.3) ? 0n : most;
  const quoteId = `quo_${choices.hex(16).slice(2)}`;
  const requirements = buildRequirements(settings, PRICE - credit, {
    quoteId,
    buyerSecret: newBuyerSecret(),
  });
  const quote = {
    ...{
      quote_id: quoteId,
      capability_id: "simulated.echo",
      wallet,
      input_hash: inputHash,
      cache_status: "miss",
    },
    ...{
      list_price_micro_usd: PRICE,
      credit_micro_usd: credit,
      price_micro_usd: PRICE - credit,
      requirements,
    },
    ...{ expires_at: new Date(timeline.nowMs() + 60_000), invocation_id: null },
  };
  seedRow(tables.quotes, quoteId, quote);
  seeds?.push(describeQuote(quote));
  return requirements;
}

const fresh = () => ({ sights: [] as Sight[], sentMs: [] as number[] });

function sign(
  { scene }: SimulatedWorld,
  payer: Hex,
  accepted: PaymentRequirements,
  nonce: Hex,
  validSeconds: number,
): PaymentPayload {
  const nowSeconds = Math.floor(scene.timeline.nowMs() / 1000);
  return {
    x402Version: 2,
    accepted,
    payload: {
      signature: signatureOf(payer, nonce),
      authorization: {
        ...{ from: payer, to: PAY_TO, value: accepted.amount, validAfter: String(nowSeconds - 60) },
        ...{ validBefore: String(nowSeconds + validSeconds), nonce },
      },
    },
  };
}

/** What a buyer, or somebody who saw the payment, may do beside sending it. */
const mischiefs = [
  "delivers itself",
  "cancels",
  "empties its wallet",
  "offers the nonce twice",
  "uses the offer twice",
  "asks another question",
  "names the purchase",
] as const;

type Mischief = (typeof mischiefs)[number];

/** One life of a payment: from its challenge until its buyer has an answer or gives up. */
export async function buyExactly(world: SimulatedWorld, life: number): Promise<void> {
  const { scene, chain } = world;
  const { choices, timeline } = scene;
  const payer = payerOf(choices.integer(0, 5));
  const request = requestOf(`question ${life}`);
  const accepted = choices.chance(0.4)
    ? insertQuote(world, payer, request.inputHash)
    : (await askFor(world, request))?.accepts[0];
  if (!accepted) return;
  const mischief = new Set<Mischief>();
  while (choices.chance(0.45)) mischief.add(choices.pick(mischiefs));
  const validSeconds = choices.chance(0.15) ? choices.integer(5, 40) : 300;
  const nonce = choices.hex(32);
  const payment = sign(world, payer, accepted, nonce, validSeconds);
  if (mischief.has("names the purchase"))
    payment.extensions = {
      "payment-identifier": { info: { id: `purchase-of-many-${choices.integer(0, 3)}` } },
    };
  const isPrivate = choices.chance(0.15);
  const purchase: Purchase = {
    ...{ payment, request, isPrivate, payer, nonce, price: BigInt(accepted.amount), ...fresh() },
  };
  world.purchases.push(purchase);
  if (mischief.has("delivers itself"))
    timeline.after(choices.integer(0, 20_000), undefined, () => deliver(world, payment));
  if (mischief.has("delivers itself") && choices.chance(0.3)) await timeline.sleep(30_000);
  if (mischief.has("cancels"))
    timeline.after(choices.integer(0, 8_000), undefined, () =>
      chain.later((height, timestamp) => {
        chain.token.cancel(payer, nonce, height, timestamp);
        return chain.token.findUse(payer, nonce);
      }),
    );
  if (mischief.has("empties its wallet"))
    timeline.after(choices.integer(0, 6_000), undefined, () => {
      chain.later((height) => {
        chain.token.transfer(payer, `0x${"dd".repeat(20)}`, chain.token.balanceOf(payer), height);
        return undefined;
      });
      timeline.after(15_000, undefined, () => chain.token.mint(payer, 1_000_000n));
    });
  const rivals = listRivals(world, purchase, mischief);
  const tries = rivals.map((rival) => pursue(world, rival, choices.integer(1, 3)));
  await pursue(world, purchase, choices.integer(2, 6));
  for (const one of tries) await one;
}

/** Somebody hands the payment to the token, beside the service. */
export function deliver({ chain }: SimulatedWorld, { payload }: PaymentPayload): void {
  const { from: payer, to: payTo, value, validAfter, validBefore, nonce } = payload.authorization;
  const times = { validAfter: BigInt(validAfter), validBefore: BigInt(validBefore) };
  chain.later((height, timestamp) => {
    chain.token.use({ ...times, payer, payTo, amount: BigInt(value), nonce }, height, timestamp);
    return chain.token.findUse(payer, nonce);
  });
}

/** Payments that must not be served beside this one. */
function listRivals(world: SimulatedWorld, own: Purchase, mischief: ReadonlySet<Mischief>): Purchase[] {
  const { choices } = world.scene;
  const payment = own.payment as PaymentPayload;
  const payer = own.payer as Hex;
  const again = (more: Partial<Purchase>): Purchase => ({ ...own, ...fresh(), ...more });
  const rivals: Purchase[] = [];
  if (mischief.has("offers the nonce twice"))
    rivals.push(
      again({ payment: sign(world, payer, payment.accepted, own.nonce as Hex, 250), request: own.request }),
    );
  if (mischief.has("uses the offer twice")) {
    const nonce = choices.hex(32);
    const { extensions } = payment;
    const rival = sign(world, payer, payment.accepted, nonce, 280);
    rivals.push(again({ nonce, payment: extensions ? { ...rival, extensions } : rival }));
  }
  if (mischief.has("asks another question"))
    rivals.push(again({ request: requestOf(`other ${choices.hex(8)}`) }));
  world.purchases.push(...rivals);
  return rivals;
}

export async function askFor(world: SimulatedWorld, request: CheckedRequest) {
  for (let tries = 0; tries < 5; tries++) {
    const challenge = await world.challenge(request);
    if (challenge) return challenge;
    await world.scene.timeline.sleep(500);
  }
  return undefined;
}

/** Sends the same payment until there is an answer, sometimes to two processes at once. */
export async function pursue(world: SimulatedWorld, purchase: Purchase, tries: number): Promise<void> {
  const { choices, timeline } = world.scene;
  for (let n = 0; n < tries; n++) {
    const racers = choices.chance(0.15)
      ? [world.send(purchase), world.send(purchase)]
      : [world.send(purchase)];
    for (const sight of racers) await sight;
    const { status } = purchase.sights.at(-1) as Sight;
    if (status === "answer" && choices.chance(0.9)) return;
    if (status === "challenge" && choices.chance(0.6)) return;
    await timeline.sleep(choices.integer(50, 4_000));
  }
}
