import type { z } from "zod";
import type { CapabilityId, capabilityInputs } from "./capabilityInputs.js";

const usdc = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const weth = "0x4200000000000000000000000000000000000006";
const nobody = "0x0000000000000000000000000000000000000000";
const anyWallet = "0x1111111111111111111111111111111111111111";

/** A question about Base for each capability, for documents and registries. */
export const exampleInputs: { readonly [Id in CapabilityId]: z.input<(typeof capabilityInputs)[Id]> } = {
  "contract.guard": { address: usdc },
  "transaction.intent.guard": {
    from: anyWallet,
    to: usdc,
    // approve(SwapRouter02, 1 USDC)
    data: "0x095ea7b30000000000000000000000002626664c2603336e57b271c5c0b26f421741e48100000000000000000000000000000000000000000000000000000000000f4240",
  },
  "amm.swap.guard": {
    from: anyWallet,
    // SwapRouter02, exactInputSingle: 1 USDC for at least 0.0001 WETH
    to: "0x2626664c2603336E57B271c5C0b26F421741e481",
    data: `0x04e45aaf${[
      "000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda02913",
      "0000000000000000000000004200000000000000000000000000000000000006",
      "00000000000000000000000000000000000000000000000000000000000001f4",
      "0000000000000000000000001111111111111111111111111111111111111111",
      "00000000000000000000000000000000000000000000000000000000000f4240",
      "00000000000000000000000000000000000000000000000000005af3107a4000",
      "0000000000000000000000000000000000000000000000000000000000000000",
    ].join("")}`,
  },
  "contract.change": { address: usdc },
  "token.metadata": { address: usdc },
  "contract.interface": { address: usdc },
  "chain.snapshot": {},
  "token.launch.guard": { address: weth },
  "evidence.artifact": { artifactId: `sha256:${"0".repeat(64)}` },
  "web.compile": { url: "https://example.com/" },
  "obligation.verdict": { obligationId: `0x${"0".repeat(64)}` },
  "amm.v4.hook.guard": {
    poolManager: "0x498581fF718922c3f8e6A244956aF099B2652b2b",
    currency0: nobody,
    currency1: usdc,
    fee: 500,
    tickSpacing: 10,
    hooks: nobody,
  },
  "rwa.market.guard": { address: usdc, symbol: "USDC" },
  "lending.collateral.guard": {
    marketId: "0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda",
    collateralToken: weth,
    loanToken: usdc,
    userAddress: anyWallet,
    borrowAmountWei: "1000000",
  },
  "trade.execution.notarize": { txHash: `0x${"0".repeat(64)}` },
  "prediction.evidence": {
    question: "Will the upgrade activate before the end of the year?",
    market: "https://example.com/",
  },
};
