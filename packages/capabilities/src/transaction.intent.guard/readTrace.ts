import type { Hex } from "@assay/protocol";
import { parseAbiParameters } from "viem";
import { PERMIT2 } from "../shared/chain-facts/knownContracts.js";
import { topicOf } from "../shared/events/topicOf.js";
import { decodeEvent, holderIn, listTransfers } from "../shared/events/transferEvents.js";
import type { MeasurementPlan } from "./planMeasurements.js";
import type { TransactionIntentReadings } from "./readings.js";

/** What left a holder, less what it received, in the node's trace of the plain transaction. */
export interface TracedFlow {
  readonly holder: Hex;
  /** Null for the native currency. */
  readonly token: Hex | null;
  /** Of an ERC-1155 item. */
  readonly id: string | null;
  /** Negative where more came in. */
  readonly outflow: bigint;
}

/** A permission as the last event about it states it. */
export interface TracedPermission {
  readonly kind: "allowance" | "item" | "operator";
  /** The contract that keeps it: the token itself or Permit2. */
  readonly keeper: Hex;
  readonly token: Hex;
  readonly owner: Hex;
  readonly spender: Hex;
  /** For an item its number, for an operator 1 or 0. */
  readonly amount: bigint;
}

export interface TracedEffects {
  readonly flows: readonly TracedFlow[];
  readonly permissions: readonly TracedPermission[];
}

type Log = Extract<TransactionIntentReadings["trace"], { status: "value" }>["value"]["logs"][number];

const TOPICS = {
  approval: topicOf("Approval(address,address,uint256)"),
  approvalForAll: topicOf("ApprovalForAll(address,address,bool)"),
  permit2Approval: topicOf("Approval(address,address,address,uint160,uint48)"),
  permit2Permit: topicOf("Permit(address,address,address,uint160,uint48,uint48)"),
} as const;

const word = parseAbiParameters("uint256");

/** Null where no trace was given, or the transaction fails in it. */
export function readTrace(
  { holders }: MeasurementPlan,
  { trace }: TransactionIntentReadings,
): TracedEffects | null {
  if (trace.status !== "value" || !trace.value.success) return null;
  const flows = new Map<string, TracedFlow>();
  const permissions = new Map<string, TracedPermission>();
  const move = (holder: Hex, token: Hex | null, id: string | null, amount: bigint) => {
    if (!holders.includes(holder)) return;
    const key = `${holder} ${token} ${id}`;
    flows.set(key, { holder, token, id, outflow: (flows.get(key)?.outflow ?? 0n) + amount });
  };
  for (const { from, to, value } of trace.value.moves) {
    move(from, null, null, BigInt(value));
    move(to, null, null, -BigInt(value));
  }
  for (const log of trace.value.logs) {
    for (const { kind, from, to, id, amount } of listTransfers(log)) {
      // The measurement of a collection counts items and does not identify them.
      const counted = kind === "erc721" ? null : id;
      if (from) move(from, log.address, counted, amount);
      if (to) move(to, log.address, counted, -amount);
    }
    const permission = findPermission(log);
    if (!permission || !holders.includes(permission.owner)) continue;
    const { kind, keeper, token, owner, spender } = permission;
    permissions.set(`${kind} ${keeper} ${token} ${owner} ${spender}`, permission);
  }
  return { flows: [...flows.values()], permissions: [...permissions.values()] };
}

function findPermission({ address, topics, data }: Log): TracedPermission | undefined {
  const [topic, first, second, third] = topics;
  const owner = holderIn(first);
  if (!owner) return undefined;
  if (address === PERMIT2 && (topic === TOPICS.permit2Approval || topic === TOPICS.permit2Permit)) {
    const amount = decodeEvent(word, data.slice(0, 66) as Hex)?.[0];
    const [token, spender] = [holderIn(second), holderIn(third)];
    if (amount === undefined || !token || !spender) return undefined;
    return { kind: "allowance", keeper: address, token, owner, spender, amount };
  }
  const spender = holderIn(second);
  if (!spender || (topic !== TOPICS.approval && topic !== TOPICS.approvalForAll)) return undefined;
  const place = { keeper: address, token: address, owner, spender };
  if (topic === TOPICS.approval && third) return { kind: "item", ...place, amount: BigInt(third) };
  const amount = decodeEvent(word, data)?.[0];
  if (amount === undefined) return undefined;
  return { kind: topic === TOPICS.approval ? "allowance" : "operator", ...place, amount };
}
