import type { Hex } from "@assay/protocol";
import { MULTICALL3, sweepable, WETH } from "../chain-facts/knownContracts.js";
import { keyOfAsset } from "../effects/movements.js";
import type { PolicyCode } from "../effects/policy.js";
import type { Note } from "../verdict/note.js";
import type { DecodedCall } from "./decodeCalls.js";
import { groupFlows } from "./groupFlows.js";
import type { IntentCase } from "./intentCase.js";

/** Judges what the transaction leaves in contracts from which anybody may take it. */
export function judgeLeftBehind(one: IntentCase): Note<PolicyCode>[] {
  const isLeft = one.traced === null ? one.calls.some((call) => isLeftByCall(one, call)) : isLeftByTrace(one);
  return isLeft ? [{ code: "LEFT_FOR_ANYBODY" }] : [];
}

/** Routers leave dust: what counts is more than a twentieth of what the sender gives or gets of the asset. */
function isLeftByTrace(one: IntentCase): boolean {
  const flows = groupFlows(one, new Set([...one.own, ...one.claimed]));
  const own = [...(flows?.leaves ?? []), ...(flows?.returns ?? [])];
  return (one.traced?.net ?? []).some(({ holder, asset, change }) => {
    if (change <= 0n || !sweepable.has(holder)) return false;
    const moved = own.find((flow) => keyOfAsset(flow.asset) === keyOfAsset(asset))?.amount ?? 0n;
    return change * 20n > change + moved;
  });
}

/** The same from the calldata alone: who is credited, and whether a later call takes it out again. */
function isLeftByCall(one: IntentCase, call: DecodedCall): boolean {
  const holder = findHolder(call);
  if (holder === null) return false;
  return !one.calls.slice(one.calls.indexOf(call) + 1).some((later) => takesOut(later, holder));
}

function findHolder({ caller, to, signature, meaning }: DecodedCall): Hex | null {
  if (caller === MULTICALL3 && to === WETH && meaning?.effect === "wrap") return MULTICALL3;
  const recipient = meaning?.roles.recipient;
  if (recipient === MULTICALL3) return MULTICALL3;
  // Position managers take the zero address for themselves.
  const isOwn = typeof recipient === "string" && /^0x0{40}$/.test(recipient);
  return signature?.startsWith("collect(") && isOwn && sweepable.has(to) ? to : null;
}

const takesOut = ({ caller, to, signature }: DecodedCall, holder: Hex): boolean =>
  caller === holder || (to === holder && /^(sweepToken|unwrapWETH9|refundETH)\(/.test(signature ?? ""));
