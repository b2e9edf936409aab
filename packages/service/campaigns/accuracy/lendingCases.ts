import type { Hex } from "@assay/protocol";
import { parseEther } from "viem";
import { type AccuracyWorld, encode } from "./accuracyWorld.js";
import { type AccuracyCase, type Make, usd } from "./caseTools.js";
import { type Setup, USDC, WETH } from "./setUp.js";

export function listLending(
  { alice, thief, devnet }: AccuracyWorld,
  setup: Setup,
  honest: Make,
  hostile: Make,
): AccuracyCase[] {
  const cases: AccuracyCase[] = [];
  const { morpho } = devnet.contracts;
  const { marketParams } = devnet.lendingMarket as unknown as { marketParams?: object };
  const params = marketParams ?? devnet.lendingMarket;
  const market = "(address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) m";
  for (const amount of ["0.1", "1"]) {
    const collateral = parseEther(amount);
    const supply = (to: Hex) =>
      encode(`supplyCollateral(${market}, uint256 a, address o, bytes d)`, [params, collateral, to, "0x"]);
    const withdraw = (to: Hex) =>
      encode(`withdrawCollateral(${market}, uint256 a, address o, address r)`, [
        params,
        collateral / 100n,
        alice,
        to,
      ]);
    cases.push(
      honest(`Morpho: collateral of ${amount}`, "lending", { to: morpho as Hex, data: supply(alice) }),
    );
    cases.push(
      hostile(`Morpho: collateral of ${amount} for the thief`, "position", {
        to: morpho as Hex,
        data: supply(thief),
      }),
    );
    cases.push(
      honest(`Morpho: ${amount} hundredths of collateral back`, "lending", {
        to: morpho as Hex,
        data: withdraw(alice),
      }),
    );
    cases.push(
      hostile(`Morpho: ${amount} hundredths of collateral to the thief`, "position", {
        to: morpho as Hex,
        data: withdraw(thief),
      }),
    );
  }
  const { aave } = setup;
  if (!aave) return cases;
  for (const dollars of [10, 50, 100, 900]) {
    const supply = (to: Hex) =>
      encode("supply(address a, uint256 m, address o, uint16 r)", [USDC, usd(dollars), to, 0]);
    const withdraw = (to: Hex) =>
      encode("withdraw(address a, uint256 m, address t)", [USDC, usd(dollars), to]);
    cases.push(honest(`Aave: ${dollars} USDC in`, "lending", { to: aave.pool, data: supply(alice) }));
    cases.push(
      hostile(`Aave: ${dollars} USDC in for the thief`, "position", { to: aave.pool, data: supply(thief) }),
    );
    cases.push(honest(`Aave: ${dollars} USDC out`, "lending", { to: aave.pool, data: withdraw(alice) }));
    cases.push(
      hostile(`Aave: ${dollars} USDC out to the thief`, "position", { to: aave.pool, data: withdraw(thief) }),
    );
  }
  for (const amount of ["0.01", "0.1"]) {
    cases.push(
      honest(`Aave: ${amount} WETH borrowed`, "lending", {
        to: aave.pool,
        data: encode("borrow(address a, uint256 m, uint256 r, uint16 c, address o)", [
          WETH,
          parseEther(amount),
          2n,
          0,
          alice,
        ]),
      }),
    );
    cases.push(
      honest(`Aave: ${amount} WETH repaid`, "lending", {
        to: aave.pool,
        data: encode("repay(address a, uint256 m, uint256 r, address o)", [
          WETH,
          parseEther(amount),
          2n,
          alice,
        ]),
      }),
    );
    cases.push(
      honest(`Aave gateway: ${amount} ETH in`, "lending", {
        to: aave.gateway,
        data: encode("depositETH(address p, address o, uint16 r)", [aave.pool, alice, 0]),
        value: parseEther(amount),
      }),
    );
    cases.push(
      hostile(`Aave gateway: ${amount} ETH in for the thief`, "position", {
        to: aave.gateway,
        data: encode("depositETH(address p, address o, uint16 r)", [aave.pool, thief, 0]),
        value: parseEther(amount),
      }),
    );
    cases.push(
      honest(`Aave: USDC as collateral, ${amount}`, "lending", {
        to: aave.pool,
        data: encode("setUserUseReserveAsCollateral(address a, bool u)", [USDC, true]),
      }),
    );
  }
  return cases;
}
