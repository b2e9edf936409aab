import { type Hex, noAnswer } from "@assay/protocol";
import { encodeFunctionData, erc20Abi } from "viem";
import { PERMIT2 } from "../../chain-facts/knownContracts.js";
import { BURN_ADDRESSES } from "../../control/judgeOwnership.js";
import type { Batch } from "../../reads/gather/createBatch.js";
import { cutAnswer, WORD_ANSWER_BYTES } from "../../reads/gather/cutAnswer.js";
import { fingerprintReading } from "../../reads/gather/fingerprintReading.js";
import type { LaunchReadings } from "../launchReadings.js";
import type { EventHints } from "./readEvents.js";

/** Nobody acts for a pool's balance or a burnt one, so nobody can have meant to let another spend it. */
export const isOthers = (holder: Hex, pools: readonly Hex[]): boolean =>
  BURN_ADDRESSES.includes(holder) || pools.includes(holder);

const MOST = 8;

/** Who may spend what pools have and what counts as burnt, where an event says that somebody may. */
export function planGrants(
  batch: Batch,
  token: Hex,
  pools: readonly Hex[],
  { approvals }: Pick<EventHints, "approvals">,
): { parse(): NonNullable<LaunchReadings["grants"]> } {
  const found = approvals
    .filter(({ holder, spender }) => isOthers(holder, pools) && spender !== PERMIT2)
    .slice(0, MOST)
    .map(({ holder, spender }) => {
      const data = encodeFunctionData({
        abi: erc20Abi,
        functionName: "allowance",
        args: [holder, spender],
      });
      return {
        holder,
        spender,
        allowed: batch.ask({ kind: "call", to: token, data }),
        code: batch.ask({ kind: "code", address: spender }),
      };
    });
  return {
    parse: () =>
      found.map(({ holder, spender, allowed, code }) => ({
        holder,
        spender,
        allowed: cutAnswer(allowed() ?? noAnswer, WORD_ANSWER_BYTES),
        code: fingerprintReading(code()),
      })),
  };
}
