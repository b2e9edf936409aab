import type { Hex } from "@assay/protocol";
import { parseAbiParameters } from "viem";
import { AERODROME_PERMIT2, PERMIT2 } from "../chain-facts/knownContracts.js";
import { listMovements, type Movement, type NetChange, netMovements } from "../effects/movements.js";
import { topicOf } from "../events/topicOf.js";
import { decodeEvent, holderIn } from "../events/transferEvents.js";
import type { MeasurementPlan } from "./planMeasurements.js";
import type { TransactionIntentReadings } from "./transactionReadings.js";

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
  readonly movements: readonly Movement[];
  /** Of every account. */
  readonly net: readonly NetChange[];
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
  const { moves, logs } = trace.value;
  const movements = listMovements(moves, logs);
  const permissions = new Map<string, TracedPermission>();
  for (const log of logs) {
    const permission = findPermission(log);
    if (!permission || !holders.includes(permission.owner)) continue;
    const { kind, keeper, token, owner, spender } = permission;
    permissions.set(`${kind} ${keeper} ${token} ${owner} ${spender}`, permission);
  }
  return { movements, net: netMovements(movements), permissions: [...permissions.values()] };
}

const isPermit2 = (address: string) => address === PERMIT2 || address === AERODROME_PERMIT2;

function findPermission({ address, topics, data }: Log): TracedPermission | undefined {
  const [topic, first, second, third] = topics;
  const owner = holderIn(first);
  if (!owner) return undefined;
  if (isPermit2(address) && (topic === TOPICS.permit2Approval || topic === TOPICS.permit2Permit)) {
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
