import type { Hex, Reading } from "@assay/protocol";
import type { ProvableAccount } from "../shared/proofs/provableFact.js";
import { describeAccount } from "../shared/proxies/describeAccount.js";
import type { LendingCollateralInput } from "./input.js";
import { locateMarket, MORPHO, type MorphoSlot, ORACLE_FACTORY } from "./morphoLayout.js";
import type { LendingCollateralReadings } from "./readings.js";

/** Morpho's words of the market and the position, and all code. No proof covers prices, rates and simulations. */
export function listLendingCollateralFacts(
  { marketId, userAddress, loanToken, collateralToken }: LendingCollateralInput,
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
