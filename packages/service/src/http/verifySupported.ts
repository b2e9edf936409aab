import type { CapabilityInput, ListedCapability } from "@assay/capabilities";
import { loadServed } from "@assay/capabilities/served";
import type { Settings } from "../base/settings.js";
import { invalidInput } from "./readInput.js";

/** Refuses well-formed input that a capability cannot answer, in the same words on every route. */
export async function verifySupported(
  capability: ListedCapability,
  input: CapabilityInput,
  settings: Pick<Settings, "swapRouters" | "webTestHosts">,
): Promise<void> {
  if (!capability.refusesInput) return;
  const { checkInput } = await loadServed(capability);
  const unsupported = checkInput?.(input as never, settings) ?? [];
  if (unsupported.length > 0) throw invalidInput(unsupported);
}
