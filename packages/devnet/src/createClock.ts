import { type Hex, hexToNumber } from "viem";
import type { Evm } from "./createEvm.js";
import { isResult, readResult } from "./readResult.js";

type Method = (params: unknown[]) => Promise<string>;

/** Keeps the chain's time at the wall clock's, plus the time that a test has added. */
export interface Clock {
  /** To be awaited before a block is mined. */
  prepare(): Promise<void>;
  /** To be called when a block has been mined; `chosen` when a caller gave its time. */
  advance(chosen: boolean): Promise<void>;
  /** The node's methods that move the clock. */
  methods: Record<string, Method>;
}

/** After `evm_revert` EDR's clock runs ahead by the time since the snapshot; the first block after one is corrected. */
export function createClock(evm: Evm): Clock {
  let addedSeconds = 0;
  let addedAtSnapshot = new Map<number, number>();
  let isOff = false;

  async function align(): Promise<void> {
    const target = Math.max(readWallSeconds() + addedSeconds, await readLatestTimestamp(evm));
    readResult("evm_setNextBlockTimestamp", await evm("evm_setNextBlockTimestamp", [target]));
  }

  const methods: Record<string, Method> = {
    async evm_increaseTime(params) {
      const text = await evm("evm_increaseTime", params);
      if (isResult(text)) addedSeconds += Number(params[0]);
      return text;
    },
    async evm_setNextBlockTimestamp(params) {
      const text = await evm("evm_setNextBlockTimestamp", params);
      if (!isResult(text)) return text;
      addedSeconds = Number(params[0]) - readWallSeconds();
      isOff = false;
      return text;
    },
    async evm_snapshot(params) {
      const text = await evm("evm_snapshot", params);
      if (isResult(text)) addedAtSnapshot.set(Number(readResult<Hex>("evm_snapshot", text)), addedSeconds);
      return text;
    },
    async evm_revert(params) {
      const text = await evm("evm_revert", params);
      if (!isResult(text) || readResult("evm_revert", text) !== true) return text;
      const id = Number(params[0]);
      addedSeconds = addedAtSnapshot.get(id) ?? 0;
      addedAtSnapshot = new Map([...addedAtSnapshot].filter(([other]) => other < id));
      isOff = true;
      // Calls on the pending block read the clock before anything is mined.
      await align();
      return text;
    },
  };

  return {
    methods,
    async prepare() {
      if (isOff) await align();
    },
    async advance(chosen) {
      isOff = false;
      if (!chosen) return;
      // A block whose time is in the past adds no time.
      const ahead = (await readLatestTimestamp(evm)) - readWallSeconds();
      addedSeconds = Math.max(addedSeconds, ahead);
    },
  };
}

function readWallSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

async function readLatestTimestamp(evm: Evm): Promise<number> {
  const text = await evm("eth_getBlockByNumber", ["latest", false]);
  return hexToNumber(readResult<{ timestamp: Hex }>("eth_getBlockByNumber", text).timestamp);
}
