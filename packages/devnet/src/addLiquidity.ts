import {
  type Address,
  encodeAbiParameters,
  encodePacked,
  erc20Abi,
  getContractAddress,
  keccak256,
  maxUint256,
  parseEther,
  parseUnits,
} from "viem";
import { canonicalAddresses } from "./canonicalAddresses.js";
import type { Deployer } from "./createDeployer.js";
import { loadSample, sampleSupply } from "./deploySamples.js";
import { type Artifact, loadArtifact } from "./loadArtifact.js";

// Every router and aggregator computes pool addresses from these hashes of the pools' creation code.
const v2PairCodeHash = "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f";
const v3PoolCodeHash = "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54";

interface Side {
  token: Address;
  amount: bigint;
}

interface TradedTokens {
  plainToken: Address;
  taxedToken: Address;
  honeypotToken: Address;
  freshToken: Address;
}

/**
 * Queues the pools. In every pool one ether is worth 3,000 stablecoins and one plain token 2 of them, so that
 * no route through two pools is better than the direct one.
 */
export function addLiquidity(deployer: Deployer, tokens: TradedTokens) {
  const { weth, stablecoin, uniswapV2Router, positionManager } = canonicalAddresses;
  const wethArtifact = loadArtifact("canonical-weth/build/contracts/WETH9.json");
  deployer.send(weth, wethArtifact.abi, "deposit", [], parseEther("100000"));
  for (const token of [weth, stablecoin, tokens.plainToken]) {
    for (const spender of [uniswapV2Router, positionManager]) {
      deployer.send(token, erc20Abi, "approve", [spender, maxUint256]);
    }
  }
  for (const token of [tokens.taxedToken, tokens.honeypotToken, tokens.freshToken]) {
    deployer.send(token, erc20Abi, "approve", [uniswapV2Router, maxUint256]);
  }

  const ether = (amount: string): Side => ({ token: weth, amount: parseEther(amount) });
  const dollars = (amount: string): Side => ({ token: stablecoin, amount: parseUnits(amount, 6) });
  const units = (token: Address, amount: string): Side => ({ token, amount: parseEther(amount) });
  const { plainToken, taxedToken, honeypotToken, freshToken } = tokens;
  const manager = loadArtifact(
    "@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json",
  );
  const router = loadArtifact("@uniswap/v2-periphery/build/UniswapV2Router02.json");
  const v2 = (left: Side, right: Side) => addV2(deployer, router, left, right);
  const v3 = (left: Side, right: Side, fee: 500 | 3000) => addV3(deployer, manager, left, right, fee);

  const pools = {
    uniswapV2PairWethStablecoin: v2(ether("1000"), dollars("3000000")),
    uniswapV2PairPlainWeth: v2(units(plainToken, "1500000"), ether("1000")),
    uniswapV2PairPlainStablecoin: v2(units(plainToken, "1000000"), dollars("2000000")),
    uniswapV2PairTaxedWeth: v2(units(taxedToken, "1000000"), ether("100")),
    uniswapV2PairHoneypotWeth: v2(units(honeypotToken, "1000000"), ether("100")),
    uniswapV2PairFreshWeth: v2(units(freshToken, "1000000"), ether("10")),
    uniswapV3PoolWethStablecoin500: v3(ether("1000"), dollars("3000000"), 500),
    uniswapV3PoolPlainWeth3000: v3(units(plainToken, "1500000"), ether("1000"), 3000),
    uniswapV3PoolPlainStablecoin3000: v3(units(plainToken, "1000000"), dollars("2000000"), 3000),
  };
  deployer.send(taxedToken, loadSample("TaxedToken").abi, "setPair", [pools.uniswapV2PairTaxedWeth]);
  deployer.send(honeypotToken, loadSample("HoneypotToken").abi, "setPair", [pools.uniswapV2PairHoneypotWeth]);
  deployer.send(freshToken, loadSample("FreshToken").abi, "renounceOwnership");
  return pools;
}

const nobody: Address = "0x000000000000000000000000000000000000dEaD";

/** Makes the fresh token what an honest launch is: its liquidity and what was not put into the pool belong to nobody. */
export function giveAwayFresh(deployer: Deployer, freshToken: Address, pair: Address): void {
  const { abi } = loadSample("FreshToken");
  const [tokens, ether] = [parseEther("1000000"), parseEther("10")];
  // A pair keeps the first thousand shares itself.
  deployer.send(pair, abi, "transfer", [nobody, squareRoot(tokens * ether) - 1000n]);
  deployer.send(freshToken, abi, "transfer", [nobody, sampleSupply - tokens]);
}

function addV2(deployer: Deployer, { abi }: Artifact, left: Side, right: Side): Address {
  const amounts = [left.amount, right.amount, 0n, 0n];
  deployer.send(canonicalAddresses.uniswapV2Router, abi, "addLiquidity", [
    left.token,
    right.token,
    ...amounts,
    deployer.address,
    maxUint256,
  ]);
  const [first, second] = sortSides(left, right);
  return getContractAddress({
    opcode: "CREATE2",
    from: canonicalAddresses.uniswapV2Factory,
    salt: keccak256(encodePacked(["address", "address"], [first.token, second.token])),
    bytecodeHash: v2PairCodeHash,
  });
}

function addV3(deployer: Deployer, { abi }: Artifact, left: Side, right: Side, fee: 500 | 3000): Address {
  const [first, second] = sortSides(left, right);
  const pool = [first.token, second.token, fee] as const;
  // The widest range the fee's tick spacing allows, so that no swap runs out of liquidity.
  const maxTick = fee === 500 ? 887_270 : 887_220;
  deployer.send(canonicalAddresses.positionManager, abi, "createAndInitializePoolIfNecessary", [
    ...pool,
    squareRoot((second.amount << 192n) / first.amount),
  ]);
  deployer.send(canonicalAddresses.positionManager, abi, "mint", [
    {
      token0: first.token,
      token1: second.token,
      fee,
      tickLower: -maxTick,
      tickUpper: maxTick,
      amount0Desired: first.amount,
      amount1Desired: second.amount,
      amount0Min: 0n,
      amount1Min: 0n,
      recipient: deployer.address,
      deadline: maxUint256,
    },
  ]);
  const types = [{ type: "address" }, { type: "address" }, { type: "uint24" }] as const;
  return getContractAddress({
    opcode: "CREATE2",
    from: canonicalAddresses.uniswapV3Factory,
    salt: keccak256(encodeAbiParameters(types, pool)),
    bytecodeHash: v3PoolCodeHash,
  });
}

function sortSides(left: Side, right: Side): [Side, Side] {
  return left.token.toLowerCase() < right.token.toLowerCase() ? [left, right] : [right, left];
}

/** Newton's method on integers. */
function squareRoot(value: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
