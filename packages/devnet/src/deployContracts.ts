import { type Hex, parseUnits, zeroAddress } from "viem";
import { addLiquidity, giveAwayFresh } from "./addLiquidity.js";
import { canonicalAddresses } from "./canonicalAddresses.js";
import { createDeployer, type Installation } from "./createDeployer.js";
import type { Evm } from "./createEvm.js";
import { deployPermissioned, listFeeds } from "./deployPermissioned.js";
import { deployPrediction, listProcedures } from "./deployPrediction.js";
import { deployProxies, deployTokens, deployWallet, loadSample } from "./deploySamples.js";
import { devnetAccounts } from "./devnetAccounts.js";
import { loadArtifact, loadMulticall3 } from "./loadArtifact.js";
import { listLending, openLendingMarket } from "./openLendingMarket.js";
import { listV4, openV4Pools, tradeInV4, v4Hooks } from "./openV4Pools.js";

const dollarsEach = parseUnits("1000000", 6);

/** Deploys everything that the devnet offers. Returns each contract's address by its name, and the hash of a trade. */
export async function deployContracts(evm: Evm) {
  const deployer = createDeployer(evm);
  // The node sends for the deployer during set-up, which is much faster than signing here.
  await evm("hardhat_impersonateAccount", [deployer.address]);
  const stablecoin = loadSample("Stablecoin");
  await deployer.install([
    { address: canonicalAddresses.stablecoin, artifact: stablecoin, args: [deployer.address] },
    { address: canonicalAddresses.multicall3, artifact: loadMulticall3() },
    ...listUniswap(deployer.address),
  ]);
  const wallet1271 = deployWallet(deployer);
  const payers = [...devnetAccounts.users.map(({ address }) => address), wallet1271];
  for (const payer of payers)
    deployer.send(canonicalAddresses.stablecoin, stablecoin.abi, "mint", [payer, dollarsEach]);
  deployer.send(canonicalAddresses.stablecoin, stablecoin.abi, "mint", [
    deployer.address,
    100n * dollarsEach,
  ]);
  const tokens = deployTokens(deployer);
  const proxies = deployProxies(deployer);
  const pools = addLiquidity(deployer, tokens);
  // After the samples: each installation takes a nonce, which would change the addresses of everything that is deployed later.
  await deployer.install([
    ...listV4(deployer.address),
    ...listLending(deployer.address),
    ...listFeeds(),
    ...listProcedures(),
  ]);
  const prediction = deployPrediction(deployer);
  const permissioned = deployPermissioned(deployer);
  const v4 = openV4Pools(deployer, tokens.plainToken);
  const lending = openLendingMarket(deployer);
  giveAwayFresh(deployer, tokens.freshToken, pools.uniswapV2PairFreshWeth);
  tradeInV4(deployer, tokens.plainToken, v4.v4SwapRouter);
  const sampleTrade = (await deployer.flush()).at(-1) as Hex;
  // Last, for the same reason.
  await deployer.install([
    { address: canonicalAddresses.l1Block, artifact: loadSample("SampleL1Block") },
    { address: canonicalAddresses.gasPriceOracle, artifact: loadSample("SampleGasPriceOracle") },
    ...listBatchSettlement(),
  ]);
  // Code that is set by force is part of the state root from the next block on.
  await evm("evm_mine", []);
  await evm("hardhat_stopImpersonatingAccount", [deployer.address]);
  const contracts = {
    ...canonicalAddresses,
    wallet1271,
    ...tokens,
    ...proxies,
    ...pools,
    ...prediction,
    ...permissioned,
    ...v4Hooks,
    ...v4,
    ...lending,
  };
  return { contracts, sampleTrade };
}

/** Each contract's address on the devnet, by its name. */
export type DevnetContracts = Awaited<ReturnType<typeof deployContracts>>["contracts"];

/** What payments of x402's scheme `batch-settlement` need. */
function listBatchSettlement(): Installation[] {
  const { batchSettlement, erc3009DepositCollector, permit2DepositCollector } = canonicalAddresses;
  const args = [batchSettlement];
  return [
    { address: batchSettlement, artifact: loadSample("BatchSettlement") },
    { address: erc3009DepositCollector, artifact: loadSample("Erc3009DepositCollector"), args },
    { address: permit2DepositCollector, artifact: loadSample("Permit2DepositCollector"), args },
  ];
}

function listUniswap(feeSetter: `0x${string}`): Installation[] {
  const {
    weth,
    uniswapV2Factory,
    uniswapV2Router,
    uniswapV3Factory,
    swapRouter02,
    quoterV2,
    positionManager,
  } = canonicalAddresses;
  const routers = "@uniswap/swap-router-contracts/artifacts/contracts";
  const manager = "NonfungiblePositionManager";
  return [
    { address: weth, artifact: loadArtifact("canonical-weth/build/contracts/WETH9.json") },
    {
      address: uniswapV2Factory,
      artifact: loadArtifact("@uniswap/v2-core/build/UniswapV2Factory.json"),
      args: [feeSetter],
    },
    {
      address: uniswapV2Router,
      artifact: loadArtifact("@uniswap/v2-periphery/build/UniswapV2Router02.json"),
      args: [uniswapV2Factory, weth],
    },
    {
      address: uniswapV3Factory,
      artifact: loadArtifact(
        "@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json",
      ),
    },
    {
      address: swapRouter02,
      artifact: loadArtifact(`${routers}/SwapRouter02.sol/SwapRouter02.json`),
      args: [uniswapV2Factory, uniswapV3Factory, positionManager, weth],
    },
    {
      address: quoterV2,
      artifact: loadArtifact(`${routers}/lens/QuoterV2.sol/QuoterV2.json`),
      args: [uniswapV3Factory, weth],
    },
    {
      address: positionManager,
      artifact: loadArtifact(`@uniswap/v3-periphery/artifacts/contracts/${manager}.sol/${manager}.json`),
      // The descriptor only draws the picture of a position.
      args: [uniswapV3Factory, weth, zeroAddress],
    },
  ];
}
