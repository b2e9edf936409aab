import { createClock } from "./createClock.js";
import type { Evm } from "./createEvm.js";
import { isResult, readResult } from "./readResult.js";

type Method = (params: unknown[]) => Promise<string>;

/** Decides when blocks are mined. */
export interface Miner {
  /** Whether each transaction is mined as it arrives. */
  readonly automine: boolean;
  /** Mines the transactions waiting now; calls that arrive before mining begins share one block. */
  mineWaiting(): Promise<void>;
  /** The node's own method of that name, if it is about mining, the clock or snapshots. */
  find(method: string): Method | undefined;
  close(): Promise<void>;
}

/**
 * EDR's automine is not used because it refuses nonces that arrive out of order, which a public node queues.
 * Every call that mines or moves the clock goes through one queue, so that no block is mined between a revert and
 * the correction of the clock.
 */
export function createMiner(evm: Evm, blockTimeMs: number): Miner {
  const clock = createClock(evm);
  let automine = true;
  let intervalMs = blockTimeMs;
  let idleTimer: NodeJS.Timeout | undefined;
  let closed = false;
  let queue: Promise<unknown> = Promise.resolve();
  let waiting: Promise<void> | undefined;

  function enqueue<Result>(step: () => Promise<Result>): Promise<Result> {
    const result = queue.then(step);
    queue = result.catch(() => {});
    return result;
  }

  async function mineWith(method: string, params: unknown[], choosesTime: boolean): Promise<string> {
    await clock.prepare();
    const text = await evm(method, params);
    if (isResult(text)) await clock.advance(choosesTime);
    scheduleIdleBlock();
    return text;
  }

  function mineWaiting(): Promise<void> {
    waiting ??= enqueue(async () => {
      waiting = undefined;
      readResult("evm_mine", await mineWith("evm_mine", [], false));
    });
    return waiting;
  }

  function scheduleIdleBlock(): void {
    clearTimeout(idleTimer);
    if (closed || intervalMs === 0) return;
    idleTimer = setTimeout(() => mineWaiting().catch(scheduleIdleBlock), intervalMs);
  }

  const methods: Record<string, Method> = {
    ...clock.methods,
    evm_mine: (params) => mineWith("evm_mine", params, params.length > 0),
    hardhat_mine: (params) => mineWith("hardhat_mine", params, true),
    hardhat_getAutomine: async () => JSON.stringify({ result: automine }),
    async evm_setAutomine([enabled]) {
      automine = enabled === true;
      return '{"result":true}';
    },
    async evm_setIntervalMining([milliseconds]) {
      intervalMs = Number(milliseconds);
      scheduleIdleBlock();
      return '{"result":true}';
    },
  };

  scheduleIdleBlock();
  return {
    get automine() {
      return automine;
    },
    mineWaiting,
    find(method) {
      const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
      return run && ((params) => enqueue(() => run(params)));
    },
    async close() {
      closed = true;
      clearTimeout(idleTimer);
      await queue;
    },
  };
}
