import { capabilities, getCapability, type ListedCapability, priceFor } from "@assay/capabilities";
import { type CacheStatus, type CapabilityPrices, MINIMUM_PRICE_MICRO_USD } from "@assay/protocol";
import { listCoveringCapabilities } from "../../evidence/paidParts.js";
import { dividendOf, pledgeCreditOf, reviewCreditOf } from "../../market/creditTerms.js";
import { lifetimeCapOf } from "../../market/seederTerms.js";
import { createPriceBook, getPrices } from "../priceBook.js";
import { endOfOffer, isPaidBy, QUOTE_LIFE_MS, refreshPrice, TICKET_LIFE_MS } from "../tariff.js";

/** Wallets of one owner, and one of somebody else, who is the last. */
export const WALLETS = 8;
export const STRANGER = WALLETS - 1;
/** The last contract has the code of the first. */
export const CONTRACTS = 3;
const FINGERPRINT_TTL_MS = 30 * 24 * 3600 * 1000;
const DAY_MS = 24 * 3600 * 1000;
const GUARD = "contract.guard";
const prices = createPriceBook();
const ENVELOPE = getCapability("evidence.artifact");

/** Those whose prices depend most on what was sold before; histories are mostly about them. */
const bargains: readonly string[] = [
  ...["contract.guard", "contract.change", "token.metadata", "token.launch.guard", "rwa.market.guard"],
  ...["amm.v4.hook.guard", "trade.execution.notarize", "transaction.intent.guard"],
];
export const BARGAINS = bargains.length;
/** Everything that is sold by itself, the bargains first. */
export const sold: readonly ListedCapability[] = [
  ...capabilities.filter(({ id }) => bargains.includes(id)),
  ...capabilities.filter(({ id }) => id !== ENVELOPE.id && !bargains.includes(id)),
];

/** What a purse can do. Numbers choose among what there is, so that any part of a history is one as well. */
export type Step =
  /** Asks for a price and keeps it: a ticket that anyone can use, or a quote with the wallet's credit. */
  | {
      readonly kind: "price";
      readonly isQuote: boolean;
      readonly wallet: number;
      readonly item: number;
      readonly contract: number;
    }
  /** The same for an answer that was sold before. */
  | {
      readonly kind: "priceOfArtifact";
      readonly isQuote: boolean;
      readonly wallet: number;
      readonly artifact: number;
    }
  /** Pays one of the kept prices; the work is done some milliseconds later. */
  | { readonly kind: "pay"; readonly wallet: number; readonly offer: number; readonly tookMs: number }
  | { readonly kind: "publish"; readonly wallet: number; readonly contract: number }
  | { readonly kind: "pledge"; readonly wallet: number; readonly item: number }
  | { readonly kind: "review"; readonly call: number }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "changeCode"; readonly contract: number };

/** Protections of the service, each of which a control takes away. */
export interface Protections {
  /** A published fingerprint lowers no price. */
  readonly onlyPaidParts: boolean;
  /** A cheap call buys no discount on an expensive one. */
  readonly onlyCoveringParts: boolean;
  /** A price ends with the answer that it is for: by the clock when it is paid, and once more when the work is done. */
  readonly endWithAnswer: boolean;
  readonly verifyAfterWork: boolean;
  /** An artifact is not computed again below its source's hit price. */
  readonly refreshAboveHit: boolean;
  /** Credit for reviews, as a multiple of what it is. */
  readonly reviewTimes: bigint;
}

export const protections: Protections = {
  onlyPaidParts: true,
  onlyCoveringParts: true,
  endWithAnswer: true,
  verifyAfterWork: true,
  refreshAboveHit: true,
  reviewTimes: 1n,
};

interface Question {
  readonly item: ListedCapability;
  readonly contract: number;
}
interface Artifact extends Question {
  readonly endsAtMs: number;
}
interface Terms {
  readonly status: CacheStatus;
  readonly listMicroUsd: bigint;
  readonly endsAtMs?: number | undefined;
}
interface Offer extends Terms {
  readonly question: Question | Artifact;
  readonly isRefresh: boolean;
  /** Undefined for a ticket. */
  readonly wallet: number | undefined;
  readonly creditMicroUsd: bigint;
  readonly expiresAtMs: number;
  isUsed: boolean;
}
interface Call {
  readonly wallet: number;
  readonly paidMicroUsd: bigint;
  isReviewed: boolean;
}
interface Seed {
  readonly wallet: number;
  readonly code: number;
  readonly capMicroUsd: bigint;
  readonly freshUntilMs: number;
  earnedMicroUsd: bigint;
}

/**
 * A service with one owner's wallets, in memory: its prices, credits and offers. Beside each price that the service takes
 * stands what the catalog asks for what was delivered, found without the service's shortcuts.
 */
export class Purse {
  readonly #prices = prices;
  #nowMs = 0;
  readonly #code = [0, 1, 0];
  #nextCode = 2;
  /** By question: when the newest sold answer ends. */
  readonly #answers = new Map<string, number>();
  /** By capability and code: until when a settled call stands for it. */
  readonly #paidUntil = new Map<string, number>();
  /** By code: until when a free publication is known. */
  readonly #publishedUntil = new Map<number, number>();
  readonly #seeds = new Map<string, Seed>();
  readonly #pledged = new Map<string, boolean>();
  readonly #reviewedToday = new Map<string, bigint>();
  readonly #balances = Array.from({ length: WALLETS }, () => 0n);
  readonly #artifacts: Artifact[] = [];
  readonly #offers: Offer[] = [];
  readonly #calls: Call[] = [];
  cashMicroUsd = 0n;
  /** What the catalog asks for everything that the purse's wallets were given. */
  listMicroUsd = 0n;
  /** Credit that the stranger's calls brought. */
  fromOthersMicroUsd = 0n;
  readonly violations: string[] = [];

  constructor(readonly protections: Protections) {}

  /** What the purse has really paid: its cash without the credit that it still holds, but for what others brought it. */
  get paidMicroUsd(): bigint {
    const held = this.#balances.slice(0, STRANGER).reduce((sum, balance) => sum + balance, 0n);
    return this.cashMicroUsd - held + this.fromOthersMicroUsd;
  }

  take(step: Step): void {
    if (step.kind === "price") this.#offer({ item: itemOf(step.item), contract: step.contract }, false, step);
    else if (step.kind === "priceOfArtifact") {
      const artifact = newest(this.#artifacts, step.artifact);
      if (artifact) this.#offer(artifact, true, step);
    } else if (step.kind === "pay") this.#pay(step);
    else if (step.kind === "publish") this.#publish(step.wallet, step.contract);
    else if (step.kind === "pledge") {
      const key = `${step.wallet} ${itemOf(step.item).id}`;
      if (!this.#pledged.has(key)) this.#pledged.set(key, false);
    } else if (step.kind === "review") this.#review(newest(this.#calls, step.call));
    else if (step.kind === "wait") this.#nowMs += step.ms;
    else this.#code[step.contract] = this.#nextCode++;
  }

  #pricesOf = (id: string): CapabilityPrices => getPrices(this.#prices, id);
  #codeOf = (contract: number): number => this.#code[contract] as number;

  /** What the service says that an answer costs now. */
  #termsOf({ item, contract }: Question): Terms {
    const own = this.#pricesOf(item.id);
    const covering = this.protections.onlyCoveringParts
      ? listCoveringCapabilities(this.#prices, item.id)
      : sold.map(({ id }) => id);
    const code = this.#codeOf(contract);
    const isPublished =
      !this.protections.onlyPaidParts && this.#nowMs < (this.#publishedUntil.get(code) ?? 0);
    const status = this.#statusOf({ item, contract }, covering, isPublished);
    const endsAtMs = status === "hit" ? this.#answers.get(keyOf(item.id, contract)) : undefined;
    return { status, listMicroUsd: priceFor(own, status), endsAtMs: endOfOffer(own, endsAtMs) };
  }

  /** What is there: an answer, or its fingerprint by a call of one of `covering`. */
  #statusOf({ item, contract }: Question, covering: readonly string[], isPublished = false): CacheStatus {
    if (item.reuse === "private") return "miss";
    if (this.#nowMs < (this.#answers.get(keyOf(item.id, contract)) ?? 0)) return "hit";
    if (item.longLivedPart !== "fingerprint") return "miss";
    const code = this.#codeOf(contract);
    const isPaid = covering.some((id) => this.#nowMs < (this.#paidUntil.get(keyOf(id, code)) ?? 0));
    return isPaid || isPublished ? "partial" : "miss";
  }

  #termsOfArtifact(artifact: Artifact): Terms {
    const own = this.#pricesOf(ENVELOPE.id);
    if (this.#nowMs < artifact.endsAtMs)
      return {
        status: "hit",
        listMicroUsd: own.hitMicroUsd,
        endsAtMs: endOfOffer(own, artifact.endsAtMs),
      };
    const source = this.#termsOf(artifact);
    const least = this.protections.refreshAboveHit ? this.#pricesOf(artifact.item.id).hitMicroUsd : 0n;
    return {
      status: "miss",
      listMicroUsd: refreshPrice(own.missMicroUsd, least, source.listMicroUsd),
      endsAtMs: source.endsAtMs,
    };
  }

  #offer(
    question: Question | Artifact,
    isRefresh: boolean,
    { isQuote, wallet }: { readonly isQuote: boolean; readonly wallet: number },
  ): void {
    const terms = isRefresh ? this.#termsOfArtifact(question as Artifact) : this.#termsOf(question);
    const spendable = terms.listMicroUsd - MINIMUM_PRICE_MICRO_USD;
    const balance = this.#balances[wallet] as bigint;
    const lifeEnds = this.#nowMs + (isQuote ? QUOTE_LIFE_MS : TICKET_LIFE_MS);
    this.#offers.push({
      ...terms,
      question,
      isRefresh,
      wallet: isQuote ? wallet : undefined,
      creditMicroUsd: isQuote ? (balance < spendable ? balance : spendable) : 0n,
      expiresAtMs: this.protections.endWithAnswer ? Math.min(lifeEnds, terms.endsAtMs ?? lifeEnds) : lifeEnds,
      isUsed: false,
    });
  }

  #pay({ wallet, offer: choice, tookMs }: Step & { kind: "pay" }): void {
    const offer = newest(this.#offers, choice);
    if (!offer || offer.isUsed || this.#nowMs > offer.expiresAtMs) return;
    if (offer.wallet !== undefined && offer.wallet !== wallet) return;
    if (offer.creditMicroUsd > (this.#balances[wallet] as bigint)) return;
    this.#nowMs += tookMs;
    const delivered = offer.isRefresh
      ? this.#termsOfArtifact(offer.question as Artifact)
      : this.#termsOf(offer.question);
    const own = this.#pricesOf(offer.isRefresh ? ENVELOPE.id : offer.question.item.id);
    const isOutdated =
      !isPaidBy(own, delivered.status, offer.status) ||
      (offer.isRefresh && delivered.listMicroUsd > offer.listMicroUsd);
    if (this.protections.verifyAfterWork && isOutdated) return;
    offer.isUsed = true;
    this.#settle(wallet, offer, delivered.status);
  }

  #settle(wallet: number, offer: Offer, status: CacheStatus): void {
    const { question, isRefresh, listMicroUsd, creditMicroUsd } = offer;
    const paid = listMicroUsd - creditMicroUsd;
    this.#spend(wallet, offer);
    const id = isRefresh ? ENVELOPE.id : question.item.id;
    if (!isRefresh && question.item.reuse === "shared") {
      this.#payDividend(wallet, question, status, paid);
      if (status !== "hit") this.#leave(wallet, question);
    }
    if (this.#pledged.get(`${wallet} ${id}`) === false) {
      this.#pledged.set(`${wallet} ${id}`, true);
      this.#credit(wallet, pledgeCreditOf(paid), wallet);
    }
    this.#calls.push({ wallet, paidMicroUsd: paid, isReviewed: false });
  }

  /** Compares what was taken for the call with what the catalog asks for what was given. */
  #spend(wallet: number, { question, isRefresh, listMicroUsd, creditMicroUsd }: Offer): void {
    const fair = this.#fairPrice(question, isRefresh);
    const hit = this.#pricesOf(question.item.id).hitMicroUsd;
    const isAnswer = !isRefresh || this.#nowMs >= (question as Artifact).endsAtMs;
    if (isAnswer && listMicroUsd < hit)
      this.violations.push(`${question.item.id} was sold for ${listMicroUsd}, below its hit price`);
    if (listMicroUsd < fair)
      this.violations.push(`${question.item.id} was sold for ${listMicroUsd} instead of ${fair}`);
    this.#balances[wallet] = (this.#balances[wallet] as bigint) - creditMicroUsd;
    if (wallet === STRANGER) return;
    this.cashMicroUsd += listMicroUsd - creditMicroUsd;
    this.listMicroUsd += fair;
  }

  /** By what was settled before and nothing else: no publication, no offer, and no part that was paid for as a smaller one. */
  #fairPrice(question: Question, isRefresh: boolean): bigint {
    const own = this.#pricesOf(question.item.id);
    const discount = own.missMicroUsd - own.partialMicroUsd;
    const covering = sold
      .map(({ id }) => id)
      .filter((id) => this.#pricesOf(id).missMicroUsd - this.#pricesOf(id).partialMicroUsd >= discount);
    const now = priceFor(own, this.#statusOf(question, covering));
    if (!isRefresh) return now;
    const { hitMicroUsd, missMicroUsd } = this.#pricesOf(ENVELOPE.id);
    if (this.#nowMs < (question as Artifact).endsAtMs) return hitMicroUsd;
    const tier = missMicroUsd > own.hitMicroUsd ? missMicroUsd : own.hitMicroUsd;
    return tier < now ? tier : now;
  }

  #payDividend(wallet: number, { item, contract }: Question, status: CacheStatus, paid: bigint): void {
    const isOfPart = status === "partial" && item.longLivedPart === "fingerprint";
    const key = status === "hit" || item.id === GUARD ? keyOf(item.id, contract) : keyOf(GUARD, contract);
    if (status !== "hit" && item.id !== GUARD && !isOfPart) return;
    const seed = this.#seeds.get(key);
    if (!seed || seed.wallet === wallet || this.#nowMs >= seed.freshUntilMs) return;
    if (status !== "hit" && seed.code !== this.#codeOf(contract)) return;
    const amount = dividendOf(paid, seed.capMicroUsd - seed.earnedMicroUsd);
    seed.earnedMicroUsd += amount;
    this.#credit(seed.wallet, amount, wallet);
  }

  /** What new work leaves for others: the answer, its fingerprint, a seed. */
  #leave(wallet: number, { item, contract }: Question): void {
    const endsAtMs = this.#nowMs + item.ttlSeconds * 1000;
    const code = this.#codeOf(contract);
    this.#answers.set(keyOf(item.id, contract), endsAtMs);
    this.#artifacts.push({ item, contract, endsAtMs });
    if (item.longLivedPart === "fingerprint")
      this.#paidUntil.set(keyOf(item.id, code), this.#nowMs + FINGERPRINT_TTL_MS);
    this.#seed(wallet, item, contract, item.id === GUARD ? this.#nowMs + FINGERPRINT_TTL_MS : endsAtMs);
  }

  #publish(wallet: number, contract: number): void {
    const code = this.#codeOf(contract);
    this.#publishedUntil.set(code, this.#nowMs + FINGERPRINT_TTL_MS);
    this.#seed(wallet, getCapability(GUARD), contract, this.#nowMs + FINGERPRINT_TTL_MS);
  }

  #seed(wallet: number, { id }: Pick<ListedCapability, "id">, contract: number, freshUntilMs: number): void {
    const known = this.#seeds.get(keyOf(id, contract));
    const code = this.#codeOf(contract);
    if (known && this.#nowMs < known.freshUntilMs && known.code === code) return;
    const capMicroUsd = lifetimeCapOf(this.#pricesOf(id).missMicroUsd, true);
    this.#seeds.set(keyOf(id, contract), { wallet, code, capMicroUsd, freshUntilMs, earnedMicroUsd: 0n });
  }

  #review(call: Call | undefined): void {
    if (!call || call.isReviewed) return;
    call.isReviewed = true;
    const day = `${call.wallet} ${Math.floor(this.#nowMs / DAY_MS)}`;
    const given = this.#reviewedToday.get(day) ?? 0n;
    const amount = reviewCreditOf(call.paidMicroUsd, given);
    this.#reviewedToday.set(day, given + amount);
    this.#credit(call.wallet, amount * this.protections.reviewTimes, call.wallet);
  }

  #credit(wallet: number, amount: bigint, payer: number): void {
    this.#balances[wallet] = (this.#balances[wallet] as bigint) + amount;
    if (wallet !== STRANGER && payer === STRANGER) this.fromOthersMicroUsd += amount;
  }
}

/** 0 chooses the last. */
const newest = <T>(list: readonly T[], choice: number): T | undefined =>
  list.at(-1 - (choice % (list.length || 1)));
const itemOf = (choice: number): ListedCapability => sold[choice % sold.length] as ListedCapability;
const keyOf = (id: string, subject: number): string => `${id} ${subject}`;
