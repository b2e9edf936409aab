import type { NodeError } from "../rpcAnswer.js";
import type { NodeCall } from "./faultyNode.js";
import type { LocalChain } from "./localChain.js";
import type { ProviderProfile } from "./providerProfile.js";

/** Where each method takes its block. */
const BLOCK_AT: Readonly<Record<string, number>> = {
  eth_getCode: 1,
  eth_getBalance: 1,
  eth_getTransactionCount: 1,
  eth_call: 1,
  eth_estimateGas: 1,
  debug_traceCall: 1,
  eth_getStorageAt: 2,
  eth_getProof: 2,
  eth_feeHistory: 1,
  eth_getBlockByNumber: 0,
  eth_getBlockReceipts: 0,
};
const UNKNOWN: NodeError = { code: -32000, message: "header not found" };
const NO_HASHES: NodeError = {
  code: -32602,
  message: "invalid argument 1: hex string expected, got an object",
};
const NO_OVERRIDES: NodeError = { code: -32602, message: "too many arguments, want at most 2" };
const OLD_PROOF: NodeError = {
  code: -32602,
  message: "distance to target block exceeds maximum proof window",
};

/** The error that the provider answers the call with; null for the result null; undefined for an honest answer. */
export async function findRefusal(
  profile: ProviderProfile,
  { method, params }: NodeCall,
  chain: LocalChain,
  lag: number,
  faulty: { calls: number; requests: number },
): Promise<NodeError | null | undefined> {
  const { refused, faultyCalls, logSpan, proofBlocks, stateBlocks } = profile;
  const refuses = refused !== undefined && faulty.requests % (refused.every ?? 1) === 0;
  if (refuses && refused.methods.includes(method)) return refused.error;
  if (faultyCalls?.methods.includes(method) && ++faulty.calls % faultyCalls.every === 0)
    return faultyCalls.error;
  if (method === "eth_getLogs") return logSpan && (await findLongSearch(logSpan, params[0], chain));
  const at = params[BLOCK_AT[method] ?? -1];
  const isHash = typeof at === "object" && at !== null;
  if (profile.takesHashes === false && isHash) return NO_HASHES;
  if (profile.takesOverrides === false && method === "eth_call" && params.length > 2) return NO_OVERRIDES;
  const needsAge = lag > 0 || stateBlocks !== undefined || proofBlocks !== undefined;
  if (!needsAge) return undefined;
  const isNamedByHash = method.startsWith("eth_getBlock") && String(params[0]).length === 66;
  const asked = isNamedByHash ? { blockHash: params[0] } : at;
  const age = await ageOf(chain, asked);
  if (age === undefined) return undefined;
  if (age < lag) return method.startsWith("eth_getBlock") || profile.lagsWithNulls ? null : UNKNOWN;
  if (method.startsWith("eth_getBlock") || method === "eth_feeHistory") return undefined;
  if (method === "eth_getProof" && proofBlocks !== undefined && age - lag > proofBlocks) return OLD_PROOF;
  return stateBlocks !== undefined && age - lag > stateBlocks.blocks ? stateBlocks.error : undefined;
}

async function findLongSearch(
  { blocks, error }: NonNullable<ProviderProfile["logSpan"]>,
  filter: unknown,
  chain: LocalChain,
): Promise<NodeError | undefined> {
  const { fromBlock, toBlock } = filter as { fromBlock?: string; toBlock?: string };
  const head = Number(await chain.rpc<string>("eth_blockNumber"));
  const from = fromBlock === undefined ? head : Number(fromBlock);
  const to = toBlock === undefined || toBlock === "latest" ? head : Number(toBlock);
  return to - from + 1 > blocks ? error : undefined;
}

/** How many blocks before the newest one; undefined where no such block is named. */
async function ageOf(chain: LocalChain, at: unknown): Promise<number | undefined> {
  const hash = typeof at === "object" && at !== null && "blockHash" in at ? at.blockHash : undefined;
  if (hash === undefined && !/^0x[0-9a-f]+$/i.test(String(at))) return undefined;
  const head = Number(await chain.rpc<string>("eth_blockNumber"));
  if (hash === undefined) return Math.max(0, head - Number(at));
  const { result } = await chain.answer("eth_getBlockByHash", [hash, false]);
  const block = result as { number: string } | null | undefined;
  return block ? head - Number(block.number) : undefined;
}

/** The newest block of a backend that lags is an older one. */
export async function asLagging(
  chain: LocalChain,
  { method, params }: NodeCall,
  lag: number,
): Promise<readonly unknown[]> {
  const at = BLOCK_AT[method];
  if (at === undefined || params[at] !== "latest") return params;
  const head = Number(await chain.rpc<string>("eth_blockNumber"));
  return params.map((param, i) => (i === at ? `0x${Math.max(0, head - lag).toString(16)}` : param));
}
