import { sleep } from "../sleep.js";

export interface RpcRequest {
  readonly method: string;
  readonly params?: readonly unknown[];
}

/**
 * A node of the chain: its JSON-RPC address, or anything with the `request` of EIP-1193, for instance a viem public
 * client. viem types the query by its method, so no single query type fits every client; `never` fits all.
 */
export type ChainSource = string | { request(query: never): Promise<unknown> };

export type NodeAnswer =
  | { readonly ok: true; readonly result: unknown }
  /** `isRevert`: the call was executed and the contract reverted. */
  | { readonly ok: false; readonly message: string; readonly isRevert: boolean };

const TIMEOUT_MS = 20_000;
const ATTEMPTS = 3;
const FIRST_WAIT_MS = 500;

/** One JSON-RPC request. A failure is returned, not thrown: the caller decides what it means. */
export async function askNode(source: ChainSource, query: RpcRequest): Promise<NodeAnswer> {
  if (typeof source === "string") return post(source, query);
  try {
    return { ok: true, result: await source.request(query as never) };
  } catch (thrown) {
    return readThrown(thrown);
  }
}

async function post(url: string, query: RpcRequest): Promise<NodeAnswer> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await postOnce(url, query);
    if (typeof outcome !== "string") return outcome;
    if (attempt === ATTEMPTS) return { ok: false, message: outcome, isRevert: false };
    await sleep(FIRST_WAIT_MS * 2 ** (attempt - 1), undefined);
  }
}

/** Returns a sentence when a retry may succeed. The sentence leaves out the URL, which may contain an API key. */
async function postOnce(url: string, { method, params = [] }: RpcRequest): Promise<NodeAnswer | string> {
  let response: Response;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch {
    return "no connection to the node";
  }
  const body: unknown = await response.json().catch(() => undefined);
  if (isRecord(body) && "result" in body) return { ok: true, result: body.result };
  if (isRecord(body) && isRecord(body.error)) {
    const { code, message, data } = body.error;
    const isBusy = response.status === 429 || code === 429;
    return isBusy ? "the node allows no more requests now" : describeError(code, String(message), data);
  }
  return `the node answered HTTP ${response.status} without a JSON-RPC body`;
}

/** viem wraps the node's error in errors of its own. */
function readThrown(thrown: unknown): NodeAnswer {
  let found: NodeAnswer = { ok: false, message: String(thrown), isRevert: false };
  for (let error: unknown = thrown; isRecord(error); error = error.cause) {
    if (typeof error.code !== "number") continue;
    const text = typeof error.details === "string" ? error.details : String(error.message);
    found = describeError(error.code, text, error.data);
    if (!found.ok && found.isRevert) return found;
  }
  return found;
}

// Anchored: a revert reason is the contract's own text and may say anything.
const CONTRACT_FAILED =
  /^(execution reverted|(vm )?exception while processing transaction|vm execution error|transaction reverted|revert(ed)?\b|evm error|out of gas|(invalid|undefined) opcode|opcode 0x[0-9a-f]+ not defined|stack ?(under|over)flow|(invalid|bad) ?jump|write protection|InvalidFEOpcode|OpcodeNotFound)/i;

function describeError(code: unknown, message: string, data: unknown): NodeAnswer {
  // 3 is the common code of a revert, -32015 that of Nethermind; Hardhat's node wraps the reason in an object.
  const isRevert =
    code === 3 || code === -32015 || CONTRACT_FAILED.test(message) || (isRecord(data) && "reason" in data);
  return { ok: false, message, isRevert };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
