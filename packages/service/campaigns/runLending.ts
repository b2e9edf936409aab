import { getCapability } from "@assay/capabilities";
import { gatherer } from "@assay/capabilities/lending.collateral.guard/gather/gather";
import {
  type MarketParams,
  marketIdOf,
  morphoAbi,
} from "@assay/capabilities/lending.collateral.guard/morphoLayout";
import { rule } from "@assay/capabilities/lending.collateral.guard/rule";
import {
  createLender,
  type Lender,
} from "@assay/capabilities/lending.collateral.guard/testing/lendingActions";
import { createGatherContext } from "@assay/capabilities/testing/createGatherContext";
import type { Chain } from "@assay/chain";
import { createChain } from "@assay/chain";
import { createRoundChoices, type SeededChoices } from "@assay/chain/testing/seededChoices";
import { createDevnet, type Devnet } from "@assay/devnet";
import type { Hex } from "@assay/protocol";
import { decodeFunctionResult, encodeFunctionData, erc20Abi } from "viem";
import { type CampaignOptions, type CampaignSummary, Tally } from "./commandLine.js";
import { createRandomMarket, type RandomMarket } from "./lendingMarkets.js";

export interface LendingOptions extends CampaignOptions {
  /** Positions; several borrows are tried on each. */
  readonly rounds: number;
}

export interface LendingSummary extends CampaignSummary {
  readonly rounds: number;
  /** Borrows by what kind of amount was asked for, and by how they ended. */
  readonly seen: Tally;
  /** Numbers compared with the contract's own. */
  readonly compared: number;
  readonly ms: number;
}

interface World {
  readonly devnet: Devnet;
  readonly chain: Chain;
  readonly lender: Lender;
}

/**
 * Random markets, positions, waits and borrows. A borrow must run exactly when the guard says so, and every number that
 * the guard computed must equal the contract's own afterwards, to the last digit.
 */
export async function runLending(options: LendingOptions): Promise<LendingSummary> {
  const startedAt = performance.now();
  const devnet = await createDevnet({ blockTimeMs: 0 });
  const chain = await createChain({ rpcUrls: [devnet.rpcUrl], expectedChainId: 8453 });
  const lender = createLender(devnet);
  const world = { devnet, chain, lender };
  const seen = new Tally();
  const violations: string[] = [];
  let compared = 0;
  try {
    await lender.start();
    for (let round = 0; round < options.rounds; round += 1) {
      const snapshot = await devnet.snapshot();
      const choices = createRoundChoices(options.seed, round);
      const market = await createRandomMarket(choices, devnet, lender);
      for (const [kind, amount] of await listAmounts(choices, world, market)) {
        const result = await compareOnce(world, market, amount);
        seen.add(`${kind}: ${result.ended}`);
        compared += result.compared;
        violations.push(...result.differences.map((line) => `round ${round}, ${kind} ${amount}: ${line}`));
      }
      await devnet.revert(snapshot);
      if ((round + 1) % 100 === 0) options.onProgress?.(`lending: ${round + 1} of ${options.rounds}`);
    }
  } finally {
    await chain.close();
    await devnet.close();
  }
  const ms = Math.round(performance.now() - startedAt);
  return { campaign: "lending", seed: options.seed, rounds: options.rounds, seen, compared, violations, ms };
}

interface Position {
  readonly health: { readonly after: string | null };
  readonly debt: { readonly after: string; readonly allowed: string };
  readonly mostBorrowable: string;
}
type Computed = Readonly<
  Record<"shares" | "totalBorrowAssets" | "totalBorrowShares" | "borrowShares", string>
> & {
  readonly succeeds: boolean;
  readonly liquidityAfter: string;
};

async function guard({ chain }: World, { params, user }: RandomMarket, amount: bigint) {
  const input = getCapability("lending.collateral.guard").input.parse({
    marketId: marketIdOf(params),
    loanToken: params.loanToken,
    collateralToken: params.collateralToken,
    userAddress: user,
    borrowAmountWei: amount.toString(),
  });
  const block = await chain.latestBlock();
  const { readings } = await gatherer.gather(createGatherContext(chain, block), input);
  const { findings, reasonCodes } = rule.evaluate(input, readings);
  const { succeeds } = findings.measured as { succeeds: boolean | null };
  return {
    block,
    reasonCodes,
    computed: findings.computed as Computed | null,
    position: findings.position as Position | null,
    isCalledWell: succeeds,
  };
}

/** One at random, and those on both sides of the line that the guard itself draws. */
async function listAmounts(choices: SeededChoices, world: World, market: RandomMarket) {
  const { position } = await guard(world, market, 1n);
  const most = BigInt(position?.mostBorrowable ?? "0");
  const share = BigInt(choices.integer(1, 1_500_000));
  const amounts: [kind: string, amount: bigint][] = [
    ["random", (most * share) / 1_000_000n + 1n],
    ["most", most],
    ["most and one", most + 1n],
  ];
  return amounts.filter(([, amount]) => amount > 0n);
}

async function compareOnce(world: World, market: RandomMarket, amount: bigint) {
  const { devnet, lender } = world;
  const { params, user, price } = market;
  const guarded = await guard(world, market, amount);
  const snapshot = await devnet.snapshot();
  const before = await readHeld(devnet, params, user);
  // In a block of the same second, so that as much interest is owed.
  await devnet.request("evm_setNextBlockTimestamp", [guarded.block.timestamp]);
  const receipt = await lender.trySend({
    from: user,
    to: lender.morpho,
    data: lender.encodeBorrow(params, amount, user),
  });
  const ended = receipt.status === "0x1" ? "runs" : "reverts";
  const differences: string[] = [];
  const compare = (what: string, ours: unknown, theirs: unknown) => {
    if (String(ours) !== String(theirs))
      differences.push(`${what}: the guard says ${ours}, the contract ${theirs}`);
  };
  compare("computed", guarded.computed?.succeeds ? "runs" : "reverts", ended);
  compare("called", guarded.isCalledWell ? "runs" : "reverts", ended);
  compare(
    "disagreements",
    guarded.reasonCodes.filter((code) => /DISAGREES|DIFFERS|BY_CALLER/.test(code)),
    "",
  );
  if (ended === "reverts") {
    await devnet.revert(snapshot);
    return { ended, differences, compared: 3 };
  }
  const after = await readMarket(world, params, user);
  const [supplyAssets, , borrowAssets, borrowShares] = after.market;
  const owed = divideUp(after.position[1] * (borrowAssets + 1n), borrowShares + 10n ** 6n);
  const allowed = (((after.position[2] * price) / 10n ** 36n) * params.lltv) / 10n ** 18n;
  compare("received", amount, (await readHeld(devnet, params, user)) - before);
  compare("totalBorrowAssets", guarded.computed?.totalBorrowAssets, borrowAssets);
  compare("totalBorrowShares", guarded.computed?.totalBorrowShares, borrowShares);
  compare("liquidityAfter", guarded.computed?.liquidityAfter, supplyAssets - borrowAssets);
  compare("borrowShares", guarded.computed?.borrowShares, after.position[1]);
  compare("debt", guarded.position?.debt.after, owed);
  compare("allowed", guarded.position?.debt.allowed, allowed);
  compare("health", guarded.position?.health.after, (allowed * 10n ** 18n) / owed);
  await devnet.revert(snapshot);
  return { ended, differences, compared: 11 };
}

const divideUp = (x: bigint, d: bigint) => (x + d - 1n) / d;

async function readHeld(devnet: Devnet, { loanToken }: MarketParams, user: Hex): Promise<bigint> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [user] });
  return BigInt(await devnet.request<Hex>("eth_call", [{ to: loanToken, data }, "latest"]));
}

async function readMarket({ devnet, lender }: World, params: MarketParams, user: Hex) {
  const id = marketIdOf(params);
  const ask = (data: Hex) => devnet.request<Hex>("eth_call", [{ to: lender.morpho, data }, "latest"]);
  const [market, position] = await Promise.all([
    ask(encodeFunctionData({ abi: morphoAbi, functionName: "market", args: [id] })),
    ask(encodeFunctionData({ abi: morphoAbi, functionName: "position", args: [id, user] })),
  ]);
  return {
    market: decodeFunctionResult({ abi: morphoAbi, functionName: "market", data: market }),
    position: decodeFunctionResult({ abi: morphoAbi, functionName: "position", data: position }),
  };
}
