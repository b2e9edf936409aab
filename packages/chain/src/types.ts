import type { Hex, JsonObject, Reading } from "@assay/protocol";

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

/** Parts of the state replaced for the length of one call. */
export type StateOverrides = Readonly<
  Record<
    Hex,
    { readonly code?: Hex; readonly balance?: bigint; readonly stateDiff?: Readonly<Record<Hex, Hex>> }
  >
>;

export interface CallRead {
  readonly kind: "call";
  /** Null runs `data` as creation code, which is never deployed; the answer is what it returns. */
  readonly to: Hex | null;
  readonly data: Hex;
  readonly from?: Hex;
  /** Wei sent with it. */
  readonly value?: bigint;
  /** Not every node takes these; one that does not leaves the read unanswered. */
  readonly overrides?: StateOverrides;
  /** At most so much is spent on it; 3,000,000 unless told, which is ample for a view. */
  readonly gas?: number;
  /** Wei per unit of gas. Without it the price is zero, and with some nodes the base fee too, as a contract can see. */
  readonly gasPrice?: bigint;
}

/** A transaction as it would be sent; it is given all the gas that one may use. */
export interface TransactionRead {
  readonly from: Hex;
  readonly to: Hex;
  readonly data: Hex;
  readonly value: bigint;
  readonly gasPrice?: bigint;
}

/** Native currency that changed hands, at whatever depth. Wei. */
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

/** What a transaction did inside; what was undone by a revert is left out. */
export interface CallTrace {
  readonly success: boolean;
  readonly gasUsed: bigint;
  readonly output: Hex;
  readonly moves: readonly TracedMove[];
  readonly logs: readonly TracedLog[];
  /** Whose code ran, and by whose call: what was undone is here too. */
  readonly calls: readonly { readonly from: Hex; readonly to: Hex }[];
  /** Whether a contract was created on the way, whose code is nobody's to look up. */
  readonly creates: boolean;
}

/** One question to ask at a pinned block. */
export type ChainRead =
  | { readonly kind: "code"; readonly address: Hex }
  | { readonly kind: "storage"; readonly address: Hex; readonly slot: Hex }
  | { readonly kind: "balance"; readonly address: Hex }
  | CallRead
  /** Gas that a transaction would need at this block, as a quantity. */
  | ({ readonly kind: "gasEstimate" } & TransactionRead)
  /** Absent where no node offers traces, which is then not asked again for a while. */
  | ({ readonly kind: "trace"; readonly overrides?: StateOverrides } & TransactionRead)
  | { readonly kind: "feeHistory"; readonly blockCount: number; readonly percentiles: readonly number[] }
  /** The header as it is hashed; absent when it cannot be rebuilt from what the node tells. */
  | { readonly kind: "header" }
  /** Trie nodes that prove an account and some of its slots (EIP-1186). Not verified here. */
  | { readonly kind: "proof"; readonly address: Hex; readonly slots: readonly Hex[] };

/** What may be asked of whatever block is newest when the node answers. */
export type LatestRead = Exclude<ChainRead, { kind: "feeHistory" | "header" | "proof" | "trace" }>;

/** What every node that has the block must answer alike. */
export type AgreedRead = Extract<ChainRead, { kind: "code" | "storage" | "balance" | "call" }>;

/** What any read may answer with. */
export type AnyValue = Hex | FeeHistory | CallTrace | readonly Hex[];
export type ReadValue<R extends ChainRead> = R extends { kind: "feeHistory" }
  ? FeeHistory
  : R extends { kind: "proof" }
    ? readonly Hex[]
    : R extends { kind: "trace" }
      ? CallTrace
      : Hex;
export type ReadingsOf<R extends readonly ChainRead[]> = { [K in keyof R]: Reading<ReadValue<R[K]>> };

/** Where a transaction was mined, and what is told of it: a node's word, until it is proven. */
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
  /** Trie nodes from the root in the header to the entry; absent where what nodes tell does not make that root. */
  readonly proof: Reading<readonly Hex[]>;
  /** The entry as a node tells it, where it is not proven; null, too, when it is of an unknown form. */
  readonly told: Hex | null;
}

/** A transaction in its block. */
export interface Execution {
  readonly block: BlockHeader;
  /** The header as it is hashed; absent when it cannot be rebuilt from what the nodes tell. */
  readonly header: Reading<Hex>;
  readonly transaction: ProvenPart;
  readonly receipt: ProvenPart;
  /** All receipts of the block, where they make its receipts root. */
  readonly receipts: readonly JsonObject[] | null;
}

export interface Head {
  readonly header: BlockHeader;
  readonly seenAtMs: number;
}

/** The part of a logger that the chain uses; pino's has it. */
export interface ChainLogger {
  warn(facts: object, message: string): void;
  info(facts: object, message: string): void;
}

/** The chain as the service sees it: any number of nodes behind one face. */
export interface Chain {
  /** Asks for the newest header now; callers share a request that is not sent yet. Throws `chain_unavailable`. */
  latestBlock(): Promise<BlockHeader>;
  /** Answers every read at exactly this block, in one batch; answers are memoized by block hash. */
  readAt<const R extends readonly ChainRead[]>(block: BlockHeader, reads: R): Promise<ReadingsOf<R>>;
  /**
   * The same for what decides between two parties: where several nodes are configured, a reading was given alike by two
   * of them. One that stays silent, or has not the block, leaves it unanswered, as one that says otherwise does.
   */
  readAgreed<const R extends readonly AgreedRead[]>(block: BlockHeader, reads: R): Promise<ReadingsOf<R>>;
  /** Whether the last proof and the last header asked for were given; false until they were. */
  provesState(): boolean;
  /**
   * Answers every read at the node's newest block, in one batch and without a memo. For questions
   * about the present, such as whether a payer can pay; never for evidence, which is pinned.
   */
  readLatest<const R extends readonly LatestRead[]>(reads: R): Promise<ReadingsOf<R>>;
  /** One JSON-RPC call with failover. Throws `RpcError` for the node's own error, `chain_unavailable` for silence. */
  request<T = unknown>(method: string, params: readonly unknown[]): Promise<T>;
  /**
   * The canonical header of that number, or undefined where no node has one. Throws `chain_unavailable`, also when two
   * nodes name different blocks.
   */
  findBlock(number: number): Promise<BlockHeader | undefined>;
  /** The same for what decides between two parties: where several nodes are configured, two of them gave it. */
  findAgreedBlock(number: number): Promise<BlockHeader | undefined>;
  /** The transaction, where one of the nodes has it mined; undefined where none of them has. Throws `chain_unavailable`. */
  findMined(txHash: Hex): Promise<MinedTransaction | undefined>;
  /**
   * Its block read whole, and the transaction and its receipt proven to the block's hash. Throws `chain_unavailable`, and
   * `execution_too_large` where no node can send the block.
   */
  readExecution(mined: MinedTransaction): Promise<Execution>;
  /**
   * The hash at that height of the chain that ends with `head`. Throws `chain_unavailable`, also when `head` was replaced or
   * two nodes differ.
   */
  getAncestor(number: number, head: BlockHeader): Promise<Hex>;
  /** Numbers of the newest safe and the newest finalized block, of two nodes' opinions the lower. */
  readFinality(): Promise<{ readonly safe: Reading<number>; readonly finalized: Reading<number> }>;
  /** The newest finalized header, or undefined where the node has none. Throws `chain_unavailable`. */
  findFinalizedBlock(): Promise<BlockHeader | undefined>;
  /** The newest header the background follower has seen. */
  findHead(): Head | undefined;
  /** The head, or `chain_head_stale` when it is older than 30 s. Never waits. */
  getFreshHead(): Head;
  /** Milliseconds per block, measured over recent headers. */
  blockTimeMs(): number;
  close(): Promise<void>;
}
