import type { Hex } from "@assay/protocol";
import type { RpcAnswer, RpcRequest } from "./rpcAnswer.js";

/**
 * A call without a sender comes from the zero address. The pack's code runs there too, as an override, so that a called contract
 * has the same caller and the same origin as in a call of its own.
 */
const ZERO_ADDRESS = `0x${"0".repeat(40)}`;
/** As much as a transaction may use (EIP-7825), which nodes allow a call as well. */
const PACK_GAS = 16_777_216;
/** A longer answer is asked for by itself; the code below has the same number. */
export const MAX_PACKED_ANSWER_BYTES = 4_096;
/** Longer calls are made by themselves. A question for eighty slots of another contract (EXTSLOAD) has 2,628 bytes. */
export const MAX_PACKED_DATA_BYTES = 4_096;
/** So that data cost (EIP-7623: 40 gas for a byte) leaves nearly all gas to the calls. */
const MAX_PACK_BYTES = 16_384;
/** What a code counts for, so that no more than 64 are returned at once. */
const CODE_BYTES = 256;
/** A call with more gas could leave too little to those after it. */
const MAX_CALL_GAS = 3_000_000;

/** First words of the input, in ASCII. */
const PACK = "617373617970616b";
const RUN = "617373617972756e";

/**
 * The code of a pack. Its input is `PACK` and for each call one word (gas, 4 bytes; zeros, 4; length of the data, 4; address, 20)
 * and the data. Its output is for each call a length of 4 bytes, and one byte, 1 for success, with what the call returned. The
 * length is 0 for a call that must be made by itself. With no gas the address is not called, and its code is returned.
 *
 * Each call is made in a frame of this code that always reverts (`RUN`). That undoes what the call changed: storage, transient
 * storage (EIP-1153) and which slots are warm (EIP-2929), so that no call notices those before it.
 */
const CODE = [
  // What else calls the zero address finds nothing there: no answer, and no failure.
  "5f35", // first word of the input
  `8067${PACK}14601e57`,
  `67${RUN}14609457`,
  "00", // stop
  // pack, at 0x1e: [place in the input, length of the output]
  "5b5060205f",
  "5b36821015609157", // while place < input size
  "81358060a01c63ffffffff16604001", // input of the frame: RUN, the word, the data
  "9060e01c8060041c01620186a001", // gas of the call, a sixteenth more and 100,000: two frames each keep a 64th (EIP-150)
  "5a11605157",
  "5f607156", // less is left: the length is 0
  `5b67${RUN}825260208103838360200137`, // copy to the end of the output
  "5f5f82845f305af1503d", // call itself; the length of what it reverted with
  "5b8060e01b8352805f846004013e", // length and answer
  "6004018201915060209003",
  "82019150602356",
  "5b5ff3", // return the output
  // run, at 0x94
  "5b6020358060e01c1560d15750", // without gas: the code
  "604036038060405f37", // the data
  "5f5f915f5f6020358060e01cf1", // call the address with the gas
  "3d611000811160cd57", // more than 4,096 bytes: revert with nothing
  "905f53805f60013e6001015ffd", // revert with success and answer
  "5b5f5ffd",
  // the code of the address, at 0xd1
  "5b803b805f6001843c", // copy all of it, after the byte for success
  "60015f536001015ffd",
].join("");

/** A call, or the reading of a contract's code. */
export interface Packed {
  readonly to: Hex;
  readonly data: Hex;
  /** Of the call when its code starts; 0 for the code. */
  readonly gas: number;
}

/** The call of a request that states nothing but whom it calls, with what data and gas, and may share a pack. */
export function readPlainCall({ method, params, apart }: RpcRequest): Packed | undefined {
  if (method !== "eth_call" || params.length !== 2 || apart) return undefined;
  const call = params[0] as Partial<Record<string, Hex>>;
  const { to, data, gas } = call;
  if (to === undefined || data === undefined || gas === undefined || Object.keys(call).length !== 3)
    return undefined;
  const isSmall = sizeOf(data) <= MAX_PACKED_DATA_BYTES && Number(gas) <= MAX_CALL_GAS;
  const left = countGas(gas, data);
  return isSmall && to !== ZERO_ADDRESS && left > 0 ? { to, data, gas: left } : undefined;
}

/** The code that a request asks for, as a pack reads it (EXTCODECOPY). That of a delegated account is its delegation (EIP-7702). */
export function readPlainCode({ method, params, apart }: RpcRequest): Packed | undefined {
  if (method !== "eth_getCode" || apart) return undefined;
  const to = params[0] as Hex;
  return to === ZERO_ADDRESS ? undefined : { to, data: "0x", gas: 0 };
}

/** The first of these that fit into one pack. */
export function countFitting(all: readonly Packed[]): number {
  let bytes = 0;
  const end = all.findIndex(({ data, gas }) => {
    bytes += gas === 0 ? CODE_BYTES : 32 + sizeOf(data);
    return bytes > MAX_PACK_BYTES;
  });
  return end === -1 ? all.length : end;
}

/** One request that makes all of these calls at one block, and uses no more than `packGas`. */
export function packCalls(all: readonly Packed[], at: unknown, packGas = PACK_GAS): RpcRequest {
  const records = all.map(({ to, data, gas }) => {
    const word = [gas, 0, sizeOf(data)].map((part) => part.toString(16).padStart(8, "0"));
    return `${word.join("")}${to.slice(2)}${data.slice(2)}`;
  });
  const input = `0x${PACK.padStart(64, "0")}${records.join("")}`;
  const call = { from: ZERO_ADDRESS, to: ZERO_ADDRESS, data: input, gas: `0x${packGas.toString(16)}` };
  return { method: "eth_call", params: [call, at, { [ZERO_ADDRESS]: { code: `0x${CODE}` } }] };
}

/**
 * What each call would have been answered by itself; undefined for one that must be asked by itself. The whole is undefined
 * where this is no answer of the pack's code: some nodes ignore overrides.
 */
export function openPack(result: unknown, count: number): (RpcAnswer | undefined)[] | undefined {
  if (typeof result !== "string" || !/^0x(?:[0-9a-f]{2})*$/i.test(result)) return undefined;
  const answers: (RpcAnswer | undefined)[] = [];
  let place = 2;
  const take = (bytes: number) => {
    place += 2 * bytes;
    return result.slice(place - 2 * bytes, place);
  };
  while (place < result.length) {
    const length = Number.parseInt(take(4), 16);
    const isSuccess = length > 0 && take(1) === "01";
    const data = `0x${length > 0 ? take(length - 1) : ""}`;
    answers.push(length === 0 ? undefined : isSuccess ? { kind: "result", result: data } : reverted(data));
  }
  return place === result.length && answers.length === count ? answers : undefined;
}

export const isPack = ({ method, params }: RpcRequest): boolean =>
  method === "eth_call" && params.length > 2 && ZERO_ADDRESS in (params[2] as object);

/** As nodes report it; one that ran out of gas has no data either. */
const reverted = (data: string): RpcAnswer => ({
  kind: "error",
  error: { code: 3, message: "execution reverted", data },
});

const sizeOf = (data: Hex) => data.length / 2 - 1;

/** What a call has left when its code starts: a transaction pays 21,000, and 4 for a zero byte and 16 for any other (EIP-2028). */
function countGas(gas: Hex, data: Hex): number {
  const bytes = data.slice(2).match(/../g) ?? [];
  return bytes.reduce((left, byte) => left - (byte === "00" ? 4 : 16), Number(gas) - 21_000);
}
