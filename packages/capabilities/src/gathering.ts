import type { BlockHeader, Chain } from "@assay/chain";
import type { PageReader, TestHosts } from "@assay/pages";
import type { CacheStatus, FieldError, Hex } from "@assay/protocol";
import type { Records, StoredArtifact } from "./records.js";
import type { ListedAsset } from "./shared/issuers/listedAsset.js";
import type { ObservedFields } from "./shared/observations/observedReadings.js";
import type { LaunchVenues } from "./shared/pools/launchVenues.js";
import type { ProofCollector } from "./shared/proofs/proofCollector.js";
import type { SwapRouter } from "./shared/swaps/swapRouters.js";

/** The long-lived part of an answer about an address: valid while the code hash is unchanged. */
export interface FingerprintRecord {
  readonly address: Hex;
  readonly codeHash: Hex | null;
  readonly bytecodeBytes: number;
  readonly computedAtBlock: number;
}

/** What a call saw at an address; its block and artifact id are those of the answer it belongs to. */
export interface Observation {
  readonly address: Hex;
  readonly fields: ObservedFields;
}

/** The function selectors in a piece of bytecode. */
export interface InterfaceScan {
  /** keccak256 of the code. */
  readonly codeHash: Hex;
  readonly scanner: string;
  readonly selectors: readonly Hex[];
}

/** What an operator may set that decides which questions can be answered. */
export interface CapabilitySettings {
  /** The routers whose swaps are judged. */
  readonly swapRouters: readonly SwapRouter[];
  /** Where pools of a token are searched and traded in. */
  readonly launchVenues: LaunchVenues;
  /** Leaves the token that a swap buys to token.launch.guard alone, which spares the nodes most of the work. */
  readonly skipsBoughtTokens?: boolean;
  /** The assets whose issuers the operator knows. */
  readonly issuers: readonly ListedAsset[];
  /** Hosts on this machine whose pages may be read, as `127.0.0.1:port`; empty but for trying out. */
  readonly webTestHosts: TestHosts;
}

export interface GatherContext extends CapabilitySettings {
  readonly chain: Chain;
  /** The block every reading is pinned to. */
  readonly block: BlockHeader;
  readonly records: Records;
  /** The wallet that pays for the answer, for records that only one wallet may see; null where nobody pays. */
  readonly payer: Hex | null;
  /** `{base_url}`, for links to what is on record. */
  readonly publicUrl: string;
  /** Fetches and parses public pages. */
  readonly pages: Pick<PageReader, "read">;
  /** Takes the proofs of what is read. */
  readonly proofs: ProofCollector;
  /** Computes another capability's answer now, at the same block; undefined when it is not sold here. */
  answerAgain(
    capabilityId: string,
    input: Readonly<Record<string, unknown>>,
  ): Promise<StoredArtifact | undefined>;
}

export interface Gathered<Readings> {
  /** Plain JSON: what the verdict is computed from, and what a stranger re-runs the rule on. */
  readonly readings: Readings;
  /** Present when this capability observes bytecode; the evidence store keeps it. */
  readonly fingerprint?: FingerprintRecord;
  /** Present when later observations of the same address are compared with this one. */
  readonly observation?: Observation;
  /** Present when code was scanned that no earlier call has left a scan of. */
  readonly scans?: readonly InterfaceScan[];
  /** For an answer that holds for a shorter time than the catalog states. */
  readonly ttlSeconds?: number;
  /** For a capability that knows by itself what its answer was made of. */
  readonly status?: CacheStatus;
  /** Another answer, computed again inside this one. */
  readonly refreshed?: Readonly<Record<string, unknown>>;
}

/** How a capability reads. Each folder's `gather/gather.ts` exports one as `gatherer`. */
export interface Gatherer<Input = never, Readings = unknown> {
  gather(context: GatherContext, input: Input): Promise<Gathered<Readings>>;
  /**
   * Reads at the newest block that is known already, while a newer one is asked for, and returns how to gather with what it saw.
   * That only names what to ask about: everything that is judged is read at the block of the answer.
   */
  lookAhead?(
    context: Pick<GatherContext, "chain" | "block" | "launchVenues">,
    input: Input,
  ): Promise<Gatherer<Input, Readings>["gather"]>;
  /**
   * What of a well-formed input cannot be answered, found without reading anything and before anybody pays. Throws where
   * the refusal has a code of its own.
   */
  checkInput?(
    input: Input,
    settings: Pick<CapabilitySettings, "swapRouters" | "webTestHosts">,
  ): readonly FieldError[];
}
