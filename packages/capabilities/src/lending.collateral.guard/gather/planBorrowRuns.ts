import { createRequire } from "node:module";
import type { CallRead } from "@assay/chain";
import { type Hex, noAnswer, type Reading } from "@assay/protocol";
import { type Abi, decodeFunctionResult, encodeFunctionData } from "viem";
import { TRANSACTION_GAS_CAP } from "../../shared/chain-facts/transactionGasCap.js";
import { cutAnswer } from "../../shared/reads/gather/cutAnswer.js";
import { nameFreshAccount } from "../../shared/simulation/gather/nameFreshAccount.js";
import { parseProbeAnswer } from "../../shared/simulation/gather/parseProbeAnswer.js";
import type { LendingCollateralInput } from "../input.js";
import { locateAuthorization, type MarketParams, MORPHO, morphoAbi } from "../morphoLayout.js";
import type { LendingCollateralReadings } from "../readings.js";
import { type Word, wordOrNull } from "./wordOrNull.js";

const artifact = createRequire(import.meta.url)("@assay/contracts/out/BorrowProbe.json") as {
  readonly abi: Abi;
  readonly deployedBytecode: Hex;
};

type BorrowReadings = NonNullable<LendingCollateralReadings["market"]>["borrow"];
type ProbeOutcome = Extract<BorrowReadings["probe"], { status: "value" }>["value"];

/** A revert reason fits; what a contract returns beyond is not needed. */
const MAX_CALL_ANSWER = 1024;
const YES: Hex = `0x${"1".padStart(64, "0")}`;

/** The reads that make the borrow, and the parser of their answers, which come in the same order. */
export interface BorrowRuns {
  readonly reads: readonly [call: CallRead, probe: CallRead];
  parse(call: Reading<Hex> | undefined, probe: Reading<Hex> | undefined): BorrowReadings;
}

/**
 * The borrow as the user would send it, and once more by `contracts/src/BorrowProbe.sol`. The probe's address follows from
 * the block's hash, so that no contract can expect it, and a state override lets it act for the user in Morpho.
 */
export function planBorrowRuns(
  input: LendingCollateralInput,
  params: MarketParams,
  blockHash: Hex,
): BorrowRuns {
  const { userAddress: user, marketId } = input;
  const assets = BigInt(input.borrowAmountWei);
  const probe = nameFreshAccount(blockHash, marketId, "probe");
  return {
    reads: [
      {
        kind: "call",
        from: user,
        to: MORPHO,
        data: encodeFunctionData({
          abi: morphoAbi,
          functionName: "borrow",
          args: [params, assets, 0n, user, user],
        }),
        gas: TRANSACTION_GAS_CAP,
      },
      {
        kind: "call",
        from: user,
        to: probe,
        data: encodeFunctionData({
          abi: artifact.abi,
          functionName: "run",
          args: [MORPHO, marketId, params, assets, user],
        }),
        gas: TRANSACTION_GAS_CAP,
        overrides: {
          [probe]: { code: artifact.deployedBytecode },
          [MORPHO]: { stateDiff: { [locateAuthorization(user, probe)]: YES } },
        },
      },
    ],
    parse: (call, answer = noAnswer) => ({
      call: cutAnswer(call, MAX_CALL_ANSWER),
      probe: parseProbeAnswer(answer, describeProbe),
    }),
  };
}

interface Outcome {
  readonly success: boolean;
  readonly returned: Hex;
  readonly heldBefore: Word;
  readonly heldAfter: Word;
  readonly market: Readonly<
    Record<
      | "totalSupplyAssets"
      | "totalSupplyShares"
      | "totalBorrowAssets"
      | "totalBorrowShares"
      | "lastUpdate"
      | "fee",
      bigint
    >
  >;
  readonly position: Readonly<Record<"borrowShares" | "collateral", bigint>>;
  readonly price: Word;
  readonly line: bigint;
  readonly holdsOnLine: boolean;
  readonly holdsBelowLine: boolean;
}

function describeProbe(data: Hex): ProbeOutcome {
  const outcome = decodeFunctionResult({ abi: artifact.abi, functionName: "run", data }) as Outcome;
  const { market, position } = outcome;
  return {
    success: outcome.success,
    returned: outcome.returned,
    heldBefore: wordOrNull(outcome.heldBefore),
    heldAfter: wordOrNull(outcome.heldAfter),
    market: {
      totalSupplyAssets: market.totalSupplyAssets.toString(),
      totalSupplyShares: market.totalSupplyShares.toString(),
      totalBorrowAssets: market.totalBorrowAssets.toString(),
      totalBorrowShares: market.totalBorrowShares.toString(),
      lastUpdate: market.lastUpdate.toString(),
      fee: market.fee.toString(),
    },
    position: {
      borrowShares: position.borrowShares.toString(),
      collateral: position.collateral.toString(),
    },
    price: wordOrNull(outcome.price),
    line: outcome.line.toString(),
    holdsOnLine: outcome.holdsOnLine,
    holdsBelowLine: outcome.holdsBelowLine,
  };
}
