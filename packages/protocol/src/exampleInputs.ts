import type { z } from "zod";
import type { CapabilityId, capabilityInputs } from "./capabilityInputs.js";
import type { ClaimRequest } from "./claimShapes.js";

const USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const CB_BTC = "0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf";
const NATIVE = "0x0000000000000000000000000000000000000000";
const SWAP_ROUTER_02 = "0x2626664c2603336E57B271c5C0b26F421741e481";
/** A well-known account; nobody's signature is needed to ask what it would do. */
export const EXAMPLE_WALLET = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";

/**
 * One question to each capability, about what is really on Base, wherever an input must be shown. What only a running
 * service or somebody's own transaction gives (an artifact, an obligation, a transaction hash) is right in form alone.
 */
export const exampleInputs: { readonly [Id in CapabilityId]: z.input<(typeof capabilityInputs)[Id]> } = {
  "contract.guard": { address: USDC },
  // approve(SwapRouter02, 25 USDC)
  "transaction.intent.guard": {
    from: EXAMPLE_WALLET,
    to: USDC,
    data: "0x095ea7b30000000000000000000000002626664c2603336e57b271c5c0b26f421741e48100000000000000000000000000000000000000000000000000000000017d7840",
    value: "0",
  },
  // exactInputSingle: 0.01 WETH for at least 20 USDC
  "amm.swap.guard": {
    from: EXAMPLE_WALLET,
    to: SWAP_ROUTER_02,
    data: "0x04e45aaf0000000000000000000000004200000000000000000000000000000000000006000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda0291300000000000000000000000000000000000000000000000000000000000001f4000000000000000000000000d8da6bf26964af9d7eed9e03e53415d37aa96045000000000000000000000000000000000000000000000000002386f26fc100000000000000000000000000000000000000000000000000000000000001312d000000000000000000000000000000000000000000000000000000000000000000",
    value: "10000000000000000",
  },
  "contract.change": { address: USDC },
  "token.metadata": { address: USDC },
  "contract.interface": { address: USDC },
  "chain.snapshot": {},
  "token.launch.guard": { address: "0x940181a94A35A4569E4529A3CDfB74e38FD98631" },
  "evidence.artifact": {
    artifactId: "sha256:ff60a32b6a8a79a32ba98bf92345f04500e3f206a92a670cc126cdd067468d72",
  },
  "web.compile": { url: "https://docs.base.org/", claim: "Base is an Ethereum layer 2" },
  "obligation.verdict": {
    obligationId: "0x583d7eb894232f9dacbc35429d8a7ebfaa374f16b9d8ded86391ad94aa7a480b",
  },
  "amm.v4.hook.guard": {
    poolManager: "0x498581fF718922c3f8e6A244956aF099B2652b2b",
    currency0: NATIVE,
    currency1: USDC,
    fee: 500,
    tickSpacing: 10,
    hooks: NATIVE,
  },
  "rwa.market.guard": { address: CB_BTC, symbol: "cbBTC" },
  "lending.collateral.guard": {
    marketId: "0x9103c3b4e834476c9a62ea009ba2c884ee42e94e6e314a26f04d312434191836",
    collateralToken: CB_BTC,
    loanToken: USDC,
    userAddress: EXAMPLE_WALLET,
    borrowAmountWei: "1000000000",
  },
  "trade.execution.notarize": {
    txHash: "0xcaeeddf8b19187af0642f874ef4904ff016a170acf56bb78406bcc8e2b8d0b6e",
  },
  "prediction.evidence": {
    question: "Will Base reach 1,000 transactions per second in 2026?",
    market: "https://docs.base.org/",
  },
};

/** A claim about the proxy of USDC and what it points to. */
export const exampleClaim: ClaimRequest = {
  wallet: EXAMPLE_WALLET,
  address: USDC,
  implementation: "0x2Ce6311ddAE708829bc0784C967b7d77D19FD779",
  fromBlock: 30_000_000,
  toBlock: 30_043_200,
  rewardUsd: 25,
  deadline: "2026-12-01T00:00:00.000Z",
};
