import type { CapabilityInput } from "@assay/protocol";
import { identifyPool } from "./hook/poolKey.js";
import type { HookGuardReadings } from "./hookGuardReadings.js";
import { describeAccount, listContractGuardFacts } from "./listContractGuardFacts.js";
import type { ProvableAccount } from "./provableFact.js";

/** The manager's code and the pool's words in its storage; the hook as contract.guard proves it. Simulations no proof can show. */
export function listHookGuardFacts(
  input: CapabilityInput<"amm.v4.hook.guard">,
  { poolManager, hook }: HookGuardReadings,
): ProvableAccount[] {
  const { slots } = identifyPool(input);
  const manager = describeAccount({ address: input.poolManager, code: poolManager.code, slots: {} });
  const words = (["slot0", "liquidity"] as const).flatMap((name) => {
    const reading = poolManager[name];
    return reading.status === "value" ? [{ slot: slots[name], value: reading.value }] : [];
  });
  return [
    { ...manager, slots: words },
    ...(hook === null ? [] : listContractGuardFacts({ address: input.hooks }, hook.contract)),
  ];
}
