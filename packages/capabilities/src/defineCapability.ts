import type { CacheStatus, CapabilityPrices, ErrorCode, Hex } from "@assay/protocol";
import type { z } from "zod";
import type { Rule } from "./defineRule.js";
import type { WriteNews } from "./shared/news/news.js";

/** Parts of an answer that outlive it because they are true of the bytecode: with one of them known, the rest costs less. */
export type LongLivedPart = "fingerprint" | "interfaceScan";

/** What the asker has in hand: something to sign, a contract or token, a question about the world, a record. */
export type CapabilityGroup = "sign" | "contract" | "world" | "record";

/** One purchasable capability: everything about it but how it reads, which only the service needs. */
export interface Capability<
  Id extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  TheRule extends Rule = Rule,
> {
  readonly id: Id;
  readonly version: string;
  readonly status: "active" | "candidate";
  /** `shared` answers are sold again while they are fresh; `private` ones belong to their buyer. */
  readonly reuse: "shared" | "private";
  readonly ttlSeconds: number;
  /** Defaults, which an operator may change. */
  readonly prices: CapabilityPrices;
  /** The question it answers, for people. */
  readonly title: string;
  readonly summary: string;
  /** Where the console lists it. */
  readonly group: CapabilityGroup;
  /** Parsing normalizes, so that equal questions get equal input hashes. */
  readonly input: Input;
  /** A question about what is really on Base, shown wherever an input must be shown. */
  readonly example: z.input<Input>;
  /** Fields of the input of which every question has exactly one. */
  readonly alternatives: readonly string[];
  /** How the invoke route is called. */
  readonly method: "GET" | "POST";
  /** A former name under which the invoke route and quotes still answer. */
  readonly deprecatedName: DeprecatedName | null;
  /** The capability that reports changes of the same subject; null when there is none or it is this one. */
  readonly watchedBy: string | null;
  /** What of an answer makes the next one about the same code `partial` instead of `miss`; null when nothing does. */
  readonly longLivedPart: LongLivedPart | null;
  /** What a settled answer leaves for later ones, beside itself. */
  readonly leaves: "observation" | "scans" | null;
  /** A record of this service that the question is about. Its state decides the price, or whether there is one. */
  readonly record: { readonly kind: "artifact" | "obligation"; readonly field: string } | null;
  /** Whether a wallet may publish the long-lived part without buying an answer. */
  readonly isPublishable: boolean;
  /** Whether the input is a transaction before it is signed, so that the page for those offers this capability. */
  readonly judgesTransaction: boolean;
  /** Whether a buyer may record what it did with the verdict. */
  readonly takesDecisions: boolean;
  /** Whether the wallet that will pay is named in the query, beside the input, and quotes have a route of their own. */
  readonly asksForWallet: boolean;
  /** Whether the answer is about the chain; the description of the tool differs. */
  readonly isAboutChain: boolean;
  /** Whether some well-formed input cannot be answered, which its gatherer tells (`checkInput`). */
  readonly refusesInput: boolean;
  /** Errors that only some capabilities answer with. */
  readonly errors: readonly ErrorCode[];
  /** The contract that an answer is about, whose long-lived part may be known. */
  findContract(input: z.output<Input>): Hex | undefined;
  /** How readings become a verdict; loaded when it is needed, because it is the larger part. */
  loadRule(): Promise<TheRule>;
  /** What an answer says to people, besides its reasons; null where the summary is enough. */
  readonly loadNews: (() => Promise<WriteNews>) | null;
}

export interface DeprecatedName {
  readonly name: string;
  readonly method: "GET" | "POST";
  /** When the name was given up; RFC 9745 wants it in the answer. */
  readonly since: string;
}

/** What a capability states only where it differs from most. */
const ordinary = {
  alternatives: [],
  method: "GET",
  deprecatedName: null,
  watchedBy: null,
  longLivedPart: null,
  leaves: null,
  record: null,
  isPublishable: false,
  judgesTransaction: false,
  takesDecisions: false,
  asksForWallet: false,
  isAboutChain: true,
  refusesInput: false,
  errors: [],
  loadNews: null,
  findContract: (input: Record<string, unknown>) =>
    typeof input.address === "string" ? (input.address as Hex) : undefined,
} as const;

type Optional = keyof typeof ordinary;

export function defineCapability<const Id extends string, Input extends z.ZodObject, TheRule extends Rule>(
  capability: Omit<Capability<Id, Input, TheRule>, Optional> &
    Partial<Pick<Capability<Id, Input, TheRule>, Optional>>,
): Capability<Id, Input, TheRule> {
  return { ...ordinary, ...capability };
}

export function priceFor(prices: CapabilityPrices, status: CacheStatus): bigint {
  return status === "hit"
    ? prices.hitMicroUsd
    : status === "partial"
      ? prices.partialMicroUsd
      : prices.missMicroUsd;
}
