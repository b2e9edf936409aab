import type { StateRead } from "@assay/capabilities";
import {
  absent,
  CHAIN_ID,
  type Hex,
  hash32Schema,
  type Reading,
  unanswered,
  valueReading,
} from "@assay/protocol";
import { hexToNumber, isHex, numberToHex, pad, size } from "viem";
import { ChainNodeError } from "../errors.js";
import { askNode, type ChainSource, type NodeAnswer, type RpcRequest } from "./askNode.js";

export interface ChainLog {
  readonly blockNumber: number;
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

export interface LogFilter {
  readonly addresses: readonly Hex[];
  /** Any of these as the first topic. */
  readonly topics: readonly Hex[];
  readonly fromBlock: number;
  readonly toBlock: number;
}

/** What a node of the caller's choice reports by plain JSON-RPC. Nothing here depends on the service. */
export interface ChainNode {
  getHead(): Promise<number>;
  /** Undefined when the node has no such block. */
  findBlockHash(block: number): Promise<Hex | undefined>;
  readAt(block: number, reads: readonly StateRead[]): Promise<Reading<Hex>[]>;
  /** Undefined when the node gives no logs for this range. */
  findLogs(filter: LogFilter): Promise<ChainLog[] | undefined>;
}

/** Throws ChainNodeError unless the node answers and is of Base. */
export async function openChainNode(source: ChainSource): Promise<ChainNode> {
  const ask = (method: string, params: readonly unknown[]) => askNode(source, { method, params });
  const get = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const answer = await ask(method, params);
    if (!answer.ok)
      throw new ChainNodeError(`The node did not answer ${method}: ${answer.message}.`, { retryable: true });
    return answer.result;
  };
  const chainId = await get("eth_chainId", []);
  if (!isHex(chainId) || hexToNumber(chainId) !== CHAIN_ID)
    throw new ChainNodeError(`The node is of chain ${String(chainId)}; give one of chain ${CHAIN_ID}.`, {
      retryable: false,
    });
  return {
    async getHead() {
      const head = await get("eth_blockNumber", []);
      if (!isHex(head))
        throw new ChainNodeError("The node's block number is not a number.", { retryable: false });
      return hexToNumber(head);
    },
    async findBlockHash(block) {
      const answer = await ask("eth_getBlockByNumber", [numberToHex(block), false]);
      const found = answer.ok ? answer.result : null;
      if (typeof found !== "object" || found === null || !("hash" in found)) return undefined;
      return hash32Schema.safeParse(found.hash).data;
    },
    readAt: (block, reads) =>
      Promise.all(
        reads.map(async (read) => {
          const { method, params } = describeRead(read);
          return toReading(read, await ask(method, [...params, numberToHex(block)]));
        }),
      ),
    async findLogs({ addresses, topics, fromBlock, toBlock }) {
      const range = { fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock) };
      const answer = await ask("eth_getLogs", [{ address: addresses, topics: [topics], ...range }]);
      if (!answer.ok || !Array.isArray(answer.result)) return undefined;
      const logs = answer.result.flatMap(parseLog);
      // A log that cannot be parsed may be the one that matters.
      return logs.length === answer.result.length ? logs : undefined;
    },
  };
}

function describeRead(read: StateRead): RpcRequest & { params: readonly unknown[] } {
  if (read.kind === "code") return { method: "eth_getCode", params: [read.address] };
  if (read.kind === "storage") return { method: "eth_getStorageAt", params: [read.address, read.slot] };
  const { from, to, data, gas } = read;
  return { method: "eth_call", params: [{ ...(from && { from }), to, data, gas: numberToHex(gas) }] };
}

/** Absent, reverted and unanswered are different readings; only what the contract itself did is a fact about the chain. */
function toReading({ kind }: StateRead, answer: NodeAnswer): Reading<Hex> {
  if (!answer.ok) {
    return kind === "call" && answer.isRevert
      ? { status: "reverted", data: null }
      : unanswered(answer.message);
  }
  const { result } = answer;
  if (!isHex(result, { strict: true }) || (kind === "storage" && size(result) > 32))
    return unanswered("the node's answer has another shape than asked for");
  const bytes = result.toLowerCase() as Hex;
  if (kind === "storage") return valueReading(pad(bytes));
  return bytes === "0x" ? absent : valueReading(bytes);
}

function parseLog(log: unknown): ChainLog[] {
  if (typeof log !== "object" || log === null) return [];
  const { blockNumber, address, topics, data } = log as Record<string, unknown>;
  if (!isHex(blockNumber) || !isHex(address) || !Array.isArray(topics) || !isHex(data)) return [];
  const words = topics.filter((topic) => isHex(topic));
  return [{ blockNumber: hexToNumber(blockNumber), address, topics: words, data }];
}
