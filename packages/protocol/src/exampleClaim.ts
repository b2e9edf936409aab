import { BASE_USDC } from "./baseAddresses.js";
import type { ClaimRequest } from "./claimShapes.js";

/** A well-known account; examples about it need no signature. */
export const EXAMPLE_WALLET = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";

/** A claim about the proxy of USDC and its implementation. */
export const exampleClaim: ClaimRequest = {
  wallet: EXAMPLE_WALLET,
  address: BASE_USDC,
  implementation: "0x2Ce6311ddAE708829bc0784C967b7d77D19FD779",
  fromBlock: 30_000_000,
  toBlock: 30_043_200,
  rewardUsd: 25,
  deadline: "2026-12-01T00:00:00.000Z",
};
