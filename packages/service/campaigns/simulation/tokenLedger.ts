import type { Hex } from "@assay/protocol";
import {
  AUTHORIZATION_CANCELED,
  AUTHORIZATION_USED,
  asTopic,
  TRANSFER,
} from "../../src/payments/settlement/transferCall.js";

export interface Authorization {
  readonly payer: string;
  readonly payTo: string;
  readonly amount: bigint;
  readonly nonce: string;
  readonly validAfter: bigint;
  readonly validBefore: bigint;
}

/** How a nonce was used up. */
export interface Use {
  readonly height: number;
  readonly timestamp: number;
  readonly isCancelled: boolean;
  readonly payer: string;
  readonly payTo: string;
  readonly amount: bigint;
  readonly nonce: string;
}

export interface TokenLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** An EIP-3009 token: balances, and which nonces are used or cancelled since which block. */
export interface TokenLedger {
  readonly address: Hex;
  balanceOf(account: string): bigint;
  mint(account: string, amount: bigint): void;
  findUse(payer: string, nonce: string): Use | undefined;
  /** Why `use` would revert, if it would. */
  findRefusal(authorization: Authorization, timestamp: number): string | undefined;
  /** Moves the money and uses the nonce; throws where the token reverts. */
  use(authorization: Authorization, height: number, timestamp: number): void;
  cancel(payer: string, nonce: string, height: number, timestamp: number): void;
  transfer(from: string, to: string, amount: bigint, height: number): void;
  undoAfter(height: number): void;
  /** Returns a function that undoes everything since. */
  mark(): () => void;
  logsOf(use: Use): TokenLog[];
  readonly uses: () => Iterable<Use>;
  /** How many uses there are, and those after the first so many. */
  countUses(): number;
  listUses(from: number): readonly Use[];
}

const keyOf = (payer: string, nonce: string) => `${payer} ${nonce}`;

export function createTokenLedger(address: Hex): TokenLedger {
  const balances = new Map<string, bigint>();
  const uses = new Map<string, Use>();
  const journal: { readonly height: number; undo(): void }[] = [];

  const add = (account: string, change: bigint) =>
    balances.set(account, (balances.get(account) ?? 0n) + change);
  const move = (from: string, to: string, amount: bigint, height: number) => {
    add(from, -amount);
    add(to, amount);
    journal.push({ height, undo: () => move0(to, from, amount) });
  };
  const move0 = (from: string, to: string, amount: bigint) => {
    add(from, -amount);
    add(to, amount);
  };
  const setUse = (use: Use) => {
    const key = keyOf(use.payer, use.nonce);
    uses.set(key, use);
    journal.push({ height: use.height, undo: () => void uses.delete(key) });
  };
  const undoTo = (length: number) => {
    while (journal.length > length) journal.pop()?.undo();
  };

  const ledger: TokenLedger = {
    address,
    balanceOf: (account) => balances.get(account) ?? 0n,
    mint: (account, amount) => void add(account, amount),
    findUse: (payer, nonce) => uses.get(keyOf(payer, nonce)),
    findRefusal({ payer, amount, nonce, validAfter, validBefore }, timestamp) {
      if (uses.has(keyOf(payer, nonce))) return "authorization is used or canceled";
      if (BigInt(timestamp) <= validAfter || BigInt(timestamp) >= validBefore)
        return "authorization is expired";
      return ledger.balanceOf(payer) < amount ? "transfer amount exceeds balance" : undefined;
    },
    use(authorization, height, timestamp) {
      const refusal = ledger.findRefusal(authorization, timestamp);
      if (refusal) throw new Error(refusal);
      const { payer, payTo, amount, nonce } = authorization;
      setUse({ height, timestamp, isCancelled: false, payer, payTo, amount, nonce });
      move(payer, payTo, amount, height);
    },
    cancel(payer, nonce, height, timestamp) {
      if (uses.has(keyOf(payer, nonce))) throw new Error("authorization is used or canceled");
      setUse({ height, timestamp, isCancelled: true, payer, payTo: "", amount: 0n, nonce });
    },
    transfer(from, to, amount, height) {
      if (ledger.balanceOf(from) < amount) throw new Error("transfer amount exceeds balance");
      move(from, to, amount, height);
    },
    undoAfter(height) {
      while ((journal.at(-1)?.height ?? 0) > height) journal.pop()?.undo();
    },
    mark() {
      const { length } = journal;
      return () => undoTo(length);
    },
    logsOf({ payer, payTo, amount, nonce, isCancelled }) {
      const topics = [
        isCancelled ? AUTHORIZATION_CANCELED : AUTHORIZATION_USED,
        asTopic(payer),
        nonce as Hex,
      ];
      const event = { address, topics, data: "0x" } as const;
      if (isCancelled) return [event];
      const data: Hex = `0x${amount.toString(16).padStart(64, "0")}`;
      return [event, { address, topics: [TRANSFER, asTopic(payer), asTopic(payTo)], data }];
    },
    uses: () => uses.values(),
    countUses: () => uses.size,
    listUses: (from) => (from === uses.size ? [] : [...uses.values()].slice(from)),
  };
  return ledger;
}
