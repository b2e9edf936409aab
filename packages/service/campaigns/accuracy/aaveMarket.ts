import type { Hex } from "@assay/protocol";
import { pad, stringToHex } from "viem";
import { type AccuracyWorld, encode } from "./accuracyWorld.js";

const CORE = "@aave/core-v3/artifacts/contracts";
export const AAVE_POOL: Hex = "0xa238dd80c259a72e81d7e4664a9801593f98d1c5";
const ZERO: Hex = "0x0000000000000000000000000000000000000000";

export interface AaveMarket {
  readonly pool: Hex;
  readonly aUsdc: Hex;
  readonly aWeth: Hex;
  readonly debtWeth: Hex;
  readonly gateway: Hex;
}

/** Aave's published contracts with two reserves, its pool at the address of Base. */
export async function installAave(world: AccuracyWorld): Promise<AaveMarket> {
  const { deploy, load, send, deployer, devnet } = world;
  const { stablecoin, weth } = devnet.contracts;
  const core = (path: string, libraries?: Readonly<Record<string, Hex>>) =>
    load(`${CORE}/${path}.sol/${path.split("/").at(-1)}.json`, libraries);
  const provider = await deploy(core("protocol/configuration/PoolAddressesProvider"), ["local", deployer]);
  await send({ to: provider, data: encode("setACLAdmin(address a)", [deployer]) });
  const acl = await deploy(core("protocol/configuration/ACLManager"), [provider]);
  await send({ to: provider, data: encode("setACLManager(address a)", [acl]) });
  for (const role of ["addPoolAdmin", "addAssetListingAdmin", "addRiskAdmin"])
    await send({ to: acl, data: encode(`${role}(address a)`, [deployer]) });
  const logic = "protocol/libraries/logic";
  const libraries: Record<string, Hex> = {};
  for (const name of [
    "BorrowLogic",
    "BridgeLogic",
    "ConfiguratorLogic",
    "EModeLogic",
    "LiquidationLogic",
    "PoolLogic",
    "SupplyLogic",
  ])
    libraries[name] = await deploy(core(`${logic}/${name}`, libraries));
  libraries.FlashLoanLogic = await deploy(core(`${logic}/FlashLoanLogic`, libraries));
  const implementation = await deploy(core("protocol/pool/Pool", libraries), [provider]);
  // The provider would create the proxy at an address of its own.
  const proxy = "protocol/libraries/aave-upgradeability/InitializableImmutableAdminUpgradeabilityProxy";
  await world.install(AAVE_POOL, core(proxy), [provider]);
  await devnet.request("hardhat_setBalance", [provider, "0xde0b6b3a7640000"]);
  await send({
    from: provider,
    to: AAVE_POOL,
    data: encode("initialize(address a, bytes b)", [
      implementation,
      encode("initialize(address p)", [provider]),
    ]),
  });
  const id = (name: string) => pad(stringToHex(name), { dir: "right", size: 32 });
  await send({ to: provider, data: encode("setAddress(bytes32 i, address a)", [id("POOL"), AAVE_POOL]) });
  const configuratorCode = await deploy(core("protocol/pool/PoolConfigurator", libraries));
  await send({ to: provider, data: encode("setPoolConfiguratorImpl(address a)", [configuratorCode]) });
  const configurator =
    `0x${(await world.view(provider, "getPoolConfigurator() view returns (address)")).slice(-40)}` as Hex;
  const oracle = await deploy(core("mocks/oracle/PriceOracle"));
  await send({ to: provider, data: encode("setPriceOracle(address a)", [oracle]) });
  await send({ to: oracle, data: encode("setAssetPrice(address a, uint256 p)", [stablecoin, 100_000_000n]) });
  await send({ to: oracle, data: encode("setAssetPrice(address a, uint256 p)", [weth, 300_000_000_000n]) });
  const aToken = await deploy(core("protocol/tokenization/AToken"), [AAVE_POOL]);
  const stableDebt = await deploy(core("protocol/tokenization/StableDebtToken"), [AAVE_POOL]);
  const variableDebt = await deploy(core("protocol/tokenization/VariableDebtToken"), [AAVE_POOL]);
  const ray = 10n ** 27n;
  const rates = [ray / 2n, 0n, ray / 50n, ray / 2n, ray / 50n, ray / 2n, ray / 100n, ray / 100n, ray / 5n];
  const strategy = await deploy(core("protocol/pool/DefaultReserveInterestRateStrategy"), [
    provider,
    ...rates,
  ]);
  const reserve = (asset: Hex, decimals: number, symbol: string) => ({
    aTokenImpl: aToken,
    stableDebtTokenImpl: stableDebt,
    variableDebtTokenImpl: variableDebt,
    underlyingAssetDecimals: decimals,
    interestRateStrategyAddress: strategy,
    underlyingAsset: asset,
    treasury: deployer,
    incentivesController: ZERO,
    aTokenName: `Aave ${symbol}`,
    aTokenSymbol: `aBas${symbol}`,
    variableDebtTokenName: `Aave debt ${symbol}`,
    variableDebtTokenSymbol: `variableDebtBas${symbol}`,
    stableDebtTokenName: `Aave stable ${symbol}`,
    stableDebtTokenSymbol: `stableDebtBas${symbol}`,
    params: "0x10",
  });
  const shape =
    "(address aTokenImpl, address stableDebtTokenImpl, address variableDebtTokenImpl, uint8 underlyingAssetDecimals, address interestRateStrategyAddress, address underlyingAsset, address treasury, address incentivesController, string aTokenName, string aTokenSymbol, string variableDebtTokenName, string variableDebtTokenSymbol, string stableDebtTokenName, string stableDebtTokenSymbol, bytes params)";
  await send({
    to: configurator,
    data: encode(`initReserves(${shape}[] inputs)`, [
      [reserve(stablecoin as Hex, 6, "USDC"), reserve(weth as Hex, 18, "WETH")],
    ]),
  });
  for (const asset of [stablecoin, weth]) {
    await send({
      to: configurator,
      data: encode("configureReserveAsCollateral(address a, uint256 l, uint256 t, uint256 b)", [
        asset,
        7500n,
        8000n,
        10500n,
      ]),
    });
    await send({ to: configurator, data: encode("setReserveBorrowing(address a, bool e)", [asset, true]) });
  }
  const data = await deploy(core("misc/AaveProtocolDataProvider"), [provider]);
  const tokensOf = async (asset: string) => {
    const words = await world.view(
      data,
      "getReserveTokensAddresses(address a) view returns (address,address,address)",
      [asset],
    );
    return [0, 1, 2].map((index) => `0x${words.slice(2 + index * 64 + 24, 66 + index * 64)}` as Hex);
  };
  const [aUsdc, aWeth, debtWeth] = [
    (await tokensOf(stablecoin))[0],
    (await tokensOf(weth))[0],
    (await tokensOf(weth))[2],
  ];
  const gateway: Hex = "0xa0d9c1e9e48ca30c8d8c3b5d69ff5dc1f6dffc24";
  await world.install(
    gateway,
    load("@aave/periphery-v3/artifacts/contracts/misc/WrappedTokenGatewayV3.sol/WrappedTokenGatewayV3.json"),
    [weth, deployer, AAVE_POOL],
  );
  // The constructor's approval is made by the code that stands at the address.
  return { pool: AAVE_POOL, aUsdc: aUsdc as Hex, aWeth: aWeth as Hex, debtWeth: debtWeth as Hex, gateway };
}
