import type { CallRead } from "@assay/chain";
import { type Hex, mapReading, noAnswer, type Reading } from "@assay/protocol";
import { encodeFunctionData, erc20Abi, zeroAddress } from "viem";
import type { GatherContext, Gathered, Gatherer } from "../../gathering.js";
import {
  describeSubject,
  requestSubject,
  subjectCalls,
} from "../../shared/observations/gather/observedSubject.js";
import { cutAnswer, WORD_ANSWER_BYTES } from "../../shared/reads/gather/cutAnswer.js";
import { fingerprintReading } from "../../shared/reads/gather/fingerprintReading.js";
import { readAccounts } from "../../shared/reads/gather/readAccounts.js";
import { gasPriceAt, needsLoan, priceRead } from "../../shared/simulation/gather/simulatedFees.js";
import { type FoundMarket, findLendingMarket } from "../findLendingMarket.js";
import type { LendingCollateralInput } from "../input.js";
import {
  locateMarket,
  MORPHO,
  type MorphoSlot,
  morphoAbi,
  morphoSlotNames,
  ORACLE_FACTORY,
} from "../morphoLayout.js";
import type { LendingCollateralReadings } from "../readings.js";
import { planBorrowRuns } from "./planBorrowRuns.js";
import { parseOracleParts, readOracleParts } from "./priceLens.js";

type Input = LendingCollateralInput;
type First = Omit<LendingCollateralReadings, "block" | "market">;
type MarketReadings = NonNullable<LendingCollateralReadings["market"]>;

/** Six words of a market; a seventh shows that there was more. */
const MAX_VIEW_ANSWER = 32 * 7;

/**
 * Two batches: the market and the position out of Morpho's storage, then whatever the market names, its oracle and its
 * interest model, with the borrow itself. Nothing is kept: what a caller means to borrow is private.
 */
async function gatherLendingCollateral(
  context: GatherContext,
  input: Input,
): Promise<Gathered<LendingCollateralReadings>> {
  const first = await readMarket(context, input);
  const search = findLendingMarket(input, first.slots);
  const market =
    search.status === "found" ? await readNamed(context, input, search, first.userBalance) : null;
  const { number, hash, timestamp } = context.block;
  return { readings: { block: { number, hash, timestamp }, ...first, market } };
}

async function readMarket(context: GatherContext, input: Input): Promise<First> {
  const { marketId, userAddress, loanToken, collateralToken } = input;
  const places = locateMarket(marketId, userAddress);
  // Each account is read once: the proof collector takes one proof of each.
  const others = [...new Set([loanToken, collateralToken, ORACLE_FACTORY])].filter((one) => one !== MORPHO);
  const { accounts, others: answers } = await readAccounts(
    context,
    [
      { address: MORPHO, slots: morphoSlotNames.map((name) => places[name]) },
      ...others.map((address) => ({ address, slots: [] })),
    ],
    [
      ask(MORPHO, encodeFunctionData({ abi: morphoAbi, functionName: "idToMarketParams", args: [marketId] })),
      ask(MORPHO, encodeFunctionData({ abi: morphoAbi, functionName: "market", args: [marketId] })),
      ask(
        MORPHO,
        encodeFunctionData({ abi: morphoAbi, functionName: "position", args: [marketId, userAddress] }),
      ),
      ask(loanToken, encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [MORPHO] })),
      { kind: "balance", address: userAddress },
    ],
  );
  const [params, market, position, loanTokenHeld, balance] = answers;
  const codeOf = (address: Hex) => fingerprintReading(accounts[others.indexOf(address) + 1]?.code);
  const words = morphoSlotNames.map((name, index) => [name, accounts[0]?.slots[index] ?? noAnswer]);
  return {
    codes: {
      morpho: codeOf(MORPHO),
      loanToken: codeOf(loanToken),
      collateralToken: codeOf(collateralToken),
      oracleFactory: codeOf(ORACLE_FACTORY),
    },
    slots: Object.fromEntries(words) as Record<MorphoSlot, Reading<Hex>>,
    views: {
      idToMarketParams: cutAnswer(params, MAX_VIEW_ANSWER),
      market: cutAnswer(market, MAX_VIEW_ANSWER),
      position: cutAnswer(position, MAX_VIEW_ANSWER),
    },
    loanTokenHeld: cutAnswer(loanTokenHeld, WORD_ANSWER_BYTES),
    userBalance: mapReading(balance ?? noAnswer, (quantity) => BigInt(quantity).toString()),
  };
}

async function readNamed(
  context: GatherContext,
  input: Input,
  { params, market }: FoundMarket,
  userBalance: LendingCollateralReadings["userBalance"],
): Promise<MarketReadings> {
  const { oracle, irm } = params;
  const hasModel = irm !== zeroAddress;
  const runs = planBorrowRuns(input, params, context.block.hash);
  const gasPrice = gasPriceAt(context.block);
  const heldWei = userBalance.status === "value" ? BigInt(userBalance.value) : null;
  const loan = heldWei !== null && needsLoan(heldWei, 0n, gasPrice) ? { heldWei } : undefined;
  const [, masterCopyCall] = subjectCalls(oracle);
  const rate = encodeFunctionData({ abi: morphoAbi, functionName: "borrowRateView", args: [params, market] });
  const { accounts, others } = await readAccounts(
    context,
    [requestSubject(oracle), ...(hasModel ? [{ address: irm, slots: [] }] : [])],
    [
      masterCopyCall,
      // Called as Morpho calls it: a contract may answer differently to another caller.
      { ...ask(oracle, encodeFunctionData({ abi: morphoAbi, functionName: "price" })), from: MORPHO },
      ask(
        ORACLE_FACTORY,
        encodeFunctionData({ abi: morphoAbi, functionName: "isMorphoChainlinkOracleV2", args: [oracle] }),
      ),
      readOracleParts(params),
      ...runs.reads.map((read) => priceRead(read, gasPrice, loan)),
      ...(hasModel ? [{ ...ask(irm, rate), from: MORPHO }] : []),
    ],
  );
  const [masterCopy, price, isFactoryMade, parts = noAnswer, call, probe, rateAnswer] =
    others as readonly Reading<Hex>[];
  const { paused: _, ...subject } = describeSubject(accounts[0], undefined, masterCopy);
  return {
    oracle: {
      address: oracle,
      ...subject,
      price: cutAnswer(price, WORD_ANSWER_BYTES),
      isFactoryMade: cutAnswer(isFactoryMade, WORD_ANSWER_BYTES),
      sight: parseOracleParts(parts),
    },
    irm: hasModel
      ? {
          address: irm,
          code: fingerprintReading(accounts[1]?.code),
          rate: cutAnswer(rateAnswer, WORD_ANSWER_BYTES),
        }
      : null,
    borrow: runs.parse(call, probe),
  };
}

const ask = (to: Hex, data: Hex): CallRead => ({ kind: "call", to, data });

export const gatherer: Gatherer<LendingCollateralInput, LendingCollateralReadings> = {
  gather: gatherLendingCollateral,
};
