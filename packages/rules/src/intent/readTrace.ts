import type { Hex } from "@assay/protocol";
import { type AbiParameter, decodeAbiParameters, parseAbiParameters, toEventSelector } from "viem";
import type { TransactionIntentReadings } from "../transactionIntentReadings.js";
import { PERMIT2, WETH } from "./knownContracts.js";
import type { MeasurementPlan } from "./planMeasurements.js";

/** What left a holder, less what came to it, by the node's trace of the plain transaction. */
export interface TracedFlow {
  readonly holder: Hex;
  /** Null for the native currency. */
  readonly token: Hex | null;
  /** Of an ERC-1155 item. */
  readonly id: string | null;
  /** Negative where more came in. */
  readonly outflow: bigint;
}

/** A permission as the last event about it tells. */
export interface TracedPermission {
  readonly kind: "allowance" | "item" | "operator";
  /** The contract that keeps it: the token itself or Permit2. */
  readonly keeper: Hex;
  readonly token: Hex;
  readonly owner: Hex;
  readonly spender: Hex;
  /** Of an item its number, of an operator 1 or 0. */
  readonly amount: bigint;
}

export interface TracedEffects {
  readonly flows: readonly TracedFlow[];
  readonly permissions: readonly TracedPermission[];
}

type Log = Extract<TransactionIntentReadings["trace"], { status: "value" }>["value"]["logs"][number];

const topicOf = (event: string) => toEventSelector(`event ${event}`);
const TOPICS = {
  transfer: topicOf("Transfer(address,address,uint256)"),
  transferSingle: topicOf("TransferSingle(address,address,address,uint256,uint256)"),
  transferBatch: topicOf("TransferBatch(address,address,address,uint256[],uint256[])"),
  deposit: topicOf("Deposit(address,uint256)"),
  withdrawal: topicOf("Withdrawal(address,uint256)"),
  approval: topicOf("Approval(address,address,uint256)"),
  approvalForAll: topicOf("ApprovalForAll(address,address,bool)"),
  permit2Approval: topicOf("Approval(address,address,address,uint160,uint48)"),
  permit2Permit: topicOf("Permit(address,address,address,uint160,uint48,uint48)"),
} as const;

const word = parseAbiParameters("uint256");
const item = parseAbiParameters("uint256, uint256");
const items = parseAbiParameters("uint256[], uint256[]");

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
    for (const { from, to, id, amount } of listTransfers(log)) {
      if (from) move(from, log.address, id, amount);
      if (to) move(to, log.address, id, -amount);
    }
    const permission = findPermission(log);
    if (!permission || !holders.includes(permission.owner)) continue;
    const { kind, keeper, token, owner, spender } = permission;
    permissions.set(`${kind} ${keeper} ${token} ${owner} ${spender}`, permission);
  }
  return { flows: [...flows.values()], permissions: [...permissions.values()] };
}

interface Transfer {
  readonly from?: Hex | undefined;
  readonly to?: Hex | undefined;
  readonly id: string | null;
  readonly amount: bigint;
}

function listTransfers({ address, topics, data }: Log): Transfer[] {
  const [topic, first, second, third] = topics;
  switch (topic) {
    case TOPICS.transfer: {
      // An ERC-721 token has the item as a topic too.
      const amount = topics.length === 4 ? 1n : decode(word, data)?.[0];
      return amount === undefined ? [] : [{ from: holderIn(first), to: holderIn(second), id: null, amount }];
    }
    case TOPICS.transferSingle: {
      const [id, amount] = decode(item, data) ?? [];
      if (id === undefined || amount === undefined) return [];
      return [{ from: holderIn(second), to: holderIn(third), id: id.toString(), amount }];
    }
    case TOPICS.transferBatch: {
      const [ids = [], amounts = []] = decode(items, data) ?? [];
      return ids.map((id, index) => ({
        from: holderIn(second),
        to: holderIn(third),
        id: id.toString(),
        amount: amounts[index] ?? 0n,
      }));
    }
    case TOPICS.deposit:
    case TOPICS.withdrawal: {
      const amount = address === WETH ? decode(word, data)?.[0] : undefined;
      if (amount === undefined) return [];
      const holder = holderIn(first);
      return [
        topic === TOPICS.deposit ? { to: holder, id: null, amount } : { from: holder, id: null, amount },
      ];
    }
    default:
      return [];
  }
}

function findPermission({ address, topics, data }: Log): TracedPermission | undefined {
  const [topic, first, second, third] = topics;
  const owner = holderIn(first);
  if (!owner) return undefined;
  if (address === PERMIT2 && (topic === TOPICS.permit2Approval || topic === TOPICS.permit2Permit)) {
    const amount = decode(word, data.slice(0, 66) as Hex)?.[0];
    const [token, spender] = [holderIn(second), holderIn(third)];
    if (amount === undefined || !token || !spender) return undefined;
    return { kind: "allowance", keeper: address, token, owner, spender, amount };
  }
  const spender = holderIn(second);
  if (!spender || (topic !== TOPICS.approval && topic !== TOPICS.approvalForAll)) return undefined;
  const place = { keeper: address, token: address, owner, spender };
  if (topic === TOPICS.approval && third) return { kind: "item", ...place, amount: BigInt(third) };
  const amount = decode(word, data)?.[0];
  if (amount === undefined) return undefined;
  return { kind: topic === TOPICS.approval ? "allowance" : "operator", ...place, amount };
}

const holderIn = (topic: Hex | undefined): Hex | undefined =>
  topic && /^0x0{24}/.test(topic) ? `0x${topic.slice(26)}` : undefined;

/** What is not encoded as the event says is not that event. */
function decode<const P extends readonly AbiParameter[]>(parameters: P, data: Hex) {
  try {
    return decodeAbiParameters(parameters, data);
  } catch {
    return undefined;
  }
}
