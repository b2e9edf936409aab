import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Devnet } from "@assay/devnet";
import type { Hex } from "@assay/protocol";
import {
  type Abi,
  concatHex,
  encodeAbiParameters,
  erc20Abi,
  parseAbi,
  parseAbiParameters,
  parseEther,
  zeroAddress,
} from "viem";
import { PERMIT2 } from "../../shared/chain-facts/knownContracts.js";
import { baseLaunchVenues } from "../../shared/pools/launchVenues.js";
import type { createLauncher } from "../../testing/createLauncher.js";

const POSITIONS = baseLaunchVenues.singleton?.positions as Hex;
const managerAbi = parseAbi([
  "function initialize((address currency0, address currency1, uint24 fee, int24 tickSpacing, address hooks) key, uint160 price)",
]);
const positionsAbi = parseAbi(["function modifyLiquidities(bytes data, uint256 deadline)"]);
const mint = parseAbiParameters(
  "(address, address, uint24, int24, address), int24, int24, uint256, uint128, uint128, address, bytes",
);
const settle = parseAbiParameters("address, uint256, bool");
/** MINT_POSITION, and SETTLE of what the manager has, for both currencies (v4-periphery's Actions). */
const ACTIONS = concatHex(["0x02", "0x0b", "0x0b"]);
const MAX_TICK = 887_272;
const SOLD = parseEther("400");

const PUBLISHED = "@uniswap/universal-router/artifacts/contracts/UniversalRouter.sol/UniversalRouter.json";

/** Uniswap's manager of V4's positions, whose code is among the types of a package. */
function loadPositionManager(): {
  readonly abi: Abi;
  readonly bytecode: Hex;
  readonly deployedBytecode: Hex;
} {
  const require = createRequire(import.meta.resolve("@assay/devnet"));
  const artifact = require.resolve(PUBLISHED);
  const types = new URL("../../../typechain/factories/PositionManager__factory.ts", `file://${artifact}`);
  const bytecode = /_bytecode =\s*"(0x[0-9a-f]+)"/.exec(readFileSync(types, "utf8"))?.[1] as Hex;
  const abi = parseAbi(["constructor(address, address, uint256, address, address)"]);
  return { abi, bytecode, deployedBytecode: "0x" };
}

export interface V4Terms {
  readonly hooks?: Hex;
  readonly fee?: number;
  readonly tickSpacing?: number;
  /** Of the position: nobody where it is left out. */
  readonly owner?: Hex;
  /** What each side of the pool holds over the whole range. */
  readonly amount?: bigint;
  /** The position ends so many ticks from the price, and less than `amount` is in it. */
  readonly ticks?: number;
  /** Who sells tokens at any higher price, by a position of its own that is out of range; nobody where it is left out. */
  readonly seller?: Hex;
  /** How many times the price it begins to sell at; at once where it is left out. */
  readonly dearer?: number;
}

/** Opens a V4 pool over the whole range against wrapped ether, one for one, with a position of Uniswap's manager. */
export async function openV4Pool(
  devnet: Devnet,
  launcher: ReturnType<typeof createLauncher>,
  token: Hex,
  {
    hooks = zeroAddress,
    fee = 3000,
    tickSpacing = 60,
    owner = "0x000000000000000000000000000000000000dEaD",
    amount = parseEther("100"),
    ticks = MAX_TICK,
    seller,
    dearer = 1,
  }: V4Terms = {},
): Promise<void> {
  const { weth, poolManager } = devnet.contracts;
  if ((await devnet.request<Hex>("eth_getCode", [POSITIONS, "latest"])) === "0x") {
    const args = [poolManager, PERMIT2, 300_000n, zeroAddress, weth];
    const deployed = await launcher.create(loadPositionManager(), args);
    const code = await devnet.request<Hex>("eth_getCode", [deployed, "latest"]);
    await devnet.request("hardhat_setCode", [POSITIONS, code]);
  }
  const [first, second] = (BigInt(token) < BigInt(weth) ? [token, weth] : [weth, token]) as readonly [
    Hex,
    Hex,
  ];
  const key = { currency0: first, currency1: second, fee, tickSpacing, hooks };
  await launcher.call(poolManager, managerAbi, "initialize", [key, 2n ** 96n]);
  const most = 2n ** 128n - 1n;
  const settled = [first, second].map((side) => encodeAbiParameters(settle, [side, 0n, false]));
  const give = async (lower: number, upper: number, liquidity: bigint, to: Hex, funds: bigint) => {
    for (const side of [first, second]) await launcher.call(side, erc20Abi, "transfer", [POSITIONS, funds]);
    const terms = [first, second, fee, tickSpacing, hooks] as const;
    const position = encodeAbiParameters(mint, [terms, lower, upper, liquidity, most, most, to, "0x"]);
    const data = encodeAbiParameters(parseAbiParameters("bytes, bytes[]"), [ACTIONS, [position, ...settled]]);
    await launcher.call(POSITIONS, positionsAbi, "modifyLiquidities", [data, 2n ** 40n]);
  };
  const edgeOf = (tick: number) => Math.floor(tick / tickSpacing) * tickSpacing;
  // A unit more than the manager may ask for.
  const funds = ticks === MAX_TICK ? amount + 1n : (amount * BigInt(ticks)) / 20_000n + 1n;
  await give(-edgeOf(ticks), edgeOf(ticks), amount, owner, funds);
  if (seller === undefined) return;
  const begin = edgeOf(Math.log(dearer) / Math.log(1.0001)) + tickSpacing;
  const [near, far] = [begin, edgeOf(MAX_TICK)];
  if (first === token) await give(near, far, SOLD, seller, SOLD);
  else await give(-far, -near, SOLD, seller, SOLD);
}
