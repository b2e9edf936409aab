// A GOAT wallet that cannot sign a drain: node packages/adapters/goat/example.mjs
import { createClient, GuardRefusedError } from "@assay/client";
import { assayPlugin, guardWallet } from "@assay/goat";
import { getTools } from "@goat-sdk/core";
import { viem } from "@goat-sdk/wallet-viem";
import { createWalletClient, http } from "viem";
import { base } from "viem/chains";
import { isGuarded, planCalls, shorten } from "../../../examples/scene.mjs";
import { setup } from "../../../examples/setup.mjs";

const { baseUrl, rpcUrl, account, contracts } = setup("frank");
// Keep this from a first visit you trust: a service that may name its own key can vouch for itself.
const { signingAddress: signer } = await createClient({ baseUrl }).describe();
const assay = createClient({ baseUrl, account, signer, node: rpcUrl, maxPriceUsd: 0.25, maxTotalUsd: 5 });
const inner = viem(createWalletClient({ account, chain: base, transport: http(rpcUrl) }));
const wallet = isGuarded() ? guardWallet(inner, { assay }) : inner;
const tools = await getTools({ wallet, plugins: [assayPlugin(assay, { only: ["contract.guard"] })] });
const use = (name, input) => tools.find((tool) => tool.name === name).execute(input);

const { swap, drainBy, readStolen } = await planCalls({ rpcUrl, account, contracts });
console.log(`contract_guard: ${shorten(await use("contract_guard", { address: contracts.swapRouter02 }))}`);
const report = async (name, act) => {
  const outcome = await act().catch((error) => {
    if (!(error instanceof GuardRefusedError)) throw error;
    return `not signed (${error.refusal}): ${error.reasons.join(", ")}`;
  });
  console.log(`${name}: ${typeof outcome === "string" ? outcome : `sent: ${outcome.status}`}`);
};
await report("swap", () => wallet.sendTransaction(swap));
// GOAT's own tool, as a model would call it after reading a hostile page.
await report("drain", () => use("approve_token_evm", drainBy));
console.log(`The stranger may take ${await readStolen()}.`);
