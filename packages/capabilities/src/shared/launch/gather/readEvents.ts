import type { ChainLog } from "@assay/chain";
import { type Hex, mapReading, type Reading } from "@assay/protocol";
import { toEventSelector, zeroAddress } from "viem";
import type { LaunchReadings } from "../launchReadings.js";

const TRANSFER = toEventSelector("Transfer(address,address,uint256)");
const APPROVAL = toEventSelector("Approval(address,address,uint256)");
const ROLE_GRANTED = toEventSelector("RoleGranted(bytes32,address,address)");
const ROLE_REVOKED = toEventSelector("RoleRevoked(bytes32,address,address)");

const addressOf = (topic: Hex | undefined): Hex | null =>
  topic !== undefined && /^0x0{24}[0-9a-f]{40}$/.test(topic) && !/^0x0{40}/.test(topic)
    ? `0x${topic.slice(26)}`
    : null;
const isFromNobody = (topic: Hex | undefined) => topic !== undefined && BigInt(topic) === 0n;

export interface EventHints {
  /** Accounts in events other than transfers and approvals. */
  readonly named: readonly Hex[];
  readonly roleMembers: readonly Hex[];
  /** Who received the first tokens, or any that were made of nothing. */
  readonly minted: readonly Hex[];
  /** Who received tokens from the first who had them. */
  readonly given: readonly Hex[];
  /** Who ever let whom spend tokens. */
  readonly approvals: readonly { readonly holder: Hex; readonly spender: Hex }[];
  /** Everyone who received tokens. */
  readonly receivers: ReadonlySet<Hex>;
  /** The transaction of the first event. */
  readonly firstTransaction: Hex | null;
  /** By what events say they received and did not pass on, the largest first. */
  readonly holders: readonly Hex[];
  readonly balances: ReadonlyMap<Hex, bigint>;
}

/** What the events of a token say about its keys and holders. */
export function readEvents(logs: Reading<readonly ChainLog[]>): {
  hints: EventHints;
  events: LaunchReadings["events"];
} {
  const list = logs.status === "value" ? logs.value : [];
  const members = findRoleMembers(list);
  const named = list
    .filter(({ topics: [kind] }) => kind !== TRANSFER && kind !== APPROVAL)
    .flatMap(({ topics }) => topics.slice(1).flatMap((topic) => addressOf(topic) ?? []));
  const minted = list
    .filter(({ topics: [kind, from] }) => kind === TRANSFER && isFromNobody(from))
    .flatMap(({ topics }) => addressOf(topics[2]) ?? []);
  return {
    hints: {
      named: unique(named),
      roleMembers: members,
      minted: unique(minted),
      given: unique(
        list
          .filter(
            ({ topics: [kind, from] }) => kind === TRANSFER && addressOf(from) === minted[0] && minted[0],
          )
          .flatMap(({ topics }) => addressOf(topics[2]) ?? []),
      ),
      approvals: listApprovals(list),
      receivers: new Set(
        list
          .filter(({ topics: [kind] }) => kind === TRANSFER)
          .flatMap(({ topics }) => addressOf(topics[2]) ?? []),
      ),
      firstTransaction: list[0]?.transactionHash ?? null,
      holders: rankHolders(list),
      balances: sumTransfers(list),
    },
    events: mapReading(logs, (all) => ({
      firstBlock: all[0]?.blockNumber ?? null,
      count: all.length,
      roleMembers: [...members.slice(0, 16)],
      everGranted: all.some(({ topics: [kind] }) => kind === ROLE_GRANTED),
    })),
  };
}

function listApprovals(list: readonly ChainLog[]): EventHints["approvals"] {
  const found = new Map<string, { holder: Hex; spender: Hex }>();
  for (const {
    topics: [kind, owner, other],
  } of list) {
    const spender = addressOf(other);
    if (kind !== APPROVAL || owner === undefined || spender === null) continue;
    // The zero address has tokens too, where they are burnt by sending them there.
    const holder = addressOf(owner) ?? (isFromNobody(owner) ? zeroAddress : null);
    if (holder !== null) found.set(`${holder}${spender}`, { holder, spender });
  }
  return [...found.values()];
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

function findRoleMembers(list: readonly ChainLog[]): Hex[] {
  const members = new Map<string, Hex>();
  for (const { topics } of list) {
    const [kind, role, account] = topics;
    const member = addressOf(account);
    if (member === null) continue;
    if (kind === ROLE_GRANTED) members.set(`${role}${member}`, member);
    if (kind === ROLE_REVOKED) members.delete(`${role}${member}`);
  }
  return unique([...members.values()]);
}

function sumTransfers(list: readonly ChainLog[]): ReadonlyMap<Hex, bigint> {
  const sums = new Map<Hex, bigint>();
  const add = (account: Hex | null, value: bigint) => {
    if (account !== null) sums.set(account, (sums.get(account) ?? 0n) + value);
  };
  for (const { topics, data } of list) {
    if (topics[0] !== TRANSFER || !/^0x[0-9a-f]{64}$/.test(data)) continue;
    add(addressOf(topics[1]), -BigInt(data));
    add(addressOf(topics[2]), BigInt(data));
  }
  return sums;
}

export const rankHolders = (list: readonly ChainLog[]): Hex[] =>
  [...sumTransfers(list)]
    .filter(([, sum]) => sum > 0n)
    .sort(([, left], [, right]) => (left < right ? 1 : -1))
    .map(([account]) => account);

export const TRANSFER_TOPIC = TRANSFER;
/** `Approval(address,address,uint256)` */
export const APPROVAL_TOPIC: Hex = "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925";

/** Accounts that ever let another spend what they have. */
export const listApprovers = (list: readonly ChainLog[]): Hex[] => [
  ...new Set(
    list.flatMap(({ topics: [kind, owner] }) => (kind === APPROVAL_TOPIC ? (addressOf(owner) ?? []) : [])),
  ),
];
