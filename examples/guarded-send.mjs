// Approves one dollar for a swap router, but only if the transaction is allowed: node examples/guarded-send.mjs
import { createClient, GuardRefusedError, guardActions } from "@assay/client";
import { createWalletClient, encodeFunctionData, erc20Abi, http, maxUint256, publicActions } from "viem";
import { base } from "viem/chains";
import { setup } from "./setup.mjs";

const { baseUrl, rpcUrl, account, contracts } = setup("alice");
const assay = createClient({ baseUrl, account, maxPriceUsd: 0.25, maxTotalUsd: 5 });
// Keep this from a first visit you trust: a service that may name its own key can vouch for itself.
const { signingAddress } = await assay.describe();
const wallet = createWalletClient({ account, chain: base, transport: http(rpcUrl) })
  .extend(guardActions({ assay, signer: signingAddress }))
  .extend(publicActions);

const to = contracts.stablecoin;
const approve = (spender, amount) =>
  encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, amount] });

const data = approve(contracts.swapRouter02, 1_000_000n);
const { hash, guard, verification } = await wallet.guardedSend({ to, data });
console.log(`${guard.answer.verdict}: ${guard.answer.result.summary}`);
const checked = verification.steps.filter((step) => step.checked);
console.log(`verified: ${checked.map(({ name }) => name).join(", ")}`);
const { status, blockNumber } = await wallet.waitForTransactionReceipt({ hash });
console.log(`sent ${hash}: ${status} in block ${blockNumber}`);

// An unlimited approval to an unknown account: the wallet is never asked to sign it.
const stranger = "0x00000000000000000000000000000000000a11ce";
try {
  await wallet.guardedSend({ to, data: approve(stranger, maxUint256) });
} catch (error) {
  if (!(error instanceof GuardRefusedError)) throw error;
  console.log(`not signed (${error.refusal}): ${error.reasons.join(", ")}`);
}
