import type { CapabilityInput, ListedCapability } from "@assay/capabilities";
import { findServed } from "@assay/capabilities/served";
import type { Settings } from "../base/settings.js";
import { invalidInput } from "./readInput.js";

/** Refuses well-formed input that a capability cannot answer, in the same words on every route. */
export function verifySupported(
  capability: ListedCapability,
  input: CapabilityInput,
  settings: Pick<Settings, "swapRouters" | "webTestHosts">,
): void {
  const unsupported = findServed(capability.id)?.checkInput?.(input as never, settings) ?? [];
  if (unsupported.length > 0) throw invalidInput(unsupported);
}
