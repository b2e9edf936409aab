import type { ProgramOpcode } from "../code/describeProgram.js";
import type { DeepPool } from "../pools/rankPools.js";
import type { Note } from "../verdict/note.js";
import { CHANGING } from "./judgeProgram.js";
import type { LaunchReadings } from "./launchReadings.js";

export type HookCode = "POOL_HOOKED";

/** A hook pays the manager and takes from it, and compilers ask before a call whether there is code. */
const CALLING: readonly ProgramOpcode[] = ["CALL", "STATICCALL", "EXTCODESIZE"];

/** A pool of this part of the deepest one's depth is a market of its own. */
const TENTHS = 10n;

/** Whether the deepest pool, or another large one, calls a contract in each trade that could act otherwise another time. */
export function judgeHooks({ hooks, quotes }: LaunchReadings, ranked: readonly DeepPool[]): Note<HookCode>[] {
  const [main, ...others] = ranked;
  if (main === undefined) return [];
  // Anybody can open a pool; one of some depth is where buyers may be led to.
  const large = others.filter(({ depthWei }) => depthWei * TENTHS >= main.depthWei);
  return [main, ...large]
    .filter((pool) => pool.hooks !== undefined)
    .filter((pool) => {
      const hook = hooks?.find(({ address }) => address === pool.hooks);
      if (hook?.knownAs != null) return false;
      const parties: readonly string[] = [pool.pool, pool.quote, quotes.weth];
      // Without storage, and with no contract to ask but the parties of the trade, it answers the same for ever.
      const isFixed =
        hook?.code.status === "value" &&
        // Parties can be asked for what changes, and tell one account from another.
        hook.isSteady !== false &&
        hook.code.value.form === "contract" &&
        !hook.looksAtCode &&
        !hook.opcodes.some((opcode) => CHANGING.includes(opcode) && !CALLING.includes(opcode)) &&
        hook.names.every((one) => parties.includes(one));
      return !isFixed;
    })
    .map(({ hooks: hook, depthWei }) => ({
      code: "POOL_HOOKED",
      limitation:
        depthWei === main.depthWei
          ? `What trades do later depends on the hook ${hook} of the deepest pool.`
          : `A pool beside the one judged, with a tenth of its depth or more, calls the hook ${hook}.`,
    }));
}
