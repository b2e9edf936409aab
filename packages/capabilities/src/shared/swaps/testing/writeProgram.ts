import {
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  type Hex,
  numberToHex,
  parseAbi,
  parseAbiParameters,
} from "viem";

/** One step of a program of the Universal Router, or one action of its V4 step. */
export type Step = readonly [command: number, types: string, values: readonly unknown[]];

/** The router's marks for the sender and for itself. */
export const SENDER = numberToHex(1, { size: 20 });
export const ITSELF = numberToHex(2, { size: 20 });

/** What a swap in V2 and in V3 pools takes: recipient, exact amount, limit, path, whether the sender pays. */
export const POOLS = "address, uint256, uint256, address[], bool";
export const PACKED = "address, uint256, uint256, bytes, bool";
export const POOL_KEY =
  "(address currency0, address currency1, uint24 fee, int24 tickSpacing, address hooks) poolKey";

const abi = parseAbi(["function execute(bytes commands, bytes[] inputs)"]);
const timedAbi = parseAbi(["function execute(bytes commands, bytes[] inputs, uint256 deadline)"]);

const write = (types: string, values: readonly unknown[]): Hex =>
  encodeAbiParameters(parseAbiParameters(types) as never, values as never);
const numbers = (codes: readonly number[]): Hex =>
  concatHex(codes.map((code) => numberToHex(code, { size: 1 })));

export function writeProgram(steps: readonly Step[], deadline?: bigint): Hex {
  const commands = numbers(steps.map(([command]) => command));
  const inputs = steps.map(([, types, values]) => write(types, values));
  return deadline === undefined
    ? encodeFunctionData({ abi, args: [commands, inputs] })
    : encodeFunctionData({ abi: timedAbi, args: [commands, inputs, deadline] });
}

/** The step that runs these actions in V4's pool manager. */
export const v4Step = (...actions: readonly Step[]): Step => [
  0x10,
  "bytes, bytes[]",
  [numbers(actions.map(([code]) => code)), actions.map(([, types, values]) => write(types, values))],
];

/** Tokens, and the fees of the pools between them. */
export const packed = (...parts: readonly (Hex | number)[]): Hex =>
  encodePacked(
    parts.map((part) => (typeof part === "number" ? "uint24" : "address")),
    parts as never,
  );
