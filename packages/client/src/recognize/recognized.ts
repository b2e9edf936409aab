import type { CapabilityId } from "@assay/capabilities";
import type { KnownToken } from "@assay/capabilities/knownTokens";
import type { Hex } from "@assay/protocol";

/** What a pasted text can be. */
export type PastedKind =
  | "address"
  | "transactionHash"
  | "artifactId"
  | "transaction"
  | "signedTransaction"
  | "calldata"
  | "typedData"
  | "personalMessage"
  | "authorization"
  | "userOperation"
  | "calls"
  | "url"
  | "tokenSymbol"
  | "answer"
  | "unknown";

/** A capability that takes it, and what it would be asked. */
export interface PossibleQuestion {
  readonly capabilityId: CapabilityId;
  readonly input: Readonly<Record<string, unknown>>;
  /** Fields that the paste does not say, and that the caller must add: `from`, `to`, `signer` or `userOperation.entryPoint`. */
  readonly missing: readonly string[];
  /** It fits tokens alone. The first of these fits best where a token is not well known. */
  readonly isForTokens?: true;
}

export interface Recognized {
  readonly kind: PastedKind;
  /** What it is, for people: "an address", "a transaction that calls 0x…". */
  readonly title: string;
  /** The best fit first. Empty where there is nothing to ask. */
  readonly questions: readonly PossibleQuestion[];
  /** Why nothing may be asked, or what to do instead. */
  readonly problem?: string;
  /** What to know before asking. */
  readonly note?: string;
  /** The tokens that a symbol may mean. */
  readonly tokens?: readonly KnownToken[];
}

/** What the caller knows besides the paste. */
export interface PasteContext {
  /** The account that sends or signs. */
  readonly from?: Hex | undefined;
  /** The contract that calldata is for. */
  readonly to?: Hex | undefined;
  /** Wei that go with calldata. */
  readonly value?: string | undefined;
  /** ERC-4337 entry point of a user operation. */
  readonly entryPoint?: Hex | undefined;
  /** Origin of the site that asks for a signature. */
  readonly origin?: string | undefined;
  /** Tokens that symbols may mean: `listKnownTokens` of the capabilities. */
  readonly tokens?: readonly KnownToken[] | undefined;
}

/** Reads a text inside another one again, as a paste of its own. */
export type ReadAgain = (text: string) => Recognized;

export const nothing = (kind: PastedKind, title: string, problem: string): Recognized => ({
  kind,
  title,
  questions: [],
  problem,
});

export const unknown = (problem: string): Recognized => nothing("unknown", "something unknown", problem);
