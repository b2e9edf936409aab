import type { CapabilityInput, Hex, Reading } from "@assay/protocol";
import { locateMarket, MORPHO, type MorphoSlot, ORACLE_FACTORY } from "./lending/morphoLayout.js";
import type { LendingCollateralReadings } from "./lendingCollateralReadings.js";
import { describeAccount } from "./listContractGuardFacts.js";
import type { ProvableAccount } from "./provableFact.js";

/** Morpho's words of the market and the position, and all code. Prices, rates and what was simulated no proof can show. */
export function listLendingCollateralFacts(
  { marketId, userAddress, loanToken, collateralToken }: CapabilityInput<"lending.collateral.guard">,
  { codes, slots, market }: LendingCollateralReadings,
): ProvableAccount[] {
  const places = locateMarket(marketId, userAddress);
  const words = (Object.entries(slots) as [MorphoSlot, Reading<Hex>][]).flatMap(([name, reading]) =>
    reading.status === "value" ? [{ slot: places[name], value: reading.value }] : [],
  );
  const plain = [
    { address: loanToken, code: codes.loanToken },
    { address: collateralToken, code: codes.collateralToken },
    { address: ORACLE_FACTORY, code: codes.oracleFactory },
    ...(market?.irm ? [market.irm] : []),
  ];
  return [
    { ...describeAccount({ address: MORPHO, code: codes.morpho, slots: {} }), slots: words },
    ...plain.map(({ address, code }) => describeAccount({ address, code, slots: {} })),
    ...(market ? [describeAccount(market.oracle)] : []),
  ];
}
