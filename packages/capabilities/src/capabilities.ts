import type { z } from "zod";
import type { Capability } from "./defineCapability.js";
import { list } from "./list.js";

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

/** What a caller must not miss, shown in `result.evidence` itself. */
export type CapabilityHighlights = {
  readonly [Id in CapabilityId]: ReturnType<RuleOf<Id>["evaluate"]> extends { readonly evidence: infer Shown }
    ? Shown
    : unknown;
};

/** One of the list, for code that treats all capabilities the same way. */
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
