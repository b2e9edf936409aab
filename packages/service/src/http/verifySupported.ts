import type { CapabilityInput, CapabilitySpec } from "@assay/protocol";
import { findCapability } from "../capabilities/registry.js";
import type { Settings } from "../settings.js";
import { invalidInput } from "./readInput.js";

/** Refuses what a capability cannot answer of a well-formed input, in the same words on every route. */
export function verifySupported(
  spec: CapabilitySpec,
  input: CapabilityInput,
  settings: Pick<Settings, "swapRouters" | "webTestHosts">,
): void {
  const unsupported = findCapability(spec.id)?.checkInput?.(input as never, settings) ?? [];
  if (unsupported.length > 0) throw invalidInput(unsupported);
}
