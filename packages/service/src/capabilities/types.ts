import type {
  CacheStatus,
  CapabilityId,
  CapabilityInput,
  CapabilitySpec,
  FieldError,
  Hex,
} from "@assay/protocol";
import type { Evaluation, LaunchVenues, ListedAsset, ProvableAccount, SwapRouter } from "@assay/rules";
import type { BlockHeader, Chain } from "../chain/types.js";
import type { StoredArtifact } from "../evidence/artifacts.js";
import type { InterfaceScan } from "../evidence/interfaceScans.js";
import type { LongLivedPart } from "../evidence/longLivedParts.js";
import type { Observation } from "../evidence/observations.js";
import type { Settings } from "../settings.js";
import type { Database } from "../store/database.js";
import type { PageReader } from "../web/createPageReader.js";
import type { ProofBasket } from "./proofBasket.js";

/** The long-lived part of an answer about an address: valid while the code hash is unchanged. */
export interface FingerprintRecord {
  readonly address: Hex;
  readonly codeHash: Hex | null;
  readonly bytecodeBytes: number;
  readonly computedAtBlock: number;
}

export interface GatherContext {
  readonly chain: Chain;
  /** The block every reading is pinned to. */
  readonly block: BlockHeader;
  /** For what earlier calls have left; nothing is written before a payment settles. */
  readonly database: Database;
  /** Who pays for the answer, for what only one wallet may have told; null where nobody does. */
  readonly payer: Hex | null;
  /** `{base_url}`, for links to what is on record. */
  readonly publicUrl: string;
  /** The routers whose swaps are judged. */
  readonly swapRouters: readonly SwapRouter[];
  /** Where a token is looked for and traded. */
  readonly launchVenues: LaunchVenues;
  /** The assets whose issuers the operator knows. */
  readonly issuers: readonly ListedAsset[];
  /** Fetches and parses public pages. */
  readonly pages: Pick<PageReader, "read">;
  /** Takes the proofs of what is read. */
  readonly proofs: ProofBasket;
  /** Computes another capability's answer now, at the same block; undefined when it is not sold here. */
  answerAgain(capabilityId: string, input: CapabilityInput): Promise<StoredArtifact | undefined>;
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
  /** For an answer that can be outlived by what it is about sooner than the catalog says. */
  readonly ttlSeconds?: number;
  /** For a capability that knows by itself what its answer was made of. */
  readonly status?: CacheStatus;
  /** Another answer, computed anew inside this one. */
  readonly refreshed?: Readonly<Record<string, unknown>>;
}

/** One purchasable capability: how to read, how to judge, and who reports later changes. */
export interface Capability<Id extends CapabilityId = CapabilityId, Readings = unknown> {
  readonly spec: CapabilitySpec & { readonly id: Id };
  /**
   * What of a well-formed input cannot be answered, found without reading anything and before anybody pays. Throws where
   * the refusal has a code of its own.
   */
  readonly checkInput?: (
    input: CapabilityInput<Id>,
    settings: Pick<Settings, "swapRouters" | "webTestHosts">,
  ) => readonly FieldError[];
  readonly gather: (context: GatherContext, input: CapabilityInput<Id>) => Promise<Gathered<Readings>>;
  readonly evaluate: (input: CapabilityInput<Id>, readings: Readings) => Evaluation;
  /** What the verdict took from the chain's state and a proof can show. */
  readonly listFacts: (input: CapabilityInput<Id>, readings: Readings) => readonly ProvableAccount[];
  /** The capability that reports changes of the same subject; null when there is none or it is this one. */
  readonly watchedBy: CapabilityId | null;
  /** What of an answer outlives it and makes the next one `partial` instead of `miss`; null when nothing does. */
  readonly longLivedPart: LongLivedPart | null;
}
