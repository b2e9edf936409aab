import { decodeAbiParameters, type Hex, hexToBytes, size, slice } from "viem";
import { knownFunctions } from "../calls/knownFunctions.js";
import { measureAbi } from "../calls/measureAbi.js";
import { decodeCall } from "../meanings/decodeCall.js";
import type { Effect, RoleName } from "../meanings/meaning.js";
import { splitAttribution } from "../meanings/splitAttribution.js";
import type { KnownParty } from "../parties/knownParty.js";
import { findAddressWords } from "./addressWords.js";
import { decodeRouterCommands } from "./decodeRouterCommands.js";
import { type CallOrder, isWrapper, unwrapCall } from "./unwrapCall.js";

/** A call and the calls inside it, as far as calldata shows. Whole numbers are decimal strings. */
export interface DecodedCall {
  readonly to: Hex;
  /** Wei, decimal. */
  readonly value: string;
  /** Who the callee sees as its caller: the signer, the contract that wraps the call, or an account it acts for. */
  readonly caller: Hex;
  readonly isDelegatecall: boolean;
  readonly selector: Hex | null;
  /** Name and argument types; only the name for a router's command. Null when the function is not known. */
  readonly signature: string | null;
  readonly args: Readonly<Record<string, unknown>> | null;
  readonly inner: readonly DecodedCall[];
  /** What the function does as its protocol documents it; null where no protocol is known to have it. */
  readonly meaning: CallMeaning | null;
  /** Addresses that the data of a function that is not known seems to name. */
  readonly named: readonly Hex[];
  /** Bytes of this call's data whose meaning is not known, without those of inner calls. */
  readonly undecodedBytes: number;
}

export interface CallMeaning {
  readonly protocol: string;
  readonly effect: Effect;
  /** Whole numbers are decimal strings. */
  readonly roles: Readonly<Partial<Record<RoleName, unknown>>>;
  readonly sentence: string;
}

export interface DecodedCalldata {
  readonly call: DecodedCall;
  readonly undecodedBytes: number;
  /** True when a bound stopped the unwrapping. */
  readonly isBounded: boolean;
}

/** Deeper calls, or further ones beyond the bound, are counted as undecoded. */
const MAX_DEPTH = 5;
const MAX_CALLS = 100;
/** Longer calls of functions that are known anyway are not looked up by protocol. */
const MAX_MEANT_BYTES = 8192;

/** Unwraps a transaction's calldata to a bound. Never throws: what cannot be decoded is counted. */
export function decodeCalls(
  transaction: {
    readonly from: Hex;
    readonly to: Hex;
    readonly value: string;
    readonly data: Hex;
  },
  findParty: (address: Hex) => KnownParty | undefined = () => undefined,
): DecodedCalldata {
  let calls = 0;
  let undecodedBytes = 0;
  let isBounded = false;

  function decode(order: CallOrder, depth: number): DecodedCall {
    calls += 1;
    const { to, value, data, caller, isDelegatecall = false } = order;
    const bytes = size(data);
    const selector = bytes >= 4 ? slice(data, 0, 4) : null;
    const plain = { to: lower(to), value: value.toString(), caller: lower(caller), isDelegatecall, selector };
    // Names behind the arguments (ERC-8021) are no part of what a contract reads.
    const { calldata } = depth === 1 ? splitAttribution(data) : { calldata: data };
    const known = selector === null ? undefined : decodeKnown(selector, calldata);
    // What a wrapper means is what its calls mean, and those may be long.
    const isWrapping =
      known !== undefined && (isWrapper(known.signature) || known.signature.startsWith("execute("));
    const isLong = known !== undefined && bytes > MAX_MEANT_BYTES;
    // Data that a known function does not accept is not accepted under the same name elsewhere.
    const isMalformed = known === undefined && selector !== null && knownFunctions.has(selector);
    const meaning =
      selector === null || isWrapping || isLong || isMalformed
        ? null
        : findMeaning(order, calldata, findParty(lower(to)));
    if (known === undefined && meaning === null) {
      undecodedBytes += bytes;
      const named = findAddressWords(data);
      return {
        ...plain,
        signature: null,
        args: null,
        inner: [],
        meaning: null,
        named,
        undecodedBytes: bytes,
      };
    }
    if (known === undefined) {
      const { signature, args, extraBytes } = meaning as FoundMeaning;
      undecodedBytes += extraBytes;
      const found = pickMeaning(meaning);
      return { ...plain, signature, args, inner: [], meaning: found, named: [], undecodedBytes: extraBytes };
    }
    const held = findInner(order, known);
    const isTooMuch =
      held.status === "calls" && (depth >= MAX_DEPTH || calls + held.orders.length > MAX_CALLS);
    const isUnread = isTooMuch || held.status === "malformed";
    const unread = isUnread
      ? bytes - 4
      : known.extraBytes + (held.status === "commands" ? held.undecodedBytes : 0);
    undecodedBytes += unread;
    isBounded ||= isTooMuch || (held.status === "commands" && held.isBounded);
    return {
      ...plain,
      signature: known.signature,
      args: known.args,
      inner: isUnread ? [] : listInner(held, plain, depth),
      meaning: pickMeaning(meaning),
      named: [],
      undecodedBytes: unread,
    };
  }

  function listInner(held: Held, wrapper: Pick<DecodedCall, "to" | "caller">, depth: number): DecodedCall[] {
    if (held.status === "calls") return held.orders.map((one) => decode(one, depth + 1));
    return held.status === "commands"
      ? held.commands.map((command) => describeCommand(command, wrapper))
      : [];
  }

  const { from, to, value, data } = transaction;
  const call = decode({ to, value: BigInt(value), data, caller: from }, 1);
  return { call, undecodedBytes: Math.min(undecodedBytes, size(data)), isBounded };
}

type FoundMeaning = CallMeaning & {
  readonly signature: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly extraBytes: number;
};

function pickMeaning(found: FoundMeaning | null): CallMeaning | null {
  if (found === null) return null;
  const { protocol, effect, roles, sentence } = found;
  return { protocol, effect, roles, sentence };
}

function findMeaning(
  { to, caller, value }: CallOrder,
  data: Hex,
  party: KnownParty | undefined,
): FoundMeaning | null {
  const found = decodeCall(data, party, undefined, { to: lower(to), from: lower(caller), value });
  if (found === undefined) return null;
  const { meaning, inputs, args, roles, sentence, complete } = found;
  const bytes = hexToBytes(data).subarray(4);
  return {
    protocol: meaning.protocol,
    effect: meaning.effect,
    roles: toPlain(roles) as FoundMeaning["roles"],
    sentence,
    signature: meaning.signature,
    args: Object.fromEntries(inputs.map(({ name }, index) => [name ?? String(index), toPlain(args[index])])),
    extraBytes: complete ? 0 : Math.max(0, bytes.length - measureAbi(inputs, bytes)),
  };
}

interface KnownCall {
  readonly signature: string;
  readonly values: readonly unknown[];
  readonly args: Readonly<Record<string, unknown>>;
  /** Bytes after the arguments. */
  readonly extraBytes: number;
}

/** Undefined for an unknown selector, and for data that does not decode as the function's arguments. */
function decodeKnown(selector: Hex, data: Hex): KnownCall | undefined {
  const known = knownFunctions.get(selector);
  if (known === undefined) return undefined;
  const { inputs } = known.abi;
  try {
    const bytes = hexToBytes(data).subarray(4);
    const extraBytes = bytes.length - measureAbi(inputs, bytes);
    const values = inputs.length === 0 ? [] : decodeAbiParameters(inputs, bytes);
    const args = Object.fromEntries(
      inputs.map(({ name }, index) => [name ?? String(index), toPlain(values[index])]),
    );
    return { signature: known.signature, values, args, extraBytes };
  } catch {
    return undefined;
  }
}

type Held =
  | { readonly status: "nothing" | "malformed" }
  | { readonly status: "calls"; readonly orders: readonly CallOrder[] }
  | ({ readonly status: "commands" } & ReturnType<typeof decodeRouterCommands>);

function findInner(order: CallOrder, { signature, values }: KnownCall): Held {
  try {
    if (signature.startsWith("execute(bytes,bytes[]")) {
      const [commands, inputs] = values as [Hex, readonly Hex[]];
      return { status: "commands", ...decodeRouterCommands(commands, inputs) };
    }
    const orders = unwrapCall(order, signature, values);
    return orders === undefined ? { status: "nothing" } : { status: "calls", orders };
  } catch {
    return { status: "malformed" };
  }
}

/** A command is no call of its own: the router carries it out for its caller. */
function describeCommand(
  { name, args }: { readonly name: string; readonly args: readonly (readonly [string, unknown])[] },
  { to, caller }: Pick<DecodedCall, "to" | "caller">,
): DecodedCall {
  return {
    to,
    value: "0",
    caller,
    isDelegatecall: false,
    selector: null,
    signature: name,
    args: Object.fromEntries(args.map(([key, value]) => [key, toPlain(value)])),
    inner: [],
    meaning: null,
    named: [],
    undecodedBytes: 0,
  };
}

const lower = (hex: Hex) => hex.toLowerCase() as Hex;

/** JSON of decoded values: whole numbers as decimal strings, hex in lower case. */
function toPlain(value: unknown): unknown {
  if (typeof value === "bigint" || typeof value === "number") return value.toString();
  // Only addresses have capital letters, and other strings may be long.
  if (typeof value === "string") return value.length === 42 ? value.toLowerCase() : value;
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toPlain(inner)]));
  return value;
}
