import { type CapabilityId, getCapability } from "@assay/capabilities";
import { listLocalSamples } from "@assay/capabilities/samples";
import { v2Abi } from "@assay/capabilities/testing/swapAbi";
import { lowercase } from "@assay/chain/testing/lowercase";
import type { Hex } from "@assay/protocol";
import { encodeFunctionData, parseEther } from "viem";
import { accountOf } from "../../payer.js";
import type { TestService } from "../../startTestService.js";

export interface Question {
  readonly capability: string;
  readonly input: unknown;
}

/** One question to each capability that reads the chain; all is well with what they are about. `mined` is a transaction. */
export function sampleQuestions(service: Pick<TestService, "chainOf">, mined: Hex) {
  const { contracts } = service.chainOf;
  const samples = listLocalSamples(service.chainOf);
  const takeSample = (id: CapabilityId, name: string) => {
    const sample = samples[id]?.find((one) => one.name === name);
    if (!sample) throw new Error(`the local chain has no sample ${name} of ${id}`);
    return getCapability(id).input.parse(sample.input);
  };
  const alice = lowercase(accountOf(service, "alice").address);
  // Later than the longest campaign ends, and less than the hour that counts as far.
  const soon = BigInt(Math.floor(Date.now() / 1000) + 3_000);
  const inputs = {
    "contract.guard": takeSample("contract.guard", "plainToken"),
    "contract.change": { address: lowercase(contracts.plainToken) },
    "contract.interface": takeSample("contract.interface", "plainToken"),
    "token.metadata": takeSample("token.metadata", "plainToken"),
    "token.launch.guard": takeSample("token.launch.guard", "freshToken"),
    "rwa.market.guard": takeSample("rwa.market.guard", "permissionedToken"),
    "transaction.intent.guard": takeSample("transaction.intent.guard", "Send 5 dollars"),
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
    "amm.v4.hook.guard": takeSample("amm.v4.hook.guard", "Without a hook"),
    "lending.collateral.guard": takeSample("lending.collateral.guard", "Borrow 5,000 on ten ether"),
    "chain.snapshot": takeSample("chain.snapshot", "Now"),
    "message.intent.guard": takeSample("message.intent.guard", "Pay five cents by signature"),
    "prediction.evidence": takeSample("prediction.evidence", "The lamp"),
    "trade.execution.notarize": { txHash: mined },
  };
  return (capability: keyof typeof inputs): Question => ({ capability, input: inputs[capability] });
}

export type Asked = Parameters<ReturnType<typeof sampleQuestions>>[0];
