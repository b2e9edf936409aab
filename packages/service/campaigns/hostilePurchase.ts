import type { SeededChoices } from "@assay/chain/testing/seededChoices";
import type { Devnet } from "@assay/devnet";
import type { Hex, PaymentPayload, PaymentRequired } from "@assay/protocol";
import { fetchChallenge } from "../test/payer.js";
import { attempt, createPayer, guardPath, keyOf, type PaidCall, type Sight, signCall } from "./paidCalls.js";

export interface Answer {
  readonly key: string;
  readonly status: number;
  readonly code: string;
  /** For a 200: whether the token counted the nonce as used at that moment. */
  readonly wasUsed: boolean | undefined;
}

/** One thing that a client wants to buy once, with all its signed payments and all answers to them. */
export interface Purchase {
  readonly seed: number;
  readonly calls: PaidCall[];
  readonly answers: Answer[];
}

export interface BuyOptions {
  readonly url: string;
  readonly devnet: Devnet;
  readonly choose: SeededChoices;
  readonly seed: number;
  /** How long the client keeps sending the same payload. */
  readonly patienceMs: number;
  /** Sees each payment before it is sent; `turn` counts the signatures of this purchase. */
  readonly onSigned: (payment: PaymentPayload, turn: number) => void;
  /** A control: reads an unknown outcome as 402, as stock middleware answers it. */
  readonly unknownAs402?: boolean;
}

const MAX_SIGNATURES = 3;
const PAYERS = ["alice", "bob", "carol", "dave", "erin", "frank"];
const payers = new Map<string, ReturnType<typeof createPayer>>();

function payerOf(devnet: Devnet, name: string) {
  const known = payers.get(name);
  if (known) return known;
  const account = devnet.accounts.find((candidate) => candidate.name === name);
  const payer = createPayer(account?.privateKey as Hex);
  payers.set(name, payer);
  return payer;
}

/**
 * Buys as the protocol asks: the same payload again on 503 or no answer, a new signature only on 402.
 * Sometimes two requests with one payload are under way at once.
 */
export async function buy(options: BuyOptions): Promise<Purchase> {
  const { url, devnet, choose, seed } = options;
  const { plainToken, upgradeableProxy, erc721, beaconProxy, taxedToken } = devnet.contracts;
  const path = guardPath(choose.pick([plainToken, upgradeableProxy, erc721, beaconProxy, taxedToken]));
  const payer = payerOf(devnet, choose.pick(PAYERS));
  const purchase: Purchase = { seed, calls: [], answers: [] };
  const inParallel = choose.chance(0.3) ? 2 : 1;
  const endMs = Date.now() + options.patienceMs;
  for (let turn = 0; turn < MAX_SIGNATURES; turn++) {
    const challenge = await findChallenge(url + path, endMs);
    if (!challenge) break;
    const call = await signCall(payer, path, challenge);
    purchase.calls.push(call);
    options.onSigned(call.payment, turn);
    const last = await sendUntilFinal(options, purchase, call, inParallel, endMs);
    if (last !== 402) break;
  }
  return purchase;
}

async function findChallenge(url: string, endMs: number): Promise<PaymentRequired | undefined> {
  for (;;) {
    const challenge = await fetchChallenge(url).catch(() => undefined);
    if (challenge || Date.now() > endMs) return challenge;
    await pause(100);
  }
}

async function sendUntilFinal(
  options: BuyOptions,
  purchase: Purchase,
  call: PaidCall,
  inParallel: number,
  endMs: number,
): Promise<number> {
  for (;;) {
    const sights = await Promise.all(
      Array.from({ length: inParallel }, () => sendOnce(options, purchase, call)),
    );
    // After a 200 the buyer has its answer; after a 402 it signs again.
    for (const status of [200, 402]) if (sights.includes(status)) return status;
    if (Date.now() > endMs) return 503;
    await pause(options.choose.integer(60, 250));
  }
}

/** Sends the payment once, records the answer, and checks immediately whether a 200 was paid for. */
export async function sendOnce(
  { url, devnet, unknownAs402 }: Pick<BuyOptions, "url" | "devnet" | "unknownAs402">,
  purchase: Purchase,
  call: PaidCall,
): Promise<number> {
  const sight: Sight = await attempt(url, call);
  const isRead402 = unknownAs402 && sight.code === "payment_outcome_unknown";
  const status = isRead402 ? 402 : sight.status;
  const wasUsed = status === 200 ? await isUsed(devnet, call) : undefined;
  purchase.answers.push({ key: keyOf(call), status, code: sight.code, wasUsed });
  return status;
}

async function isUsed(devnet: Devnet, { payment }: PaidCall): Promise<boolean> {
  const { from, nonce } = payment.payload.authorization;
  const data = `0xe94a0102${from.slice(2).padStart(64, "0")}${nonce.slice(2)}`;
  const word = await devnet.request<Hex>("eth_call", [{ to: payment.accepted.asset, data }, "latest"]);
  return BigInt(word) === 1n;
}

const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms));
