import { hash32Schema } from "@assay/protocol";
import { z } from "zod";
import type { Exploration, FoundFunction } from "./exploreCode.js";

export const delegationOrigins = ["code", "self", "caller", "storage", "call", "unknown"] as const;

/** What a program does that is typical of programs made to take from those who call them. */
export const programSigns = [
  /** Takes tokens from any holder named in the call, to a fixed account. */
  "takes_from_anyone",
  /** Takes all that its caller has or has approved, to a fixed account. */
  "takes_all",
  /** Takes tokens of its caller to a fixed account and does nothing else. */
  "takes_for_nothing",
  /** Passes the ether of its caller on to a fixed account and does nothing else. */
  "forwards_ether",
  /** A named function accepts ether and does nothing. */
  "keeps_ether",
  /** Sends all that it holds to an account written in the code. */
  "sweeps",
] as const;
export type ProgramSign = (typeof programSigns)[number];

/** Functions by which proxies name the code that they run. */
const GETTERS = {
  implementation: 0x5c60da1b,
  proxyType: 0x4555d5c9,
} as const;
const getterNames = Object.keys(GETTERS) as (keyof typeof GETTERS)[];

const MAX_DELEGATIONS = 32;

/** What following all paths of a piece of code showed: a function of the code alone. */
export const programReadingSchema = z.strictObject({
  /** False where the code has more paths than were followed. */
  isComplete: z.boolean(),
  /** Whether an instruction that delegates is on a path that was not followed. */
  hasUnseenDelegation: z.boolean(),
  delegations: z
    .array(
      z.strictObject({
        origin: z.enum(delegationOrigins),
        isFallback: z.boolean(),
        slot: hash32Schema.nullable(),
      }),
    )
    .max(MAX_DELEGATIONS),
  /** Whether it has no function of its own: it passes every call on, and does nothing else. */
  isOnlyProxy: z.boolean(),
  getters: z.array(z.enum(getterNames as [keyof typeof GETTERS, ...(keyof typeof GETTERS)[]])),
  signs: z.array(z.enum(programSigns)),
});
export type ProgramReading = z.output<typeof programReadingSchema>;

export function summarizeProgram(exploration: Exploration): ProgramReading {
  const { isComplete, hasUnseenDelegation, delegations, functions } = exploration;
  const selectors = new Set(functions.map(({ selector }) => selector));
  return {
    isComplete,
    hasUnseenDelegation: hasUnseenDelegation || delegations.length > MAX_DELEGATIONS,
    delegations: delegations.slice(0, MAX_DELEGATIONS).map((delegation) => ({ ...delegation })),
    isOnlyProxy:
      isComplete &&
      delegations.length === 1 &&
      functions.every(
        ({ selector, stores, calls, forwardsEther, sweeps }) =>
          selector === null && !stores && !calls && !forwardsEther && !sweeps,
      ),
    getters: getterNames.filter((name) => selectors.has(GETTERS[name])),
    signs: programSigns.filter((sign) => functions.some((found) => SIGNS[sign](found, exploration))),
  };
}

type Recognise = (found: FoundFunction, exploration: Exploration) => boolean;
const SIGNS: Readonly<Record<ProgramSign, Recognise>> = {
  takes_from_anyone: ({ pullsFromAnyone }) => pullsFromAnyone,
  takes_all: ({ pullsAllFromCaller }) => pullsAllFromCaller,
  takes_for_nothing: (found, { isComplete }) => isComplete && found.pullsFromCaller && isIdle(found),
  forwards_ether: (found, { isComplete }) =>
    isComplete && found.forwardsEther && found.takesEther && !found.checksCaller && isIdle(found),
  // Contracts that keep accounts of their users may have a function for donations beside them.
  keeps_ether: (found, { isComplete, functions }) =>
    isComplete &&
    found.selector !== null &&
    found.takesEther &&
    !found.returns &&
    !found.forwardsEther &&
    !found.checksCaller &&
    isIdle(found) &&
    functions.every((other) => other.checksCaller || isIdle(other)),
  sweeps: ({ sweeps }) => sweeps,
};

/** Does nothing but what its other properties say: it keeps no record and calls nobody. */
const isIdle = ({ stores, calls, delegates }: FoundFunction): boolean => !stores && !calls && !delegates;
