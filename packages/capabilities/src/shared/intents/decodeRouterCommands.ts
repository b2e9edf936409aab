import {
  type AbiParameter,
  decodeAbiParameters,
  type Hex,
  hexToBytes,
  parseAbiParameters,
  size,
  slice,
} from "viem";
import { measureAbi } from "../calls/measureAbi.js";

/** One command of the Universal Router with its arguments. */
interface RouterCommand {
  readonly name: string;
  readonly args: readonly (readonly [name: string, value: unknown])[];
}

interface DecodedCommands {
  readonly commands: readonly RouterCommand[];
  /** Bytes of inputs whose command is not known or does not accept them. */
  readonly undecodedBytes: number;
  readonly isBounded: boolean;
}

const PERMIT_DETAILS = "(address token, uint160 amount, uint48 expiration, uint48 nonce)";

/** From the router's `Commands.sol`. A v4 swap contains a program of its own, whose effects are only measured. */
const known: Readonly<Record<number, readonly [name: string, parameters: readonly AbiParameter[]]>> = {
  0: [
    "V3_SWAP_EXACT_IN",
    list("address recipient, uint256 amountIn, uint256 amountOutMin, bytes path, bool payerIsUser"),
  ],
  1: [
    "V3_SWAP_EXACT_OUT",
    list("address recipient, uint256 amountOut, uint256 amountInMax, bytes path, bool payerIsUser"),
  ],
  2: ["PERMIT2_TRANSFER_FROM", list("address token, address recipient, uint160 amount")],
  3: [
    "PERMIT2_PERMIT_BATCH",
    list(`(${PERMIT_DETAILS}[] details, address spender, uint256 sigDeadline) permit, bytes signature`),
  ],
  4: ["SWEEP", list("address token, address recipient, uint256 amountMin")],
  5: ["TRANSFER", list("address token, address recipient, uint256 value")],
  6: ["PAY_PORTION", list("address token, address recipient, uint256 bips")],
  8: [
    "V2_SWAP_EXACT_IN",
    list("address recipient, uint256 amountIn, uint256 amountOutMin, address[] path, bool payerIsUser"),
  ],
  9: [
    "V2_SWAP_EXACT_OUT",
    list("address recipient, uint256 amountOut, uint256 amountInMax, address[] path, bool payerIsUser"),
  ],
  10: [
    "PERMIT2_PERMIT",
    list(`(${PERMIT_DETAILS} details, address spender, uint256 sigDeadline) permit, bytes signature`),
  ],
  11: ["WRAP_ETH", list("address recipient, uint256 amountMin")],
  12: ["UNWRAP_WETH", list("address recipient, uint256 amountMin")],
  13: [
    "PERMIT2_TRANSFER_FROM_BATCH",
    list("(address from, address to, uint160 amount, address token)[] transfers"),
  ],
  14: ["BALANCE_CHECK_ERC20", list("address owner, address token, uint256 minBalance")],
  16: ["V4_SWAP", list("bytes actions, bytes[] params")],
  19: [
    "V4_INITIALIZE_POOL",
    list(
      "(address currency0, address currency1, uint24 fee, int24 tickSpacing, address hooks) poolKey, uint160 sqrtPriceX96",
    ),
  ],
  64: [
    "ACROSS_V4_DEPOSIT_V3",
    list(
      "address spokePool, address depositor, address recipient, address inputToken, address outputToken, uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId, address exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityDeadline, bytes message, bool useNative",
    ),
  ],
};
const SUB_PLAN = 0x21;
const subPlanParameters = list("bytes commands, bytes[] inputs");

const MAX_DEPTH = 3;
const MAX_COMMANDS = 64;

function list(parameters: string): readonly AbiParameter[] {
  return parseAbiParameters(parameters);
}

/** The commands in the order they run, sub-plans in their place. Throws when commands and inputs do not pair up. */
export function decodeRouterCommands(commands: Hex, inputs: readonly Hex[], depth = 1): DecodedCommands {
  if (size(commands) !== inputs.length) throw new RangeError("commands and inputs differ in number");
  if (inputs.length > MAX_COMMANDS || depth > MAX_DEPTH)
    return { commands: [], undecodedBytes: sumSizes(inputs), isBounded: true };
  const decoded = inputs.map((input, index): DecodedCommands => {
    // The highest bit lets a command fail. Version 2.1 uses the next one, which earlier versions ignore.
    const code = Number(slice(commands, index, index + 1)) & 0x7f;
    const bytes = size(input);
    try {
      if (code === SUB_PLAN) {
        const [inner, innerInputs] = decode(subPlanParameters, input) as [Hex, readonly Hex[]];
        return decodeRouterCommands(inner, innerInputs, depth + 1);
      }
      const [name, parameters] = known[code] ?? [];
      if (name === undefined || parameters === undefined)
        return { commands: [], undecodedBytes: Math.max(bytes, 1), isBounded: false };
      const values = decode(parameters, input);
      const args = parameters.map((parameter, at) => [parameter.name ?? String(at), values[at]] as const);
      return { commands: [{ name, args }], undecodedBytes: 0, isBounded: false };
    } catch {
      return { commands: [], undecodedBytes: Math.max(bytes, 1), isBounded: false };
    }
  });
  return {
    commands: decoded.flatMap((one) => one.commands),
    undecodedBytes: decoded.reduce((sum, one) => sum + one.undecodedBytes, 0),
    isBounded: decoded.some((one) => one.isBounded),
  };
}

function decode(parameters: readonly AbiParameter[], input: Hex): readonly unknown[] {
  measureAbi(parameters, hexToBytes(input));
  return decodeAbiParameters(parameters, input) as readonly unknown[];
}

const sumSizes = (inputs: readonly Hex[]) => inputs.reduce((sum, input) => sum + size(input), 0);
