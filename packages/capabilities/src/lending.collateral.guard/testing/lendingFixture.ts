import type { Chain } from "@assay/chain";
import { lowercase } from "@assay/chain/testing/lowercase";
import { useLocalChain } from "@assay/chain/testing/useLocalChain";
import type { Devnet } from "@assay/devnet";
import type { Hex } from "@assay/protocol";
import { parseEther, parseUnits } from "viem";
import { beforeAll } from "vitest";
import { verifyFacts } from "../../shared/proofs/provableFact.js";
import { createGatherContext } from "../../testing/createGatherContext.js";
import { runCapability } from "../../testing/runCapability.js";
import { gatherer } from "../gather/gather.js";
import { input as inputSchema } from "../input.js";
import { type MarketParams, marketIdOf } from "../morphoLayout.js";
import { rule } from "../rule.js";
import { createLender, type Lender } from "./lendingActions.js";

const lendingCollateralGuard = { ...rule, ...gatherer };

/** What a caller asks, with a market's own id and tokens unless it names others. */
export interface LendingQuestion {
  readonly params: MarketParams;
  readonly user: Hex;
  readonly amount: bigint;
  readonly marketId?: Hex;
  readonly loanToken?: Hex;
  readonly collateralToken?: Hex;
}

export interface LendingWorld extends Lender {
  readonly devnet: Devnet;
  readonly chain: Chain;
  readonly alice: Hex;
  readonly bob: Hex;
  /** The devnet's own market, in which alice has ten ether. */
  readonly honest: MarketParams;
  /** A market like the honest one except for these, filled the same way, with ten ether of alice's. */
  openLike(changes: Partial<MarketParams>): Promise<MarketParams>;
  guard(question: LendingQuestion, through?: Chain): ReturnType<typeof runGuard>;
}

async function createLendingWorld(devnet: Devnet, chain: Chain): Promise<LendingWorld> {
  const lender = createLender(devnet);
  await lender.start();
  const accountOf = (name: string) =>
    lowercase(devnet.accounts.find((account) => account.name === name)?.address ?? "");
  const { id: _, lltv, ...addresses } = devnet.lendingMarket;
  const honest: MarketParams = {
    loanToken: lowercase(addresses.loanToken),
    collateralToken: lowercase(addresses.collateralToken),
    oracle: lowercase(addresses.oracle),
    irm: lowercase(addresses.irm),
    lltv: BigInt(lltv),
  };
  const alice = accountOf("alice");
  return {
    ...lender,
    devnet,
    chain,
    alice,
    bob: accountOf("bob"),
    honest,
    async openLike(changes) {
      const params = { ...honest, ...changes };
      await lender.createMarket(params);
      await lender.supply(params, parseUnits("1000000", 6));
      await lender.addCollateral(params, parseEther("10"), alice);
      return params;
    },
    guard: (question, through = chain) => runGuard(through, question),
  };
}

/** Runs the capability as the service does; what was read must be proven. */
async function runGuard(chain: Chain, { params, user, amount, ...given }: LendingQuestion) {
  const block = await chain.latestBlock();
  const input = inputSchema.parse({
    marketId: given.marketId ?? marketIdOf(params),
    loanToken: given.loanToken ?? params.loanToken,
    collateralToken: given.collateralToken ?? params.collateralToken,
    userAddress: user,
    borrowAmountWei: amount.toString(),
  });
  const context = createGatherContext(chain, block);
  const result = await runCapability(lendingCollateralGuard, context, input);
  verifyFacts(context.proofs, result.facts);
  return { ...result, input, proofs: context.proofs, block };
}

/** A world for the tests of one file, as it was before each of them. */
export function useLendingWorld() {
  const local = useLocalChain();
  let world: LendingWorld | undefined;
  beforeAll(async () => {
    world = await createLendingWorld(local.devnet, local.chain);
  }, 60_000);
  return (): LendingWorld => {
    if (!world) throw new Error("the world is not there yet");
    return world;
  };
}
