import { getCapability } from "@assay/capabilities";
import { v2Abi } from "@assay/capabilities/amm.swap.guard/testing/swapAbi";
import { samplePool } from "@assay/capabilities/amm.v4.hook.guard/testing/samplePool";
import { lowercase } from "@assay/chain/testing/lowercase";
import type { Hex } from "@assay/protocol";
import { encodeFunctionData, erc20Abi, parseEther, zeroAddress } from "viem";
import { accountOf } from "../../payer.js";
import type { TestService } from "../../startTestService.js";

export interface Question {
  readonly capability: string;
  readonly input: unknown;
}

const STRANGER: Hex = `0x${"c0".repeat(20)}`;

/** One question to each capability that reads the chain; all is well with what they are about. `mined` is a transaction. */
export function sampleQuestions(service: Pick<TestService, "chainOf">, mined: Hex) {
  const { contracts, lendingMarket } = service.chainOf;
  const alice = lowercase(accountOf(service, "alice").address);
  const about = (address: string) => ({ address: lowercase(address) });
  const soon = BigInt(Math.floor(Date.now() / 1000) + 600);
  const inputs = {
    "contract.guard": about(contracts.plainToken),
    "contract.change": about(contracts.plainToken),
    "contract.interface": about(contracts.plainToken),
    "token.metadata": about(contracts.plainToken),
    "token.launch.guard": about(contracts.freshToken),
    "rwa.market.guard": { ...about(contracts.permissionedToken), symbol: "STF" },
    "transaction.intent.guard": getCapability("transaction.intent.guard").input.parse({
      from: alice,
      to: lowercase(contracts.stablecoin),
      data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [STRANGER, 5n] }),
      value: "0",
    }),
    // Native value for dollars, which needs no approval.
    "amm.swap.guard": {
      from: alice,
      to: lowercase(contracts.uniswapV2Router),
      data: encodeFunctionData({
        abi: v2Abi,
        functionName: "swapExactETHForTokens",
        args: [2_950_000_000n, [contracts.weth, contracts.stablecoin], alice, soon],
      }),
      value: parseEther("1").toString(),
    },
    "amm.v4.hook.guard": samplePool(contracts, zeroAddress),
    // Five thousand dollars on ten ether.
    "lending.collateral.guard": {
      marketId: lendingMarket.id,
      collateralToken: lowercase(lendingMarket.collateralToken),
      loanToken: lowercase(lendingMarket.loanToken),
      userAddress: alice,
      borrowAmountWei: "5000000000",
    },
    "chain.snapshot": {},
    "prediction.evidence": {
      question: "Will the lamp of Skerry Point be dark on the night of 31 December 2026?",
      market: lowercase(contracts.predictionMarket),
    },
    "trade.execution.notarize": { txHash: mined },
  };
  return (capability: keyof typeof inputs): Question => ({ capability, input: inputs[capability] });
}

export type Asked = Parameters<ReturnType<typeof sampleQuestions>>[0];
