import { CHAIN_ID, keccak256 } from "@assay/protocol";
import type { Act } from "./act.js";
import type { DecodedCall } from "./decodeCalls.js";
import type { IntentCase } from "./intentCase.js";

/** Bounds the description; the evidence holds the calldata itself. */
const MAX_DESCRIBED = 40;

/** The transaction that a verdict is bound to. */
export function describeBinding({ input }: IntentCase) {
  const { from, to, value, data } = input;
  return { chainId: CHAIN_ID, from, to, value, calldataHash: keccak256(data) };
}

export function describeCalldata({ input, decoded, calls, listed }: IntentCase) {
  return {
    bytes: (input.data.length - 2) / 2,
    undecodedBytes: decoded.undecodedBytes,
    isBounded: decoded.isBounded || listed.isBounded,
    calls: calls.slice(0, MAX_DESCRIBED).map(describeCall),
  };
}

function describeCall({
  to,
  value,
  caller,
  isDelegatecall,
  selector,
  signature,
  undecodedBytes,
}: DecodedCall) {
  return { to, value, caller, isDelegatecall, selector, signature, undecodedBytes };
}

export function describeActs({ listed }: IntentCase): readonly Act[] {
  return listed.acts.slice(0, MAX_DESCRIBED);
}

/** The flows to expect from the calldata alone. For a swap these are its limits. */
export function describeInferred({ input, listed }: IntentCase) {
  const { from, value } = input;
  const acts = listed.acts.slice(0, MAX_DESCRIBED);
  const native =
    value === "0" ? [] : [{ holder: from, token: null, id: null, change: `-${value}`, bound: "exact" }];
  const moved = acts.flatMap((act) => {
    if (act.kind === "transfer" && !(act.token === null && act.from === from)) {
      const { token, id, amount } = act;
      return [
        { holder: act.from, token, id, change: `-${amount}`, bound: "exact" },
        { holder: act.to, token, id, change: amount, bound: "exact" },
      ];
    }
    if (act.kind === "transfer")
      return [{ holder: act.to, token: null, id: null, change: act.amount, bound: "exact" }];
    if (act.kind !== "swap") return [];
    const isExactIn = act.exact === "in";
    const paid = { holder: act.payer, token: act.tokenIn, id: null, change: `-${act.amountIn}` };
    const got = { holder: act.recipient, token: act.tokenOut, id: null, change: act.amountOut };
    return [
      // Value sent with the call is already described.
      ...(act.tokenIn === null ? [] : [{ ...paid, bound: isExactIn ? "exact" : "at_most" }]),
      { ...got, bound: isExactIn ? "at_least" : "exact" },
    ];
  });
  const allowances = acts.flatMap((act) =>
    act.kind === "approval"
      ? [{ owner: act.owner, token: act.token, spender: act.spender, form: act.form, amount: act.amount }]
      : [],
  );
  return { source: "calldata", balances: [...native, ...moved], allowances };
}

/** What the node's trace of the plain transaction shows about the sender's accounts, in calls and events. */
export function describeTraced({ traced, measurements }: IntentCase) {
  if (traced === null) return null;
  return {
    source: "debug_traceCall",
    label: "traced",
    balances: traced.net
      .filter(({ holder }) => measurements.holders.includes(holder))
      .slice(0, MAX_DESCRIBED)
      .map(({ holder, asset, change }) => ({
        holder,
        token: asset.token,
        id: asset.id,
        change: change.toString(),
      })),
    allowances: traced.permissions
      .slice(0, MAX_DESCRIBED)
      .map(({ amount, ...permission }) => ({ ...permission, amount: amount.toString() })),
  };
}

/** Measured differences between the state before and after the transaction, without what did not change. */
export function describeMeasured({ effects }: IntentCase) {
  if (effects === null) return null;
  return {
    source: "simulation_runner",
    balances: effects.balances
      .filter(({ before, after }) => before !== after)
      .map(({ holder, token, id, before, after }) => ({
        holder,
        token,
        id,
        before: before.toString(),
        after: after.toString(),
        change: (after - before).toString(),
      })),
    allowances: effects.permissions.map(({ approval, before, after }) => ({
      owner: approval.owner,
      token: approval.token,
      spender: approval.spender,
      form: approval.form,
      before: before.toString(),
      after: after.toString(),
    })),
  };
}
