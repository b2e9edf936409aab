import { openPack, type Packed, packCalls, readPlainCall } from "./callPack.js";
import type { Fold, Overriding } from "./fold.js";
import type { RpcRequest } from "./rpcAnswer.js";

/**
 * What the code of all callers of one batch may use together. One call gets as much gas as by itself, 3,000,000, and only while
 * so much is left: code that uses it up leaves nothing to the calls after it, which are then asked by themselves. View functions
 * use about 10,000.
 */
const SHARED_GAS = 5_000_000;
/** So that as many view functions leave enough gas to the last one. */
export const MAX_SHARED_CALLS = 64;
/** So that the data of as many calls fits into one pack. */
const MAX_SHARED_DATA_BYTES = 128;

/** Requests of which those that run code may share a pack with other callers'. */
export interface SharedCalls {
  /** The block of all of them. */
  readonly at: string;
  readonly calls: ReadonlyMap<RpcRequest, Packed>;
}

/** A caller chooses what runs here, and may choose what takes long. */
export const runsCode = ({ method }: RpcRequest): boolean =>
  method === "eth_call" || method === "eth_estimateGas";

/** Undefined where one of the requests runs code that cannot be packed, or not at the same block. */
export function readSharedCalls(requests: readonly RpcRequest[]): SharedCalls | undefined {
  const calls = new Map<RpcRequest, Packed>();
  const blocks = new Set<string>();
  for (const request of requests.filter(runsCode)) {
    const call = readPlainCall(request);
    if (call === undefined || call.data.length > 2 + 2 * MAX_SHARED_DATA_BYTES) return undefined;
    calls.set(request, call);
    blocks.add(JSON.stringify(request.params[1]));
  }
  const [at, another] = blocks;
  return at === undefined || another !== undefined || calls.size > MAX_SHARED_CALLS
    ? undefined
    : { at, calls };
}

/** One pack of all calls that several callers share. `requests` are those of the whole batch. */
export function packShared(
  requests: readonly RpcRequest[],
  shared: readonly SharedCalls[],
  overriding: Overriding,
): Fold {
  const calls = new Map(shared.flatMap((each) => [...each.calls]));
  const places = requests.flatMap((request, i) => (calls.has(request) ? [i] : []));
  const packed = places.map((place) => calls.get(requests[place] as RpcRequest) as Packed);
  const at = requests[places[0] as number]?.params[1];
  return {
    places,
    request: packCalls(packed, at, SHARED_GAS),
    open: (answer) => overriding.open(answer, places.length, openPack),
  };
}
