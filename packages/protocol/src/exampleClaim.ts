import type { ClaimRequest } from "./claimShapes.js";

/** A well-known account; nobody's signature is needed to ask what it would do. */
export const EXAMPLE_WALLET = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";

/** A claim about the proxy of USDC and what it points to. */
export const exampleClaim: ClaimRequest = {
  wallet: EXAMPLE_WALLET,
  // USDC on Base
  address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  implementation: "0x2Ce6311ddAE708829bc0784C967b7d77D19FD779",
  fromBlock: 30_000_000,
  toBlock: 30_043_200,
  rewardUsd: 25,
  deadline: "2026-12-01T00:00:00.000Z",
};
