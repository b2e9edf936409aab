import type { ProvableAccount } from "../shared/proofs/provableFact.js";
import { describeAccount } from "../shared/proxies/describeAccount.js";
import { listSubjectFacts } from "../shared/proxies/listSubjectFacts.js";
import type { HookGuardInput } from "./input.js";
import { identifyPool } from "./poolKey.js";
import type { HookGuardReadings } from "./readings.js";

/** The manager's code and the pool's words in its storage; the hook as contract.guard proves it. No proof covers simulations. */
export function listHookGuardFacts(
  input: HookGuardInput,
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
    ...(hook === null ? [] : listSubjectFacts(input.hooks, hook.contract)),
  ];
}
