import type { Hex } from "@assay/protocol";
import type { TransactionIntentInput } from "../shared/intents/transactionInput.js";
import type { Note } from "../shared/verdict/note.js";
import type { FormCode } from "./reasons.js";
import type { VenueName } from "./venues.js";

/** A call that the signature makes, or lets somebody make, in the owner's name. */
export interface SignedCall {
  readonly to: Hex;
  readonly data: Hex;
  /** Wei, decimal. */
  readonly value: string;
}

/** What the signature does, as calls that can be run now. */
export interface SignedRun {
  /** The transaction by which it is judged: what it does to the owner is the same. */
  readonly judged: TransactionIntentInput;
  readonly caller: Hex;
  readonly steps: readonly SignedCall[];
  /** A caller that is no account of the owner's needs ether for what it passes on. */
  readonly lendsToCaller: boolean;
  /** A Safe that is run as if the signer alone were enough. */
  readonly safe: Hex | null;
  /** The judged call is only a way to write the steps down: no account is called with its data. */
  readonly isWrittenAsBatch: boolean;
}

/** Something that an order gives or asks for. */
export interface TradeItem {
  readonly kind: "native" | "erc20" | "erc721" | "erc1155";
  readonly token: Hex | null;
  /** Null where any item of a collection will do. */
  readonly id: string | null;
  /** The most that is given, or the least that is asked for. */
  readonly amount: string;
  /** Who receives it. */
  readonly to: Hex | null;
}

/** An order: what its maker gives, and what must come for it. */
export interface Trade {
  readonly maker: Hex;
  readonly gives: readonly TradeItem[];
  readonly gets: readonly TradeItem[];
}

/** Tokens that move by the signature alone, to a recipient that it names. */
export interface SignedPayment {
  /** Null for ether. */
  readonly token: Hex | null;
  readonly to: Hex;
  readonly amount: string;
  /** Seconds after which as much may be taken again; absent where it is taken once. */
  readonly period?: string;
  /** Unix seconds at which the first period begins; the others follow without a gap. */
  readonly start?: string;
  /** A published contract keeps it for the payer, who can take back what is not used. */
  readonly isDeposit: boolean;
}

/** A question to a contract whose answer shows whether the signature can still be used. */
export interface NonceQuestion {
  readonly target: Hex;
  readonly data: Hex;
  /**
   * `next`: the contract names the one nonce that it takes now. `counter`: the same, and a smaller one is void for good.
   * `bit`: a word in which the bit `expected` is set once used. `flag`: a word that is not zero once used.
   * `allowance`: Permit2's third word names the one that it takes now. `channel`: what an x402 channel holds, and what was
   * claimed of it; `expected` is what may be claimed in all.
   */
  readonly kind: "next" | "counter" | "bit" | "flag" | "allowance" | "channel";
  readonly expected: string;
}

/** What a message means. Pure: the gatherer plans its reads by it, and the rule judges by it. */
export interface Meaning {
  /** Stable name of the form, for programs. */
  readonly form: string;
  /** What people call it. */
  readonly title: string;
  /** Whose assets, votes or account it is about; null where it is about none. */
  readonly owner: Hex | null;
  /** Contracts that are known to accept this form; null where any contract may be one. */
  readonly venue: VenueName | null;
  /** Unix seconds; null where none is stated. */
  readonly from: string | null;
  readonly until: string | null;
  /** Whether the form has an end at all: an order without one is open for good. */
  readonly canEnd: boolean;
  readonly nonce: NonceQuestion | null;
  readonly run: SignedRun | null;
  /** How often the run may be made by the one signature; null where nothing counts it. */
  readonly times: string | null;
  readonly trades: readonly Trade[];
  readonly payment: SignedPayment | null;
  /** What the form itself shows. */
  readonly notes: readonly Note<FormCode>[];
  /** What it lets whom do, in words that need no reading of the chain. */
  readonly says: readonly string[];
  /** Addresses beyond the above that matter. */
  readonly parties: readonly Hex[];
  /** Forms that hold this one, the outermost first. */
  readonly inside: readonly string[];
  /** An account that must be asked whether the signer commands it. */
  readonly account: Hex | null;
  /** Code that the signer's account will run. */
  readonly delegate: Hex | null;
  /** Only a server takes it, by its domain and its type: no contract does. */
  readonly isOffChain: boolean;
  /** The contracts that carry out a user operation. */
  readonly operation: { readonly entryPoint: Hex; readonly factory: Hex | null } | null;
  /** Most wei that the operation itself may cost. */
  readonly feeWei: string | null;
}

const PLAIN: Omit<Meaning, "form" | "title"> = {
  owner: null,
  venue: null,
  from: null,
  until: null,
  canEnd: false,
  nonce: null,
  run: null,
  times: "1",
  trades: [],
  payment: null,
  notes: [],
  says: [],
  parties: [],
  inside: [],
  account: null,
  delegate: null,
  operation: null,
  feeWei: null,
  isOffChain: false,
};

export const mean = (stated: Partial<Meaning> & Pick<Meaning, "form" | "title">): Meaning => ({
  ...PLAIN,
  ...stated,
});
