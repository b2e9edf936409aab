import { type Hex, size, slice } from "viem";
import { type DecodedArguments, decodeFirst } from "./decodeArguments.js";
import { type DecodedCall, decodeCall } from "./decodeCall.js";
import { type Meaning, type RoleName, readMeanings } from "./meaning.js";
import { type CallContext, readPath } from "./readPath.js";
import { routerSteps } from "./texts/routerSteps.js";
import { type TokenLookup, writeSentence } from "./writeSentence.js";

/** One step of a program of the Universal Router or of v4's position manager. */
export interface RouterStep {
  readonly name: string;
  readonly meaning: Meaning;
  readonly args: readonly unknown[];
  /** Values of the roles; the router's marks for the sender and for itself are replaced where both are known. */
  readonly roles: Readonly<Partial<Record<RoleName, unknown>>>;
  readonly sentence: string;
  readonly complete: boolean;
  /** The program goes on when this step fails. */
  readonly mayFail: boolean;
  /** Routers before 2.1 read this step's number differently. */
  readonly dependsOnVersion: boolean;
  readonly inner: readonly RouterStep[];
}

export interface RouterProgram {
  readonly steps: readonly RouterStep[];
  /** Calls that a step passes on to a position manager as they are. */
  readonly calls: readonly DecodedCall[];
  /** Whether every byte of every step is explained. */
  readonly complete: boolean;
}

const MAX_STEPS = 64;
const MAX_DEPTH = 3;
const MAY_FAIL = 0x80;
/** Routers of version 2.1 number more steps: they read seven bits of the number, earlier ones six. */
const SEVENTH_BIT = 0x40;
const POSITION_MANAGER_STEPS = [0x11, 0x12, 0x14];
const incomplete: RouterProgram = { steps: [], calls: [], complete: false };

let known: ReadonlyMap<string, readonly Meaning[]> | undefined;

function findSteps(protocol: string, code: number): readonly Meaning[] {
  if (known === undefined) {
    const all = readMeanings(routerSteps);
    const keys = new Set(all.map((meaning) => `${meaning.protocol} ${Number(meaning.selector)}`));
    known = new Map(
      [...keys].map((key) => [key, all.filter((one) => `${one.protocol} ${Number(one.selector)}` === key)]),
    );
  }
  return known.get(`${protocol} ${code}`) ?? [];
}

/** The steps of `execute(commands, inputs)` in the order they run. Never throws: what is not known makes it incomplete. */
export function decodeRouterProgram(
  commands: Hex,
  inputs: readonly Hex[],
  tokens?: TokenLookup,
  context: CallContext = {},
  depth = 1,
): RouterProgram {
  if (size(commands) !== inputs.length || inputs.length > MAX_STEPS || depth > MAX_DEPTH) return incomplete;
  return joinPrograms(
    inputs.map((input, index) => {
      const byte = Number(slice(commands, index, index + 1));
      const code = byte & ~MAY_FAIL;
      if (POSITION_MANAGER_STEPS.includes(code)) return passOn(input, tokens, context);
      const decoded = decodeFirst(findSteps("Universal Router", code), input);
      if (decoded === undefined) return incomplete;
      const inner = decodeInner(decoded, tokens, context, depth);
      const facts = { mayFail: (byte & MAY_FAIL) !== 0, dependsOnVersion: (code & SEVENTH_BIT) !== 0 };
      return describeStep(decoded, inner, tokens, context, facts);
    }),
  );
}

/** The steps of v4's `modifyLiquidities(unlockData)`, which a router's v4 swap has too. */
export function decodeV4Program(
  actions: Hex,
  params: readonly Hex[],
  tokens?: TokenLookup,
  context: CallContext = {},
): RouterProgram {
  if (size(actions) !== params.length || params.length > MAX_STEPS) return incomplete;
  return joinPrograms(
    params.map((param, index) => {
      const code = Number(slice(actions, index, index + 1));
      const decoded = decodeFirst(findSteps("Uniswap v4", code), param);
      if (decoded === undefined) return incomplete;
      return describeStep(decoded, undefined, tokens, context, { mayFail: false, dependsOnVersion: false });
    }),
  );
}

function decodeInner(
  { meaning, args }: DecodedArguments,
  tokens: TokenLookup | undefined,
  context: CallContext,
  depth: number,
): RouterProgram | undefined {
  const [codes, inputs] = args as [Hex, readonly Hex[]];
  if (meaning.declaration.startsWith("EXECUTE_SUB_PLAN("))
    return decodeRouterProgram(codes, inputs, tokens, context, depth + 1);
  if (meaning.declaration.startsWith("V4_SWAP(")) return decodeV4Program(codes, inputs, tokens, context);
  return undefined;
}

function passOn(input: Hex, tokens: TokenLookup | undefined, context: CallContext): RouterProgram {
  // The router is the caller, and which position manager it calls is not in the calldata.
  const call = decodeCall(input, undefined, tokens, { from: context.to });
  return call === undefined ? incomplete : { steps: [], calls: [call], complete: call.complete };
}

function describeStep(
  decoded: DecodedArguments,
  inner: RouterProgram | undefined,
  tokens: TokenLookup | undefined,
  context: CallContext,
  facts: Pick<RouterStep, "mayFail" | "dependsOnVersion">,
): RouterProgram {
  const { meaning, inputs, args } = decoded;
  const read = (path: string) => replaceMark(readPath(path, inputs, args, context), context);
  const step: RouterStep = {
    name: meaning.declaration.slice(0, meaning.declaration.indexOf("(")),
    meaning,
    args,
    roles: Object.fromEntries(Object.entries(meaning.roles).map(([role, path]) => [role, read(path)])),
    sentence: writeSentence(meaning.sentence, {
      read,
      tokens,
      from: context.from,
      to: context.to,
      name: context.name,
    }),
    complete: decoded.complete && (inner?.complete ?? true),
    inner: inner?.steps ?? [],
    ...facts,
  };
  return { steps: [step], calls: inner?.calls ?? [], complete: step.complete };
}

/** Address 1 stands for the sender, address 2 for the contract that runs the program. */
function replaceMark(value: unknown, { from, to }: CallContext): unknown {
  if (value === "0x0000000000000000000000000000000000000001") return from ?? value;
  return value === "0x0000000000000000000000000000000000000002" ? (to ?? value) : value;
}

const joinPrograms = (programs: readonly RouterProgram[]): RouterProgram => ({
  steps: programs.flatMap(({ steps }) => steps),
  calls: programs.flatMap(({ calls }) => calls),
  complete: programs.every(({ complete }) => complete),
});
