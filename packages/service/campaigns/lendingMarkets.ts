import type { MarketParams } from "@assay/capabilities/lending.collateral.guard/morphoLayout";
import { type Lender, loadSample } from "@assay/capabilities/lending.collateral.guard/testing/lendingActions";
import { lowercase } from "@assay/chain/testing/lowercase";
import type { SeededChoices } from "@assay/chain/testing/seededChoices";
import type { Devnet } from "@assay/devnet";
import type { Hex } from "@assay/protocol";
import { zeroAddress } from "viem";

/** A market with suppliers, other borrowers, a user's position, and some time gone by. */
export interface RandomMarket {
  readonly params: MarketParams;
  readonly user: Hex;
  /** As its oracle returns it. */
  readonly price: bigint;
}

const WAD = 10n ** 18n;

/** A number whose size, not only whose digits, is random: from 1 to below 10^`places`. */
function randomAmount(choices: SeededChoices, places: number): bigint {
  const digits = choices.integer(1, places);
  return 1n + (BigInt(choices.hex(32)) % 10n ** BigInt(digits));
}

/**
 * Amounts from single units to 10^27, prices over fifty orders of magnitude, any limit, fees up to a quarter, with and
 * without an interest model, and waits from nothing to three years.
 */
export async function createRandomMarket(
  choices: SeededChoices,
  devnet: Devnet,
  lender: Lender,
): Promise<RandomMarket> {
  const [user, other] = choices.shuffle(devnet.accounts).map(({ address }) => lowercase(address)) as [
    Hex,
    Hex,
  ];
  const supply = 10n ** 30n;
  const [loanToken, collateralToken] = [
    await lender.deploy("PlainToken", [supply]),
    await lender.deploy("PlainToken", [supply]),
  ];
  const oracle = await lender.deploy("OracleMock");
  const params: MarketParams = {
    loanToken,
    collateralToken,
    oracle,
    irm: choices.chance(0.2) ? zeroAddress : lowercase(devnet.contracts.morphoIrm),
    lltv: (BigInt(choices.integer(1, 999_999)) * WAD) / 1_000_000n,
  };
  await lender.createMarket(params);
  const supplied = randomAmount(choices, 27);
  await lender.supply(params, supplied);
  const collateral = randomAmount(choices, 27);
  await lender.addCollateral(params, collateral, user);
  const price = choosePrice(choices, supplied, collateral);
  const setPrice = (to: bigint) => lender.call(oracle, loadSample("OracleMock").abi, "setPrice", [to]);
  await setPrice(price);
  if (choices.chance(0.5)) {
    await lender.onMorpho("setFeeRecipient", [other]);
    await lender.onMorpho("setFee", [params, (BigInt(choices.integer(1, 250)) * WAD) / 1_000n]);
  }
  await addDebts(choices, devnet, lender, params, { user, other, supplied, collateral, price });
  await wait(choices, devnet);
  // Prices move after positions were opened, too.
  const moved = choices.chance(0.3) ? (price * BigInt(choices.integer(500, 1_500))) / 1_000n : price;
  await setPrice(moved);
  return { params, user, price: moved };
}

/** Mostly such that the collateral is worth between a thousandth and a thousand times what is supplied. */
function choosePrice(choices: SeededChoices, supplied: bigint, collateral: bigint): bigint {
  if (choices.chance(0.05)) return randomAmount(choices, 50);
  const fair = (supplied * 10n ** 36n) / collateral;
  return (fair * randomAmount(choices, 6)) / 1_000n;
}

interface Parties {
  readonly user: Hex;
  readonly other: Hex;
  readonly supplied: bigint;
  readonly collateral: bigint;
  readonly price: bigint;
}

/** Somebody else's debt, which makes interest, and in half of all rounds an older one of the user's. */
async function addDebts(
  choices: SeededChoices,
  devnet: Devnet,
  lender: Lender,
  params: MarketParams,
  { user, other, supplied, collateral, price }: Parties,
): Promise<void> {
  const borrow = (from: Hex, assets: bigint) =>
    lender.trySend({ from, to: lender.morpho, data: lender.encodeBorrow(params, assets, from) });
  const part = (whole: bigint) => (whole * BigInt(choices.integer(1, 1_000))) / 1_000n;
  if (choices.chance(0.8)) {
    await lender.addCollateral(params, 10n ** 28n, other);
    const lent = part(supplied);
    // A borrow that Morpho refuses is skipped.
    if (lent > 0n) await borrow(other, lent);
    await wait(choices, devnet);
  }
  const allowed = (((collateral * price) / 10n ** 36n) * params.lltv) / WAD;
  const older = part(allowed < supplied ? allowed : supplied);
  if (choices.chance(0.5) && older > 0n) await borrow(user, older);
}

const YEAR = 365 * 24 * 3600;

async function wait(choices: SeededChoices, devnet: Devnet): Promise<void> {
  const seconds = choices.pick([0, 1, choices.integer(2, 3_600), choices.integer(3_600, 3 * YEAR)]);
  if (seconds > 0) await devnet.request("evm_increaseTime", [seconds]);
  await devnet.mine();
}
