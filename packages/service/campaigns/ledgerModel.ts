import type { CacheStatus } from "@assay/protocol";
import type { CreditMove } from "../src/credits/ledger.js";

/** Moments are microseconds since 1970, as the database keeps them. */
export interface ModelCall {
  readonly invocationId: string;
  readonly wallet: string;
  readonly capabilityId: string;
  readonly inputHash: string;
  readonly status: CacheStatus;
  readonly priceMicroUsd: bigint;
  readonly creditMicroUsd: bigint;
  /** Name of its hold; null when it uses no credit. */
  readonly hold: string | null;
  readonly createdAt: bigint;
  /** What it computed itself; null when it took an earlier answer, or when its answer is private. */
  readonly computed: ModelEvidence | null;
  state: "reserved" | "settling" | "settled" | "failed" | "void";
}

export interface ModelCode {
  readonly address: string;
  readonly hash: string;
  readonly block: number;
}

interface ModelEvidence {
  /** Null where the answer rests on no code. */
  readonly code: ModelCode | null;
}

interface ModelSeed {
  wallet: string;
  codeHash: string | null;
  cap: bigint;
  earned: bigint;
  seededAt: bigint;
  freshUntil: bigint;
}

interface ModelPledge {
  readonly pledgedAt: bigint;
  isHonoured: boolean;
}

export interface LedgerTerms {
  /** Price of new work, whatever the capability. */
  readonly missMicroUsd: bigint;
  readonly guardInputHash: (address: string) => string;
  readonly isAttested: (wallet: string) => boolean;
}

const FOREVER = 2n ** 62n;
const least = (...amounts: bigint[]) => amounts.reduce((a, b) => (b < a ? b : a));
const byNumber = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);

/** The market's rules about credit again, in memory and one transaction after the other. */
export class LedgerModel {
  readonly balances = new Map<string, bigint>();
  readonly entries = new Map<string, CreditMove>();
  readonly calls: ModelCall[] = [];
  readonly violations: string[] = [];
  /** The least that each account held since `startRound`. */
  readonly #lows = new Map<string, bigint>();
  readonly #byId = new Map<string, ModelCall>();
  readonly #seeds = new Map<string, ModelSeed>();
  readonly #codes = new Map<string, { hash: string; block: number; isFresh: boolean }>();
  readonly #pledges = new Map<string, ModelPledge>();
  readonly #reviewed = new Set<string>();
  /** By wallet and day. */
  readonly #reviewedOn = new Map<string, bigint>();

  constructor(readonly terms: LedgerTerms) {}

  balanceOf = (account: string): bigint => this.balances.get(account) ?? 0n;
  lowOf = (account: string): bigint => this.#lows.get(account) ?? this.balanceOf(account);
  hasPledged = (wallet: string, capability: string): boolean => this.#pledges.has(`${wallet}:${capability}`);
  findCall = (invocationId: string): ModelCall | undefined => this.#byId.get(invocationId);
  listSeeds = (): ReadonlyMap<string, ModelSeed> => this.#seeds;

  startRound(): void {
    this.#lows.clear();
  }

  addCall(call: ModelCall): void {
    this.calls.push(call);
    this.#byId.set(call.invocationId, call);
  }

  addPledge(wallet: string, capability: string, pledgedAt: bigint): void {
    this.#pledges.set(`${wallet}:${capability}`, { pledgedAt, isHonoured: false });
  }

  endDay(): void {
    this.#reviewedOn.clear();
  }

  /** The seed expires at this moment, and so does the code that it is about. */
  expire(inputHash: string, address: string | null, at: bigint): void {
    const seed = this.#seeds.get(inputHash);
    if (seed && seed.freshUntil > at) seed.freshUntil = at;
    const code = address === null ? undefined : this.#codes.get(address);
    if (code) code.isFresh = false;
  }

  /** What the wallet is credited for reporting, on this day, how its call turned out. */
  review(call: ModelCall, day: string): CreditMove[] {
    if (this.#reviewed.has(call.invocationId) || call.state !== "settled") {
      this.violations.push(`an outcome of ${call.invocationId} must not be credited and was`);
      return [];
    }
    this.#reviewed.add(call.invocationId);
    const key = `${call.wallet} ${day}`;
    const given = this.#reviewedOn.get(key) ?? 0n;
    const amount = least(call.priceMicroUsd / 20n, 5_000n, 50_000n - given);
    this.#reviewedOn.set(key, given + amount);
    return this.#issue(call.wallet, "review", call.invocationId, amount);
  }

  /** Reported without credit, because the wallet has reached the day's limit. */
  reviewForNothing(call: ModelCall, day: string): void {
    this.#reviewed.add(call.invocationId);
    if ((this.#reviewedOn.get(`${call.wallet} ${day}`) ?? 0n) < 50_000n)
      this.violations.push(`an outcome of ${call.invocationId} was not credited`);
  }

  hold({ wallet, hold, creditMicroUsd: amountMicroUsd }: ModelCall): CreditMove[] {
    return hold === null
      ? []
      : [{ cause: `hold:${hold}`, from: `wallet:${wallet}`, to: `held:${hold}`, amountMicroUsd }];
  }

  /** The call charged nothing. */
  release(call: ModelCall): CreditMove[] {
    const { wallet, hold, creditMicroUsd: amountMicroUsd } = call;
    if (call.state !== "settling" && call.state !== "reserved")
      this.violations.push(`${call.invocationId} gave up in state ${call.state}`);
    call.state = call.state === "reserved" ? "void" : "failed";
    return hold === null
      ? []
      : [{ cause: `release:${hold}`, from: `held:${hold}`, to: `wallet:${wallet}`, amountMicroUsd }];
  }

  publish(wallet: string, code: ModelCode, at: bigint): void {
    const inputHash = this.terms.guardInputHash(code.address);
    const seed = this.#seeds.get(inputHash);
    if (seed && seed.freshUntil > at && seed.codeHash === code.hash)
      this.violations.push(`${wallet} took a fresh seed: ${inputHash}`);
    this.#codes.set(code.address, { ...code, isFresh: true });
    this.#claim(wallet, inputHash, code.hash, at);
  }

  /** All calls of one settling transaction: what they publish, then what they reuse, then what they claim. */
  settle(calls: readonly ModelCall[], at: bigint): CreditMove[] {
    for (const call of calls) {
      if (call.state !== "settling")
        this.violations.push(`${call.invocationId} settled in state ${call.state}`);
      call.state = "settled";
      this.#learnCode(call.computed?.code ?? null);
    }
    const redeemed = calls.flatMap(({ hold, creditMicroUsd }): CreditMove[] =>
      hold === null
        ? []
        : [{ cause: `redeem:${hold}`, from: `held:${hold}`, to: "redeemed", amountMicroUsd: creditMicroUsd }],
    );
    const dividends = this.#payDividends(calls);
    this.#seed(calls, at);
    return [...redeemed, ...dividends, ...this.#honourPledges(calls)];
  }

  /** Writes the moves, and reports a violation for each that the rules forbid. */
  post(moves: readonly CreditMove[]): void {
    for (const move of moves) {
      const { cause, from, to, amountMicroUsd } = move;
      if (this.entries.has(cause)) this.violations.push(`${cause} moved credit twice`);
      this.entries.set(cause, move);
      for (const account of [from, to])
        if (!this.#lows.has(account)) this.#lows.set(account, this.balanceOf(account));
      this.balances.set(from, this.balanceOf(from) - amountMicroUsd);
      this.balances.set(to, this.balanceOf(to) + amountMicroUsd);
    }
    for (const { from } of moves) {
      const balance = this.balanceOf(from);
      if (balance < this.lowOf(from)) this.#lows.set(from, balance);
      if (balance < 0n && !from.startsWith("issue:")) this.violations.push(`${from} owes ${-balance}`);
    }
  }

  #issue(
    wallet: string,
    programme: "dividend" | "review" | "pledge",
    cause: string,
    amountMicroUsd: bigint,
  ): CreditMove[] {
    if (amountMicroUsd === 0n) return [];
    return [
      { cause: `${programme}:${cause}`, from: `issue:${programme}`, to: `wallet:${wallet}`, amountMicroUsd },
    ];
  }

  #learnCode(code: ModelCode | null): void {
    const known = code && this.#codes.get(code.address);
    if (code && (!known || known.block <= code.block))
      this.#codes.set(code.address, { ...code, isFresh: true });
  }

  #payDividends(calls: readonly ModelCall[]): CreditMove[] {
    const inOrder = [...calls].sort(
      (a, b) => byNumber(a.createdAt, b.createdAt) || a.invocationId.localeCompare(b.invocationId),
    );
    return inOrder.flatMap((call) => {
      const seed = this.#seeds.get(call.inputHash);
      const isReuse = call.status === "hit" || call.capabilityId === "contract.guard";
      if (!seed || !isReuse || seed.wallet === call.wallet) return [];
      if (call.createdAt < seed.seededAt || call.createdAt >= seed.freshUntil) return [];
      if (call.computed && (call.computed.code?.hash ?? null) !== seed.codeHash) return [];
      const amount = least(call.priceMicroUsd / 5n, seed.cap - seed.earned);
      seed.earned += amount;
      return this.#issue(seed.wallet, "dividend", call.invocationId, amount);
    });
  }

  /** The first call that computed an answer claims its input, unless another seed is fresh. */
  #seed(calls: readonly ModelCall[], at: bigint): void {
    const firsts = new Map<string, ModelCall>();
    for (const call of calls)
      if (call.computed && !firsts.has(call.inputHash)) firsts.set(call.inputHash, call);
    for (const [inputHash, call] of firsts)
      if (this.#isOpen(call, at)) this.#claim(call.wallet, inputHash, call.computed?.code?.hash ?? null, at);
  }

  #isOpen({ inputHash, computed }: ModelCall, at: bigint): boolean {
    const seed = this.#seeds.get(inputHash);
    if (!seed || seed.freshUntil <= at) return true;
    const code = computed?.code;
    return !!code && seed.codeHash !== code.hash && this.#codes.get(code.address)?.hash === code.hash;
  }

  #claim(wallet: string, inputHash: string, codeHash: string | null, at: bigint): void {
    const cap = this.terms.missMicroUsd * (this.terms.isAttested(wallet) ? 100n : 50n);
    this.#seeds.set(inputHash, { wallet, codeHash, cap, earned: 0n, seededAt: at, freshUntil: FOREVER });
  }

  #honourPledges(calls: readonly ModelCall[]): CreditMove[] {
    const inOrder = [...calls].sort(
      (a, b) => byNumber(a.createdAt, b.createdAt) || a.invocationId.localeCompare(b.invocationId),
    );
    return inOrder.flatMap(({ wallet, capabilityId, createdAt, priceMicroUsd }) => {
      const pledge = this.#pledges.get(`${wallet}:${capabilityId}`);
      if (!pledge || pledge.isHonoured || pledge.pledgedAt >= createdAt) return [];
      pledge.isHonoured = true;
      return this.#issue(wallet, "pledge", `${wallet}:${capabilityId}`, least(priceMicroUsd / 10n, 20_000n));
    });
  }
}
