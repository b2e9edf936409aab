import type { Hex } from "@assay/protocol";
import { decodeAbiParameters, parseAbiParameters } from "viem";
import type { SignedCall, SignedPayment } from "../meaning.js";

type Spend = Pick<SignedPayment, "token" | "amount" | "period" | "start">;

/** What the terms of one caveat keep the delegate to. Every caveat has to be met, so each limit holds for itself. */
export interface Limit {
  /** Every call is a `transfer` of this token, and their sum has an end. */
  readonly tokenSpend?: Spend;
  /** Bounds the ether that goes with calls, and nothing of what the calls do. */
  readonly etherSpend?: Spend;
  /** Wei that one call may carry. */
  readonly mostValue?: bigint;
  /** Every use makes these calls and no other, to the byte. */
  readonly calls?: readonly SignedCall[];
  /** The calldata of every call, to the byte; its target is free. */
  readonly calldata?: Hex;
  readonly targets?: readonly Hex[];
  /** Functions, or a part of the calldata: something is bound, and no amount. */
  readonly isPartial?: boolean;
  /** How often it may be used. */
  readonly count?: bigint;
  readonly until?: string;
}

/** An enforcer of MetaMask's delegation framework, and how its terms are read. */
interface Enforcer {
  readonly name: string;
  /** Undefined for terms that the enforcer refuses: then no call passes it, which is not relied upon. */
  read(terms: Hex): Limit | undefined;
}

const bytesOf = (terms: Hex): number => (terms.length - 2) / 2;
const word = (terms: Hex, from: number, bytes = 32): bigint =>
  BigInt(`0x${terms.slice(2 + from * 2, 2 + (from + bytes) * 2) || "0"}`);
const part = (terms: Hex, from: number): Hex => `0x${terms.slice(2 + from * 2)}`;

/** Terms of exactly this many bytes. */
const sized =
  (size: number, read: (terms: Hex) => Limit) =>
  (terms: Hex): Limit | undefined =>
    bytesOf(terms) === size ? read(terms) : undefined;

const ofToken = (terms: Hex, amountAt = 20): Spend => ({
  token: terms.slice(0, 42) as Hex,
  amount: word(terms, amountAt).toString(),
});
const ofEther = (terms: Hex, amountAt = 0): Spend => ({
  token: null,
  amount: word(terms, amountAt).toString(),
});
/** The length of a period, then when the first one begins. */
const inPeriods = (spend: Spend, terms: Hex, at: number): Spend => ({
  ...spend,
  period: word(terms, at).toString(),
  start: word(terms, at + 32).toString(),
});

/** Target, value and calldata without any padding. */
function readCall(terms: Hex): Limit | undefined {
  if (bytesOf(terms) < 52) return undefined;
  const value = word(terms, 20).toString();
  return { calls: [{ to: terms.slice(0, 42) as Hex, value, data: part(terms, 52) }] };
}

const executions = parseAbiParameters([
  "Execution[] executions",
  "struct Execution { address target; uint256 value; bytes callData; }",
]);
const MAX_EXACT_CALLS = 50;

function readBatch(terms: Hex): Limit | undefined {
  try {
    const [calls] = decodeAbiParameters(executions, terms);
    if (calls.length === 0 || calls.length > MAX_EXACT_CALLS) return undefined;
    return {
      calls: calls.map(({ target, value, callData }) => ({
        to: target.toLowerCase() as Hex,
        value: value.toString(),
        data: callData,
      })),
    };
  } catch {
    return undefined;
  }
}

function readTargets(terms: Hex): Limit | undefined {
  const digits = terms.slice(2).match(/.{40}/g) ?? [];
  const isWhole = digits.length > 0 && digits.length * 40 === terms.length - 2;
  return isWhole ? { targets: digits.map((one): Hex => `0x${one}`) } : undefined;
}

const partial = () => ({ isPartial: true });
const nothing = () => ({});

/** By address, of release 1.3.0. */
const enforcers: Readonly<Record<Hex, Enforcer>> = {
  "0xf100b0819427117ecf76ed94b358b1a5b5c6d2fc": {
    name: "a largest amount of a token",
    read: sized(52, (terms) => ({ tokenSpend: ofToken(terms) })),
  },
  "0x474e3ae7e169e940607cc624da8a15eb120139ab": {
    name: "an amount of a token in each period",
    read: sized(116, (terms) => ({ tokenSpend: inPeriods(ofToken(terms), terms, 52) })),
  },
  // Token, first amount, largest amount, amount per second, start.
  "0x56c97ae02f233b29fa03502ecc0457266d9be00e": {
    name: "a stream of a token",
    read: sized(148, (terms) => ({ tokenSpend: ofToken(terms, 52) })),
  },
  "0xf71af580b9c3078fbc2bbf16fbb8eed82b330320": {
    name: "a largest amount of ether",
    read: sized(32, (terms) => ({ etherSpend: ofEther(terms) })),
  },
  "0x9bc0faf4aca5ae429f4c06aeeac517520cb16bd9": {
    name: "an amount of ether in each period",
    read: sized(96, (terms) => ({ etherSpend: inPeriods(ofEther(terms), terms, 32) })),
  },
  // First amount, largest amount, amount per second, start.
  "0xd10b97905a320b13a0608f7e9cc506b56747df19": {
    name: "a stream of ether",
    read: sized(128, (terms) => ({ etherSpend: ofEther(terms, 32) })),
  },
  "0x146713078d39ecc1f5338309c28405ccf85abfbb": { name: "one call, to the byte", read: readCall },
  "0x1e141e455d08721dd5bcda1baa6ea5633afd5017": { name: "one batch of calls, to the byte", read: readBatch },
  "0x99f2e9bf15ce5ec84685604836f71ab835dbbded": {
    name: "calldata, to the byte",
    read: (terms) => ({ calldata: terms }),
  },
  "0x982fd5c86bbf425d7d1451f974192d4525113dfd": { name: "calldata of a batch, to the byte", read: partial },
  "0x7f20f61b1f09b08d970938f6fa563634d65c4eeb": { name: "contracts that may be called", read: readTargets },
  "0x2c21fd0cb9dc8445cb3fb0dc5e7bb0aca01842b5": { name: "functions that may be called", read: partial },
  "0xc2b0d624c1c4319760c96503ba27c347f3260f55": { name: "part of the calldata", read: partial },
  "0x92bf12322527caa612fd31a0e810472bbb106a8f": {
    name: "a largest value of ether in a call",
    read: sized(32, (terms) => ({ mostValue: word(terms, 0) })),
  },
  "0x04658b29f6b82ed55274221a06fc97d318e25416": {
    name: "a number of calls",
    read: sized(32, (terms) => ({ count: word(terms, 0) })),
  },
  "0x1046bb45c8d673d4ea75321280db34899413c069": {
    name: "a time",
    // Not before (16 bytes), then not after; zero says that there is no end.
    read: sized(32, (terms) => {
      const end = word(terms, 16, 16);
      return end === 0n ? {} : { until: end.toString() };
    }),
  },
  "0xe144b0b2618071b4e56f746313528a669c7e65c5": { name: "who may use it", read: nothing },
  "0xc8b5d93463c893401094cc70e66a206fb5987997": {
    name: "one use",
    read: sized(32, () => ({ count: 1n })),
  },
  "0xde4f2fac4b3d87a1d9953ca5fc09fca7f366254f": { name: "a nonce", read: nothing },
};

/** What all caveats together leave to the delegate. */
export interface Leeway {
  readonly names: readonly string[];
  readonly hasUnknown: boolean;
  /**
   * `everything`: calls to anybody with anything. `some`: something is bound, and no amount. `spend`: what can be taken has
   * an end. `calls`: these calls, `times` times.
   */
  readonly kind: "everything" | "some" | "spend" | "calls";
  readonly spend: Spend | null;
  readonly calls: readonly SignedCall[];
  /** Null where nothing counts the uses. */
  readonly times: bigint | null;
  readonly until: string | null;
}

export function readCaveats(caveats: readonly { readonly enforcer: Hex; readonly terms: Hex }[]): Leeway {
  const read = caveats.map(({ enforcer, terms }) => ({
    name: enforcers[enforcer]?.name ?? `the unknown enforcer ${enforcer}`,
    isKnown: enforcers[enforcer] !== undefined,
    limit: enforcers[enforcer]?.read(terms) ?? {},
  }));
  const limits = read.map(({ limit }) => limit);
  const pick = <T>(of: (limit: Limit) => T | undefined): T | undefined =>
    limits.map(of).find((one) => one !== undefined);
  const least = (values: readonly (bigint | undefined)[]): bigint | null =>
    values.reduce<bigint | null>(
      (low, one) => (one !== undefined && (low === null || one < low) ? one : low),
      null,
    );
  const times = least(limits.map(({ count }) => count));
  const mostValue = least(limits.map((one) => one.mostValue));
  const until = least(limits.map((one) => (one.until === undefined ? undefined : BigInt(one.until))));
  const shared = {
    names: read.map(({ name }) => name),
    hasUnknown: read.some(({ isKnown }) => !isKnown),
    spend: null,
    calls: [],
    times,
    until: until?.toString() ?? null,
  };
  const spend = pick(({ tokenSpend }) => tokenSpend);
  if (spend) return { ...shared, kind: "spend", spend };
  const calls = pick((limit) => limit.calls) ?? joinCall(limits, mostValue);
  if (calls) return { ...shared, kind: "calls", calls };
  const calldata = pick((limit) => limit.calldata);
  // Without calldata a call moves ether and nothing else.
  const byValue =
    mostValue !== null && times !== null
      ? { token: null, amount: (mostValue * times).toString() }
      : undefined;
  const ether = pick(({ etherSpend }) => etherSpend) ?? byValue;
  if (calldata === "0x" && ether) return { ...shared, kind: "spend", spend: ether };
  const isSome =
    shared.hasUnknown ||
    limits.some((one) => one.isPartial || one.targets !== undefined || one.calldata !== undefined);
  return { ...shared, kind: isSome ? "some" : "everything" };
}

/** One target, its calldata to the byte and no ether are one call to the byte. */
function joinCall(limits: readonly Limit[], mostValue: bigint | null): readonly SignedCall[] | undefined {
  const targets = limits.map((one) => one.targets).find((one) => one !== undefined);
  const data = limits.map((one) => one.calldata).find((one) => one !== undefined);
  const [to] = targets ?? [];
  const isOne = targets?.length === 1 && to !== undefined && data !== undefined && data !== "0x";
  return isOne && mostValue === 0n ? [{ to, data, value: "0" }] : undefined;
}
