import {
  type Address,
  encodeAbiParameters,
  encodeDeployData,
  erc20Abi,
  getContractAddress,
  type Hex,
  keccak256,
  maxUint256,
  numberToHex,
  parseEther,
  parseUnits,
} from "viem";
import { canonicalAddresses } from "./canonicalAddresses.js";
import type { Deployer, Installation } from "./createDeployer.js";
import { loadSample } from "./deploySamples.js";
import { devnetAccounts } from "./devnetAccounts.js";

/** A market of Morpho, with Morpho's names for its parameters. */
export interface LendingMarket {
  id: Hex;
  loanToken: Address;
  collateralToken: Address;
  oracle: Address;
  irm: Address;
  /** The share of the collateral's value that may be borrowed, with 18 decimals; a decimal string. */
  lltv: string;
}

const lltv = parseEther("0.86");
/** Morpho's 36 decimals, plus 6 of the stablecoin and 8 of its feed, minus 18 of wrapped ether and 8 of its feed. */
const scaleFactor = 10n ** 24n;
const dollars = (amount: string) => parseUnits(amount, 6);

/** Morpho, its oracle factory, and the feeds of the two tokens: one ether is worth 3,000 dollars, as in every pool. */
export function listLending(owner: Address): Installation[] {
  const { morpho, morphoOracleFactory, ethUsdFeed, usdcUsdFeed } = canonicalAddresses;
  const feed = loadSample("SamplePriceFeed");
  return [
    { address: morpho, artifact: loadSample("Morpho"), args: [owner] },
    { address: morphoOracleFactory, artifact: loadSample("SampleOracleFactory") },
    { address: ethUsdFeed, artifact: feed, args: [8, parseUnits("3000", 8)] },
    { address: usdcUsdFeed, artifact: feed, args: [8, parseUnits("1", 8)] },
  ];
}

/**
 * Queues a market that lends stablecoins against wrapped ether, with a million supplied, a tenth of it borrowed, and ten
 * ether of alice's as collateral. The contracts of `listLending` must be installed; the deployer must own Morpho and hold both
 * tokens.
 */
export function openLendingMarket(deployer: Deployer) {
  const { morpho, stablecoin, weth } = canonicalAddresses;
  const { abi } = loadSample("Morpho");
  const morphoOracle = createOracle(deployer);
  const morphoIrm = deployer.deploy(loadSample("IrmMock"));
  const call = (functionName: string, args: readonly unknown[]) =>
    deployer.send(morpho, abi, functionName, args);
  const { id: _, ...market } = describeLendingMarket({ morphoOracle, morphoIrm });
  call("enableIrm", [morphoIrm]);
  call("enableLltv", [lltv]);
  call("createMarket", [market]);
  for (const token of [stablecoin, weth]) deployer.send(token, erc20Abi, "approve", [morpho, maxUint256]);
  call("supply", [market, dollars("1000000"), 0n, deployer.address, "0x"]);
  call("supplyCollateral", [market, parseEther("100"), deployer.address, "0x"]);
  call("borrow", [market, dollars("100000"), 0n, deployer.address, deployer.address]);
  call("supplyCollateral", [market, parseEther("10"), devnetAccounts.alice.address, "0x"]);
  return { morphoOracle, morphoIrm };
}

/** Queues the market's oracle, created by the factory as Morpho's factory does on Base. */
function createOracle(deployer: Deployer): Address {
  const { morphoOracleFactory: from, ethUsdFeed, usdcUsdFeed } = canonicalAddresses;
  const args = [ethUsdFeed, usdcUsdFeed, scaleFactor];
  const salt = numberToHex(0, { size: 32 });
  deployer.send(from, loadSample("SampleOracleFactory").abi, "create", [...args, salt]);
  const { abi, bytecode } = loadSample("SampleFeedOracle");
  return getContractAddress({
    opcode: "CREATE2",
    from,
    salt,
    bytecode: encodeDeployData({ abi, bytecode, args }),
  });
}

const parameterTypes = ["address", "address", "address", "address", "uint256"].map((type) => ({ type }));

/** The market that `openLendingMarket` opens, with its id as Morpho computes it. */
export function describeLendingMarket(contracts: {
  morphoOracle: Address;
  morphoIrm: Address;
}): LendingMarket {
  const market = {
    loanToken: canonicalAddresses.stablecoin,
    collateralToken: canonicalAddresses.weth,
    oracle: contracts.morphoOracle,
    irm: contracts.morphoIrm,
    lltv: lltv.toString(),
  };
  return { id: keccak256(encodeAbiParameters(parameterTypes, Object.values(market))), ...market };
}
