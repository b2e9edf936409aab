// An AgentKit wallet that cannot sign a drain: node packages/adapters/agentkit/example.mjs
import { assayActionProvider, guardWallet } from "@assay/agentkit";
import { createClient, GuardRefusedError } from "@assay/client";
import { AgentKit, customActionProvider, ViemWalletProvider } from "@coinbase/agentkit";
import { createWalletClient, http } from "viem";
import { base } from "viem/chains";
import { z } from "zod";
import { asJson, isGuarded, planCalls, shorten } from "../../../examples/scene.mjs";
import { setup } from "../../../examples/setup.mjs";

// AgentKit reports every start to Coinbase, and a process ends where that host cannot be reached: a local chain needs no reports.
const { fetch } = globalThis;
globalThis.fetch = (url, init) =>
  String(url).startsWith("https://cca-lite.coinbase.com/")
    ? Promise.resolve(new Response())
    : fetch(url, init);

const { baseUrl, rpcUrl, account, contracts } = setup("dave");
// Keep this from a first visit you trust: a service that may name its own key can vouch for itself.
const { signingAddress: signer } = await createClient({ baseUrl }).describe();
const assay = createClient({ baseUrl, account, signer, node: rpcUrl, maxPriceUsd: 0.25, maxTotalUsd: 5 });
const wallet = createWalletClient({ account, chain: base, transport: http(rpcUrl) });
const inner = new ViemWalletProvider(wallet, { rpcUrl });
const walletProvider = isGuarded() ? guardWallet(inner, { assay }) : inner;

// Any action that sends through the wallet provider is guarded. This one sends what the model says.
const sending = customActionProvider({
  name: "send",
  description: "Sends a transaction.",
  schema: z.object({ to: z.string(), data: z.string(), value: z.string() }),
  invoke: async (provider, { to, data, value }) => {
    const hash = await provider.sendTransaction({ to, data, value: BigInt(value) });
    return `sent: ${(await provider.waitForTransactionReceipt(hash)).status}`;
  },
});
const kit = await AgentKit.from({
  walletProvider,
  actionProviders: [assayActionProvider(assay, { only: ["contract.guard"] }), sending],
});
const actions = new Map(kit.getActions().map((action) => [action.name.replace(/^\w+?_/, ""), action]));

const { swap, drain, readStolen } = await planCalls({ rpcUrl, account, contracts });
const asked = await actions.get("contract_guard").invoke({ address: contracts.swapRouter02 });
console.log(`contract_guard: ${shorten(asked)}`);
for (const [name, call] of Object.entries({ swap, drain })) {
  const outcome = await actions
    .get("send")
    .invoke(asJson(call))
    .catch((error) => {
      if (!(error instanceof GuardRefusedError)) throw error;
      return `not signed (${error.refusal}): ${error.reasons.join(", ")}`;
    });
  console.log(`${name}: ${outcome}`);
}
console.log(`The stranger may take ${await readStolen()}.`);
