import type { ChainLog, ChainRead, TracedLog } from "@assay/chain";
import { type Hex, mapReading, type Reading } from "@assay/protocol";
import { topicOf } from "../../events/topicOf.js";
import { findParty } from "../../parties/findParty.js";

/** Nodes bound the blocks of one search; this many take a few hours. */
const HISTORY_BLOCKS = 50_000;
const MAX_PEERS = 256;
const TRANSFER = topicOf("Transfer(address,address,uint256)");

const historyStart = (blockNumber: number): number => Math.max(0, blockNumber - HISTORY_BLOCKS);

/** Two searches: transfers from this account, and transfers to it. */
export function historyReads(account: Hex, blockNumber: number): readonly [ChainRead, ChainRead] {
  const word: Hex = `0x${account.slice(2).padStart(64, "0")}`;
  const fromBlock = historyStart(blockNumber);
  return [
    { kind: "logs", fromBlock, topics: [TRANSFER, word] },
    { kind: "logs", fromBlock, topics: [TRANSFER, null, word] },
  ];
}

/** What the two searches found; null where they were not made. */
export function describeHistory(blockNumber: number, found: readonly Reading<readonly ChainLog[]>[]) {
  const [sent, received] = found;
  if (!sent || !received) return null;
  const paid = leaveOutTrades(sent, received);
  return {
    fromBlock: historyStart(blockNumber),
    paid: listPeers(paid, "to"),
    payers: listPeers(received, "from"),
    // Without the other search, a trade looks like a payment.
    amounts: received.status === "value" ? listAmounts(paid) : received,
  };
}

/** A transfer for which something came back in the same transaction was a trade, which vouches for no payment. */
function leaveOutTrades(
  sent: Reading<readonly ChainLog[]>,
  received: Reading<readonly ChainLog[]>,
): Reading<readonly ChainLog[]> {
  if (received.status !== "value") return sent;
  const returned = new Set(
    received.value
      .filter(({ topics }) => topics[1] !== topics[2])
      .map(({ transactionHash }) => transactionHash),
  );
  return mapReading(sent, (all) => all.filter(({ transactionHash }) => !returned.has(transactionHash)));
}

/**
 * The other side of each transfer that moved something. Anybody can emit an event that names anybody, and can move
 * nothing in another's name, so only amounts of published tokens count.
 */
function listPeers(logs: Reading<readonly TracedLog[]>, side: "from" | "to"): Reading<Hex[]> {
  return mapReading(logs, (all) => {
    const peers = all.flatMap((log) => listPeerOf(log, side));
    return [...new Set(peers.reverse())].slice(0, MAX_PEERS);
  });
}

function listPeerOf({ address, topics, data }: TracedLog, side: "from" | "to"): Hex[] {
  const word = topics[side === "from" ? 1 : 2];
  const isMoved = data.length === 66 && BigInt(data) > 0n;
  return word && isMoved && findParty(address)?.role === "token" ? [`0x${word.slice(26)}`] : [];
}

/** For each account and token: the largest transfer, and all of them together. */
function listAmounts(logs: Reading<readonly TracedLog[]>) {
  return mapReading(logs, (all) => {
    const sums = new Map<string, { to: Hex; token: Hex; largest: bigint; total: bigint }>();
    for (const log of [...all].reverse()) {
      const [to] = listPeerOf(log, "to");
      if (to === undefined) continue;
      const token = log.address.toLowerCase() as Hex;
      const amount = BigInt(log.data);
      const before = sums.get(`${to} ${token}`) ?? { to, token, largest: 0n, total: 0n };
      const largest = amount > before.largest ? amount : before.largest;
      sums.set(`${to} ${token}`, { to, token, largest, total: before.total + amount });
    }
    return [...sums.values()]
      .slice(0, MAX_PEERS)
      .map((one) => ({ ...one, largest: one.largest.toString(), total: one.total.toString() }));
  });
}
