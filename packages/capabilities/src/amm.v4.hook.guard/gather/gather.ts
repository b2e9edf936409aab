import { type Hex, mapReading, noAnswer, type Reading } from "@assay/protocol";
import type { GatherContext, Gathered, Gatherer } from "../../gathering.js";
import { gatherSubject } from "../../shared/control/gather/gatherSubject.js";
import { fingerprintReading } from "../../shared/reads/gather/fingerprintReading.js";
import { readAccounts } from "../../shared/reads/gather/readAccounts.js";
import { nameFreshAccount } from "../../shared/simulation/gather/nameFreshAccount.js";
import { gasPriceAt, priceRead } from "../../shared/simulation/gather/simulatedFees.js";
import { touchesLiquidity } from "../hookPermissions.js";
import type { HookGuardInput } from "../input.js";
import { listVaryingOpcodes } from "../listVaryingOpcodes.js";
import { checkPoolKey, identifyPool, isNoHook, V4_UNIVERSAL_ROUTER } from "../poolKey.js";
import type { HookGuardReadings, HookTrips } from "../readings.js";
import { type Caller, parseStay, parseTrips, readStay, readTrips } from "./hookProbe.js";

type PoolInput = HookGuardInput;

/** Wei, beside the fee: an account that swaps holds something. */
const ORIGIN_HOLDS = { heldWei: 10n ** 18n };

/**
 * Everything amm.v4.hook.guard judges. The manager, the pool's state, the hook and all simulated swaps are one batch; who
 * controls the hook and which implementation it runs are a second one, where the hook has either.
 */
async function gatherHookGuard(
  context: GatherContext,
  input: PoolInput,
): Promise<Gathered<HookGuardReadings>> {
  const [pool, guarded] = await Promise.all([
    readPool(context, input),
    isNoHook(input) ? null : gatherSubject(context, input.hooks),
  ]);
  const { hookCode, ...readings } = pool;
  const hook = guarded && {
    contract: guarded.readings,
    opcodes: mapReading(hookCode ?? noAnswer, listVaryingOpcodes),
  };
  return { readings: { ...readings, hook } };
}

async function readPool(
  context: GatherContext,
  input: PoolInput,
): Promise<Omit<HookGuardReadings, "hook"> & { hookCode: Reading<Hex> | undefined }> {
  const { slots } = identifyPool(input);
  const callers = nameCallers(context.block.hash, input);
  const planned = listTrips(callers);
  const stays = touchesLiquidity(input.hooks) ? [readStay(callers.stranger, input)] : [];
  const gasPrice = gasPriceAt(context.block);
  const reads = [...planned.map(({ caller, ...way }) => readTrips(caller, input, way)), ...stays];
  const { accounts, others } = await readAccounts(
    context,
    [
      { address: input.poolManager, slots: [slots.slot0, slots.liquidity] },
      ...(isNoHook(input) ? [] : [{ address: input.hooks, slots: [] }]),
    ],
    reads.map((read) => priceRead(read, gasPrice, ORIGIN_HOLDS)),
  );
  const answers: readonly Reading<Hex>[] = others;
  const [manager, hook] = accounts;
  const [slot0 = noAnswer, liquidity = noAnswer] = manager?.slots ?? [];
  const trips = planned.map(({ role, caller, isSettled, zeroForOne }, index): HookTrips => {
    const runs = parseTrips(answers[index] ?? noAnswer);
    return { role, sender: caller.sender, isSettled, zeroForOne, runs };
  });
  return {
    poolManager: { code: fingerprintReading(manager?.code), slot0, liquidity },
    trips,
    stay: stays.length === 0 ? null : parseStay(answers[planned.length] ?? noAnswer),
    hookCode: hook?.code,
  };
}

interface Callers {
  readonly router: Caller;
  readonly stranger: Caller;
  /** The hook itself, for whose own swaps a manager does not call it; without one, another stranger. */
  readonly hook: Caller;
}

/** Fresh addresses that follow from the block, so that nobody can have prepared for them. */
function nameCallers(blockHash: Hex, input: PoolInput): Callers {
  const { poolId } = identifyPool(input);
  const name = (part: string) => nameFreshAccount(blockHash, poolId, part);
  const by = (sender: Hex): Caller => ({ origin: name("origin"), sender, salt: blockHash });
  return {
    router: by(V4_UNIVERSAL_ROUTER),
    stranger: by(name("stranger")),
    hook: by(isNoHook(input) ? name("nobody's hook") : input.hooks),
  };
}

interface PlannedTrips {
  readonly role: HookTrips["role"];
  readonly caller: Caller;
  readonly isSettled: boolean;
  readonly zeroForOne: boolean;
}

function listTrips({ router, stranger, hook }: Callers): PlannedTrips[] {
  const kinds = [
    { role: "router", caller: router, isSettled: true },
    { role: "stranger", caller: stranger, isSettled: true },
    { role: "stranger", caller: stranger, isSettled: false },
    { role: "hook", caller: hook, isSettled: false },
  ] as const;
  return kinds.flatMap((kind) => [true, false].map((zeroForOne) => ({ ...kind, zeroForOne })));
}

export const gatherer: Gatherer<HookGuardInput, HookGuardReadings> = {
  gather: gatherHookGuard,
  checkInput: checkPoolKey,
};
