import { createRequire } from "node:module";
import {
  type Abi,
  encodeFunctionData,
  type Hex,
  keccak256,
  maxUint160,
  maxUint256,
  parseAbi,
  zeroAddress,
} from "viem";
import { beforeAll } from "vitest";
import { PERMIT2 } from "../../shared/chain-facts/knownContracts.js";
import type { SwapRouter } from "../../shared/swaps/swapRouters.js";
import { POOL_KEY, type Step, v4Step } from "../../shared/swaps/testing/writeProgram.js";
import { createLauncher } from "../../testing/createLauncher.js";
import { loadSample } from "../../testing/loadSample.js";
import type { useSwapFixture } from "./swapFixture.js";

type World = ReturnType<typeof useSwapFixture>;

const permit2Abi = parseAbi(["function approve(address, address, uint160, uint48)"]);
const FOREVER = 2 ** 48 - 1;

/** Lets an account's tokens be taken through Permit2, by the router alone. */
export async function allowThroughPermit2(world: World, from: Hex, tokens: readonly Hex[], router: Hex) {
  for (const token of tokens) {
    await world.call(from, token, "approve", [PERMIT2, maxUint256]);
    const data = encodeFunctionData({ abi: permit2Abi, args: [token, router, maxUint160, FOREVER] });
    await world.send({ from, to: PERMIT2, data, value: "0" });
  }
}

/** The router as Uniswap publishes it, with the local chain's pools. Permit2 is a sample: allowances, and signatures for one. */
export function usePublishedRouter(world: World): () => SwapRouter {
  let router: SwapRouter;
  beforeAll(async () => {
    const { devnet, alice, tokens } = world;
    const require = createRequire(import.meta.resolve("@assay/devnet"));
    const load = (path: string) => require(path) as { readonly abi: Abi; readonly bytecode: string };
    const bytesOf = ({ bytecode }: { readonly bytecode: string }): Hex => `0x${bytecode.replace(/^0x/, "")}`;
    const published = load(
      "@uniswap/universal-router/artifacts/contracts/UniversalRouter.sol/UniversalRouter.json",
    );
    const pool = load("@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json");
    const { uniswapV2Factory, uniswapV3Factory, poolManager, positionManager } = devnet.contracts;
    const parameters = {
      permit2: PERMIT2,
      weth9: tokens.weth,
      v2Factory: uniswapV2Factory,
      v3Factory: uniswapV3Factory,
      pairInitCodeHash: keccak256(bytesOf(load("@uniswap/v2-core/build/UniswapV2Pair.json"))),
      poolInitCodeHash: keccak256(bytesOf(pool)),
      v4PoolManager: poolManager,
      v3NFTPositionManager: positionManager,
      v4PositionManager: zeroAddress,
      spokePool: zeroAddress,
    };
    const sample = { abi: published.abi, bytecode: bytesOf(published) };
    const address = await createLauncher(devnet).create(sample, [parameters]);
    router = { kind: "universal_router", address, factories: [] };
    await devnet.request("hardhat_setCode", [PERMIT2, loadSample("SamplePermit2").deployedBytecode]);
    await allowThroughPermit2(world, alice, [tokens.usdc, tokens.weth, tokens.plainToken], address);
  }, 60_000);
  return () => router;
}

const V4_SINGLE = `(${POOL_KEY}, bool zeroForOne, uint128 amount, uint128 limit, bytes hookData) swap`;

interface V4Terms {
  readonly hooks?: Hex;
  readonly fee?: number;
  readonly token?: Hex;
}

/** Wrapped ether for plain tokens, or for another token. */
export function swapInV4(
  { tokens: { weth, plainToken: plain } }: World,
  recipient: Hex,
  exact: bigint,
  limit: bigint,
  { hooks = zeroAddress, fee = 3000, token: plainToken = plain }: V4Terms = {},
  ...further: readonly Step[]
): Step {
  const isTokenFirst = plainToken < weth;
  const [currency0, currency1] = isTokenFirst ? [plainToken, weth] : [weth, plainToken];
  const poolKey = { currency0, currency1, fee, tickSpacing: 60, hooks };
  return v4Step(
    [0x06, V4_SINGLE, [{ poolKey, zeroForOne: !isTokenFirst, amount: exact, limit, hookData: "0x" }]],
    [0x0c, "address, uint256", [weth, exact]],
    [0x0e, "address, address, uint256", [plainToken, recipient, 0n]],
    ...further,
  );
}
