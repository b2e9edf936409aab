import type { z } from "zod";
import { ammSwapGuard } from "./amm.swap.guard/capability.js";
import { ammV4HookGuard } from "./amm.v4.hook.guard/capability.js";
import { chainSnapshot } from "./chain.snapshot/capability.js";
import { contractChange } from "./contract.change/capability.js";
import { contractGuard } from "./contract.guard/capability.js";
import { contractInterface } from "./contract.interface/capability.js";
import type { Capability } from "./defineCapability.js";
import { evidenceArtifact } from "./evidence.artifact/capability.js";
import { lendingCollateralGuard } from "./lending.collateral.guard/capability.js";
import { obligationVerdict } from "./obligation.verdict/capability.js";
import { predictionEvidence } from "./prediction.evidence/capability.js";
import { rwaMarketGuard } from "./rwa.market.guard/capability.js";
import { tokenLaunchGuard } from "./token.launch.guard/capability.js";
import { tokenMetadata } from "./token.metadata/capability.js";
import { tradeExecutionNotarize } from "./trade.execution.notarize/capability.js";
import { transactionIntentGuard } from "./transaction.intent.guard/capability.js";
import { webCompile } from "./web.compile/capability.js";

/** Every capability, in catalog order. Adding one is its folder and its line here. */
const list = [
  contractGuard,
  transactionIntentGuard,
  ammSwapGuard,
  contractChange,
  tokenMetadata,
  contractInterface,
  chainSnapshot,
  tokenLaunchGuard,
  evidenceArtifact,
  webCompile,
  obligationVerdict,
  ammV4HookGuard,
  rwaMarketGuard,
  lendingCollateralGuard,
  tradeExecutionNotarize,
  predictionEvidence,
] as const;

type Listed = (typeof list)[number];
type ById = { readonly [One in Listed as One["id"]]: One };

export type CapabilityId = Listed["id"];
export type CapabilityInput<Id extends CapabilityId = CapabilityId> = z.output<ById[Id]["input"]>;
type RuleOf<Id extends CapabilityId> = Awaited<ReturnType<ById[Id]["loadRule"]>>;

/** What each capability read, as `result.evidence.readings` records it. Types alone: verification checks an answer. */
export type CapabilityReadings = {
  readonly [Id in CapabilityId]: ReturnType<RuleOf<Id>["readings"]["parse"]>;
};

/** What the rule concludes from the readings, as `result.evidence.findings` has it. */
export type CapabilityFindings = {
  readonly [Id in CapabilityId]: ReturnType<RuleOf<Id>["evaluate"]>["findings"];
};

/** What a caller must not miss, which stands in `result.evidence` itself. */
export type CapabilityHighlights = {
  readonly [Id in CapabilityId]: ReturnType<RuleOf<Id>["evaluate"]> extends { readonly evidence: infer Shown }
    ? Shown
    : unknown;
};

/** One of the list, for code that treats all capabilities alike. */
export type ListedCapability = Capability<CapabilityId>;

export const capabilities: readonly ListedCapability[] = list;

const byId = new Map<string, ListedCapability>(capabilities.map((one) => [one.id, one]));
const byDeprecatedName = new Map(
  capabilities.flatMap((one) => (one.deprecatedName ? [[one.deprecatedName.name, one] as const] : [])),
);

export function findCapability(id: string): ListedCapability | undefined {
  return byId.get(id);
}

/** By its own name or by a former one. */
export function findCapabilityByAnyName(name: string): ListedCapability | undefined {
  return byId.get(name) ?? byDeprecatedName.get(name);
}

export function getCapability<Id extends CapabilityId>(id: Id): ById[Id] {
  const capability = byId.get(id);
  if (!capability) throw new RangeError(`no capability ${id}`);
  return capability as unknown as ById[Id];
}
