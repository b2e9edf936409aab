import type { Hex } from "viem";
import { createDevnet, type Devnet } from "../createDevnet.js";

/** A devnet lent to the tests of one file. */
export interface LentDevnet {
  readonly devnet: Devnet;
  /** Gives it back; what was changed is undone before the next file gets it. */
  release(): Promise<void>;
}

type Call = readonly [method: string, params: unknown[]];

interface SharedDevnet {
  readonly devnet: Devnet;
  /** The state after set-up. Reverting to a snapshot uses it up, so each file takes the next one. */
  snapshot: Hex;
  isLent: boolean;
  /** Calls that bring back settings of the node which are not part of a snapshot. */
  undo: Map<string, Call>;
  /** Something happened that neither a revert nor a call in `undo` brings back. */
  isBeyondUndo: boolean;
}

/** Methods of a test node whose effect is part of a snapshot, or that have none. */
const UNDONE_BY_REVERT = new Set([
  "evm_increaseTime",
  "evm_mine",
  "evm_revert",
  "evm_setNextBlockTimestamp",
  "evm_snapshot",
  "hardhat_getAutomine",
  "hardhat_mine",
  "hardhat_setBalance",
  "hardhat_setCode",
  "hardhat_setNonce",
  "hardhat_setStorageAt",
  "hardhat_stopImpersonatingAccount",
]);

/** So many blocks before the head a chain is measured from, and one more. */
const MEASURED_BLOCKS = 33;

/** The devnets of this worker. There are two only where a file uses two at once. */
const shared = new Set<SharedDevnet>();

/**
 * Lends a devnet of this worker, without idle blocks, in the state that set-up left it in and with a block mined just now.
 * vitest runs the files of a worker one after another and keeps modules between them, so set-up is paid for once.
 * A caller that asks while it is lent, or after a change that cannot be undone, gets a new one.
 */
export async function borrowDevnet(): Promise<LentDevnet> {
  const lent = await takeFree();
  const { devnet } = lent;
  // A chain whose newest block is from an earlier file may count as stale. One whose last blocks are minutes apart would be
  // measured as slow, and answers that hold for seconds would hold for no block at all.
  await devnet.mine(MEASURED_BLOCKS);
  const close = async () => {
    lent.isBeyondUndo = true;
    await devnet.close();
  };
  return {
    devnet: { ...devnet, close },
    async release() {
      lent.isLent = false;
    },
  };
}

/** Lends a devnet with idle blocks, as `createDevnet` makes one. Closing it gives it back. */
export async function openSharedDevnet({ blockTimeMs }: { blockTimeMs: number }): Promise<Devnet> {
  const { devnet, release } = await borrowDevnet();
  await devnet.request("evm_setIntervalMining", [blockTimeMs]);
  let closing: Promise<void> | undefined;
  const giveBack = async () => {
    // Nobody waits for blocks of a chain that nobody has.
    await devnet.request("evm_setIntervalMining", [0]);
    await release();
  };
  return {
    ...devnet,
    close() {
      closing ??= giveBack();
      return closing;
    },
  };
}

/** Marked as lent before anything is awaited: two callers of one moment get two devnets. */
async function takeFree(): Promise<SharedDevnet> {
  for (const free of shared) {
    if (free.isLent) continue;
    free.isLent = true;
    if (await restore(free)) return free;
    shared.delete(free);
  }
  const booted = await boot();
  shared.add(booted);
  return booted;
}

async function boot(): Promise<SharedDevnet> {
  const devnet = await createDevnet({ blockTimeMs: 0, onRequest: (...call) => note(booted, call) });
  const booted: SharedDevnet = {
    devnet,
    snapshot: "0x",
    isLent: true,
    undo: new Map(),
    isBeyondUndo: false,
  };
  booted.snapshot = await devnet.snapshot();
  return booted;
}

/** False where it cannot be brought back. */
async function restore(used: SharedDevnet): Promise<boolean> {
  const { devnet } = used;
  if (used.isBeyondUndo) {
    await devnet.close();
    return false;
  }
  await devnet.revert(used.snapshot);
  used.snapshot = await devnet.snapshot();
  const undo = [...used.undo.values()];
  for (const [method, params] of undo) await devnet.request(method, params);
  used.undo.clear();
  return true;
}

function note(used: SharedDevnet, [method, params]: readonly [method: string, params: unknown]): void {
  if (!/^(evm|hardhat)_/.test(method) || UNDONE_BY_REVERT.has(method)) return;
  const [first] = Array.isArray(params) ? params : [];
  if (method === "hardhat_impersonateAccount")
    used.undo.set(`${method} ${first}`, ["hardhat_stopImpersonatingAccount", [first]]);
  else if (method === "evm_setAutomine") used.undo.set(method, [method, [true]]);
  else if (method === "evm_setIntervalMining") used.undo.set(method, [method, [0]]);
  else used.isBeyondUndo = true;
}
