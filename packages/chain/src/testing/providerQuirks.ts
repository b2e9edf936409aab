import { gzipSync } from "node:zlib";
import type { NodeCall } from "./faultyNode.js";
import type { LocalAnswer, LocalChain } from "./localChain.js";
import type { Handwriting, OverridePart, ProviderProfile } from "./providerProfile.js";

type Answer = Record<string, unknown>;

/** The answers of one request in the provider's hand. */
export function rewrite(answers: readonly Answer[], hand: Handwriting | undefined): readonly Answer[] {
  switch (hand) {
    case "string_ids":
      return answers.map((answer) => ({ ...answer, id: String(answer.id) }));
    case "reversed":
      return answers.toReversed();
    case "upper_case":
      return answers.map((answer) => raise(answer) as Answer);
    case "errors_without_code":
      return answers.map(({ error, ...answer }) =>
        error === undefined ? answer : { ...answer, error: withoutCode(error) },
      );
    default:
      return answers;
  }
}

/** The body in the provider's hand. */
export function encode(body: string, hand: Handwriting | undefined): string | Buffer {
  return hand === "unsaid_gzip" ? gzipSync(body) : body;
}

/** Hexadecimal digits in upper case, wherever a whole string consists of them. */
function raise(value: unknown): unknown {
  if (typeof value === "string")
    return /^0x[0-9a-f]*$/.test(value) ? `0x${value.slice(2).toUpperCase()}` : value;
  if (Array.isArray(value)) return value.map(raise);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, raise(part)]));
}

function withoutCode(error: unknown): unknown {
  if (typeof error !== "object" || error === null) return error;
  const { code: _, ...rest } = error as { code?: unknown };
  return rest;
}

/** What the provider asks its chain in place of the question. */
export async function bend(profile: ProviderProfile, call: NodeCall, chain: LocalChain): Promise<NodeCall> {
  const { ignoredOverrides, lateProofs, lateCounts } = profile;
  if (ignoredOverrides && call.method === "eth_call" && call.params.length > 2)
    return {
      ...call,
      params: call.params.map((one, i) => (i === 2 ? dropParts(one, ignoredOverrides) : one)),
    };
  if (lateProofs !== undefined && call.method === "eth_getProof") {
    const [address, slots, at] = call.params;
    return { ...call, params: [address, slots, await before(chain, at, lateProofs)] };
  }
  if (lateCounts !== undefined && call.method === "eth_getTransactionCount")
    return { ...call, params: [call.params[0], await before(chain, "latest", lateCounts)] };
  return call;
}

function dropParts(overrides: unknown, parts: readonly OverridePart[]): unknown {
  return Object.fromEntries(
    Object.entries(overrides as Record<string, Answer>).map(([address, override]) => [
      address,
      Object.fromEntries(Object.entries(override).filter(([name]) => !parts.includes(name as OverridePart))),
    ]),
  );
}

/** The number of the block so many before the one that is named. */
async function before(chain: LocalChain, at: unknown, blocks: number): Promise<string> {
  const isHash = typeof at === "object" && at !== null && "blockHash" in at;
  const found = isHash
    ? await chain.rpc<{ number: string } | null>("eth_getBlockByHash", at.blockHash, false)
    : await chain.rpc<{ number: string } | null>("eth_getBlockByNumber", at, false);
  return `0x${Math.max(0, Number(found?.number ?? 0) - blocks).toString(16)}`;
}

/** What the provider makes of an honest answer. */
export async function spoil(
  profile: ProviderProfile,
  { method }: NodeCall,
  honest: LocalAnswer,
  chain: LocalChain,
): Promise<LocalAnswer> {
  const { lateReceipts, findsNoEvents, knowsNoHashes } = profile;
  if (findsNoEvents && method === "eth_getLogs" && honest.error === undefined) return { result: [] };
  if (knowsNoHashes && method === "eth_getBlockByHash") return { result: null };
  const result = honest.result as Answer | null | undefined;
  if (lateReceipts === undefined || method !== "eth_getTransactionReceipt" || !result) return honest;
  const age = Number(await chain.rpc<string>("eth_blockNumber")) - Number(result.blockNumber);
  return age < lateReceipts ? { result: null } : honest;
}
