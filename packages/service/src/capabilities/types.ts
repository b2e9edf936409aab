import type { CapabilityId, CapabilityInput, CapabilitySpec, Hex } from "@assay/protocol";
import type { Evaluation } from "@assay/rules";
import type { BlockHeader, Chain } from "../chain/types.js";

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
}

export interface Gathered<Readings> {
  /** Plain JSON: what the verdict is computed from, and what a stranger re-runs the rule on. */
  readonly readings: Readings;
  /** Present when this capability observes bytecode; the evidence store keeps it. */
  readonly fingerprint?: FingerprintRecord;
}

/** One purchasable capability: how to read, how to judge, and who reports later changes. */
export interface Capability<Id extends CapabilityId = CapabilityId, Readings = unknown> {
  readonly spec: CapabilitySpec & { readonly id: Id };
  readonly gather: (context: GatherContext, input: CapabilityInput<Id>) => Promise<Gathered<Readings>>;
  readonly evaluate: (input: CapabilityInput<Id>, readings: Readings) => Evaluation;
  /** The capability that reports changes of the same subject; null when there is none or it is this one. */
  readonly watchedBy: CapabilityId | null;
  /** True when a fresh fingerprint of `input.address` makes an answer `partial` instead of `miss`. */
  readonly usesFingerprint: boolean;
}
