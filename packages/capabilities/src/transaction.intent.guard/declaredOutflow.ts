import type { Hex } from "@assay/protocol";
import { WETH } from "../shared/chain-facts/knownContracts.js";
import type { IntentCase } from "./intentCase.js";

interface Balance {
  readonly holder: Hex;
  /** Null for the native currency. */
  readonly token: Hex | null;
  readonly id: string | null;
}

/** The most that may leave this balance according to the calldata. */
export function declaredOutflow(one: IntentCase, balance: Balance): bigint {
  const acts = one.listed.acts.reduce((sum, act) => sum + declaredBy(one, act, balance), 0n);
  return balance.token === null ? acts + declaredValue(one, balance.holder) : acts;
}

type Act = IntentCase["listed"]["acts"][number];

function declaredBy({ effects }: IntentCase, act: Act, { holder, token, id }: Balance): bigint {
  if (act.kind === "transfer" && act.token !== null && act.from === holder && act.token === token) {
    const isItem = effects?.erc721Tokens.has(act.token) === true;
    if (act.form === "erc1155") return act.id === id ? BigInt(act.amount) : 0n;
    return isItem ? 1n : BigInt(act.amount);
  }
  if (act.kind === "swap" && act.payer === holder && act.tokenIn !== null && act.tokenIn === token)
    return BigInt(act.amountIn ?? "0");
  if (act.kind === "wrap" && act.direction === "unwrap" && act.owner === holder && token === WETH)
    return BigInt(act.amount);
  return 0n;
}

/**
 * A call of unknown meaning may keep all the value that is sent with it, so that value is declared. A call of known
 * meaning takes only what it states: a router that keeps what a swap does not need is not declared.
 */
function declaredValue({ input, calls, intent, listed }: IntentCase, holder: Hex): bigint {
  if (holder !== input.from)
    return calls.reduce((sum, { caller, value }) => (caller === holder ? sum + BigInt(value) : sum), 0n);
  if (intent === "contract_call") return BigInt(input.value);
  return listed.acts.reduce((sum, act) => sum + nativeBy(act, holder), 0n);
}

function nativeBy(act: Act, holder: Hex): bigint {
  if (act.kind === "transfer" && act.token === null && act.from === holder) return BigInt(act.amount);
  if (act.kind === "swap" && act.tokenIn === null && act.payer === holder) return BigInt(act.amountIn ?? "0");
  const isWrapped = act.kind === "wrap" && act.direction === "wrap" && act.owner === holder;
  return isWrapped ? BigInt(act.amount) : 0n;
}
