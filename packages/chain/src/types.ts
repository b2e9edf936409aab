import type { Hex, JsonObject, Reading } from "@assay/protocol";
import type { NodeError } from "./rpcAnswer.js";

export interface BlockHeader {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly stateRoot: Hex;
  /** Unix seconds, as the header states it; several blocks may share one. */
  readonly timestamp: number;
  readonly baseFeePerGas: bigint | null;
  readonly gasLimit: bigint;
  readonly gasUsed: bigint;
}

export interface FeeHistory {
  readonly oldestBlock: number;
  readonly baseFeePerGas: readonly bigint[];
  readonly gasUsedRatio: readonly number[];
  readonly reward: readonly (readonly bigint[])[];
}

/** Parts of the state that are replaced during one call. */
export type StateOverrides = Readonly<
  Record<
    Hex,
    { readonly code?: Hex; readonly balance?: bigint; readonly stateDiff?: Readonly<Record<Hex, Hex>> }
  >
>;

export interface CallRead {
  readonly kind: "call";
  /** Null runs `data` as creation code that is never deployed; the answer is what it returns. */
  readonly to: Hex | null;
  readonly data: Hex;
  readonly from?: Hex;
  /** Wei sent with the call. */
  readonly value?: bigint;
  /** Not every node supports these; with one that does not, the read is unanswered. */
  readonly overrides?: StateOverrides;
  /** Gas limit; 3,000,000 by default, which is ample for a view function. */
  readonly gas?: number;
  /** Wei per unit of gas. Without it the gas price, and on some nodes the base fee, is zero, which contracts can detect. */
  readonly gasPrice?: bigint;
}

/** A transaction as it would be sent, with as much gas as one may use. */
export interface TransactionRead {
  readonly from: Hex;
  /** Null creates a contract. */
  readonly to: Hex | null;
  readonly data: Hex;
  readonly value: bigint;
  readonly gasPrice?: bigint;
}

/** A transfer of native currency at any call depth. Wei. */
export interface TracedMove {
  readonly from: Hex;
  readonly to: Hex;
  readonly value: bigint;
}

export interface TracedLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

export interface ChainLog extends TracedLog {
  readonly blockNumber: number;
  readonly transactionHash: Hex;
}

/** The account that sent the creation of a contract, and what ran. */
export interface ContractCreation {
  readonly creator: Hex;
  readonly code: Hex;
}

/** The inner calls of a transaction and their effects. Effects that a revert undid are left out. */
export interface CallTrace {
  readonly success: boolean;
  readonly gasUsed: bigint;
  readonly output: Hex;
  readonly moves: readonly TracedMove[];
  readonly logs: readonly TracedLog[];
  /** Every pair of caller and called contract, including calls that a revert undid. */
  readonly calls: readonly { readonly from: Hex; readonly to: Hex }[];
  /** Whether a contract was created: its code does not exist at the block, so it cannot be read. */
  readonly creates: boolean;
}

/** Slots of one contract that a transaction changes, with the words before and after it. */
export interface StorageChange {
  readonly address: Hex;
  readonly slot: Hex;
  readonly before: Hex;
  readonly after: Hex;
}

/** One question to ask at a pinned block. */
export type ChainRead =
  | { readonly kind: "code"; readonly address: Hex }
  | { readonly kind: "storage"; readonly address: Hex; readonly slot: Hex }
  | { readonly kind: "balance"; readonly address: Hex }
  /** How many transactions an account has sent, as a quantity. */
  | { readonly kind: "nonce"; readonly address: Hex }
  | CallRead
  /** The gas that a transaction would need at this block, as a quantity. */
  | ({ readonly kind: "gasEstimate" } & TransactionRead)
  /** Absent where no node offers traces; they are then not asked for again for an hour. */
  | ({ readonly kind: "trace"; readonly overrides?: StateOverrides } & TransactionRead)
  /** The storage that a transaction would change. Absent where no node offers it. */
  | ({ readonly kind: "storageChanges"; readonly overrides?: StateOverrides } & TransactionRead)
  /** Events up to the pinned block, the oldest first. Absent where nodes refuse the range, or where there are too many. */
  | {
      readonly kind: "logs";
      readonly fromBlock: number;
      /** Of any contract where it is left out. */
      readonly addresses?: readonly Hex[];
      /** By place; a list means one of these, null means any. */
      readonly topics?: readonly (Hex | readonly Hex[] | null)[];
    }
  /** How a transaction created a contract. Absent where it did not, or did so through another contract. */
  | { readonly kind: "creation"; readonly contract: Hex; readonly transactionHash: Hex }
  | { readonly kind: "feeHistory"; readonly blockCount: number; readonly percentiles: readonly number[] }
  /** The RLP of the header; absent when it cannot be rebuilt from the node's answer. */
  | { readonly kind: "header" }
  /** Trie nodes that prove an account and some of its slots (EIP-1186). They are not verified here. */
  | { readonly kind: "proof"; readonly address: Hex; readonly slots: readonly Hex[] };

export type ProofRead = Extract<ChainRead, { kind: "proof" }>;

/** The reads that make sense at the newest block of the answering node. */
export type LatestRead = Exclude<
  ChainRead,
  { kind: "feeHistory" | "header" | "proof" | "trace" | "storageChanges" | "logs" | "creation" }
>;

/** The reads that every node which has the block must answer in the same way. */
export type AgreedRead = Extract<ChainRead, { kind: "code" | "storage" | "balance" | "call" }>;

/** The values that a read may have. */
export type AnyValue =
  | Hex
  | FeeHistory
  | CallTrace
  | readonly Hex[]
  | readonly ChainLog[]
  | readonly StorageChange[]
  | ContractCreation;
export type ReadValue<R extends ChainRead> = R extends { kind: "feeHistory" }
  ? FeeHistory
  : R extends { kind: "proof" }
    ? readonly Hex[]
    : R extends { kind: "trace" }
      ? CallTrace
      : R extends { kind: "storageChanges" }
        ? readonly StorageChange[]
        : R extends { kind: "logs" }
          ? readonly ChainLog[]
          : R extends { kind: "creation" }
            ? ContractCreation
            : Hex;
export type ReadingsOf<R extends readonly ChainRead[]> = { [K in keyof R]: Reading<ReadValue<R[K]>> };

/** Where a transaction was mined, as one node reports it without proof. */
export interface MinedTransaction {
  readonly hash: Hex;
  readonly blockHash: Hex;
  readonly blockNumber: number;
  readonly index: number;
  readonly transaction: JsonObject;
  readonly receipt: JsonObject;
}

/** One entry of a list that a header commits to. */
export interface ProvenPart {
  /** Trie nodes from the root in the header to the entry; absent where the nodes' answers do not hash to that root. */
  readonly proof: Reading<readonly Hex[]>;
  /** The entry as a node reported it, where it is not proven. Null where it is proven, or its form is not known. */
  readonly told: Hex | null;
}

/** A transaction in its block. */
export interface Execution {
  readonly block: BlockHeader;
  /** The RLP of the header; absent when it cannot be rebuilt from the nodes' answers. */
  readonly header: Reading<Hex>;
  readonly transaction: ProvenPart;
  readonly receipt: ProvenPart;
  /** All receipts of the block, where they hash to its receipts root. */
  readonly receipts: readonly JsonObject[] | null;
}

export interface Head {
  readonly header: BlockHeader;
  readonly seenAtMs: number;
}

/** The part of a logger that the chain uses; pino's loggers have it. */
export interface ChainLogger {
  warn(facts: object, message: string): void;
  info(facts: object, message: string): void;
}

/** What a node made of a signed transaction. `silent`: it may have taken it and has not said so. */
export type SendAnswer =
  | { readonly status: "accepted" }
  | { readonly status: "error"; readonly error: NodeError }
  | { readonly status: "silent"; readonly reason: string };

/** What a node can, as it was last asked. Undefined where it did not answer for a reason that passes, null where it can not at all. */
export interface NodeReport {
  /** Its host. */
  readonly node: string;
  /** Proofs are given of so many blocks before the newest, at least; 0 is the newest alone. */
  readonly proofBlocks: number | null | undefined;
  /** State is kept of so many blocks before the newest, at least. */
  readonly stateBlocks: number | null | undefined;
  /** A search for events may cover so many blocks, at least. */
  readonly logSpan: number | null | undefined;
  readonly overrides: boolean | undefined;
  readonly traces: boolean | undefined;
  readonly simulations: boolean | undefined;
  readonly blockReceipts: boolean | undefined;
  /** Requests in one batch. */
  readonly batchSize: number;
  /** Why it left questions open at first, for reasons that pass. */
  readonly failures: readonly string[];
}

/** Somebody who waits for answers. Only who it is counts: two callers are two objects. */
export type Caller = object;

/** One chain, read through any number of nodes. */
export interface Chain {
  /** Asks for the newest header now; callers share a request that has not been sent yet. Throws `chain_unavailable`. */
  latestBlock(): Promise<BlockHeader>;
  /**
   * Answers every read at exactly this block, in one batch; answers are memoized by block hash. Code that one caller lets the
   * nodes run delays no other caller. Reads without a caller may share batches.
   */
  readAt<const R extends readonly ChainRead[]>(
    block: BlockHeader,
    reads: R,
    caller?: Caller,
  ): Promise<ReadingsOf<R>>;
  /**
   * The same for readings that decide between two parties: where several nodes are configured, two of them must give the same
   * reading. It is unanswered where the second one does not answer, does not have the block, or answers otherwise.
   */
  readAgreed<const R extends readonly AgreedRead[]>(
    block: BlockHeader,
    reads: R,
    caller?: Caller,
  ): Promise<ReadingsOf<R>>;
  /**
   * A newest block of which all of these are proven: the block and the proofs come in one batch, because many nodes prove the
   * newest block alone. What was read is remembered for `readAt`. Undefined where no node gave it in a few tries.
   */
  findProvenTip(reads: readonly ProofRead[]): Promise<BlockHeader | undefined>;
  /** Whether the nodes answered the last request for a proof and the last one for a header; false before the first. */
  provesState(): boolean;
  /**
   * Answers every read at the node's newest block, in one batch and without a memo. It serves questions
   * about the present, such as whether a payer can pay; evidence is always read at a named block.
   */
  readLatest<const R extends readonly LatestRead[]>(reads: R): Promise<ReadingsOf<R>>;
  /** One JSON-RPC call with failover. Throws `RpcError` for an error of the node, `chain_unavailable` where none answers. */
  request<T = unknown>(method: string, params: readonly unknown[]): Promise<T>;
  /**
   * Hands a signed transaction to one node, or to each. An answer of each node that it was delivered to: none means that no node
   * has it. Never throws.
   */
  sendTransaction(raw: Hex, options: { readonly toEach: boolean }): Promise<readonly SendAnswer[]>;
  /**
   * The canonical header of that number, or undefined where no node has one. Throws `chain_unavailable`, also when two
   * nodes have different blocks.
   */
  findBlock(number: number): Promise<BlockHeader | undefined>;
  /** The same for what decides between two parties: where several nodes are configured, two of them must return it. */
  findAgreedBlock(number: number): Promise<BlockHeader | undefined>;
  /** The transaction, if a node has it mined; undefined where no node has. Throws `chain_unavailable`. */
  findMined(txHash: Hex): Promise<MinedTransaction | undefined>;
  /**
   * Reads the whole block, and proves the transaction and its receipt against the block's hash. Throws `chain_unavailable`, and
   * `execution_too_large` where the block is too large for the nodes' answers.
   */
  readExecution(mined: MinedTransaction): Promise<Execution>;
  /**
   * The hash at that height of the chain that ends with `head`. Throws `chain_unavailable`, also when `head` was replaced or
   * two nodes have different blocks.
   */
  getAncestor(number: number, head: BlockHeader): Promise<Hex>;
  /** Numbers of the newest safe and the newest finalized block; where two nodes differ, the lower number. */
  readFinality(): Promise<{ readonly safe: Reading<number>; readonly finalized: Reading<number> }>;
  /** The newest finalized header, or undefined where the node has none. Throws `chain_unavailable`. */
  findFinalizedBlock(): Promise<BlockHeader | undefined>;
  /** The newest header the background follower has seen. */
  findHead(): Head | undefined;
  /** The head. Throws `chain_head_stale` when it is older than 30 s. Never waits. */
  getFreshHead(): Head;
  /** Milliseconds per block, measured over recent headers. */
  blockTimeMs(): number;
  /** The most blocks that one search for events may cover, with the node that allows most. */
  logSpan(): number;
  /** Asks every node what it can. Never throws. */
  probeNodes(): Promise<readonly NodeReport[]>;
  /** What was found when the nodes were last asked; empty before. */
  listNodes(): readonly NodeReport[];
  close(): Promise<void>;
}
