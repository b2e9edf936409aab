// An ElizaOS agent that cannot sign a drain: node packages/adapters/eliza/example.mjs
import { createClient, createSendTool, listTools } from "@assay/client";
import { assayPlugin } from "@assay/eliza";
import { AgentRuntime, ModelType, stringToUuid } from "@elizaos/core";
import { createWalletClient, http } from "viem";
import { base } from "viem/chains";
import { asJson, isGuarded, planCalls, sendUnguarded, shorten } from "../../../examples/scene.mjs";
import { setup } from "../../../examples/setup.mjs";

const { baseUrl, rpcUrl, account, contracts } = setup("bob");
// Keep this from a first visit you trust: a service that may name its own key can vouch for itself.
const { signingAddress: signer } = await createClient({ baseUrl }).describe();
const assay = createClient({ baseUrl, account, signer, node: rpcUrl, maxPriceUsd: 0.25, maxTotalUsd: 5 });
const wallet = createWalletClient({ account, chain: base, transport: http(rpcUrl) });
const send = createSendTool(wallet, { assay, signer });
const plugin = assayPlugin([
  ...listTools(assay, { only: ["contract.guard"] }),
  isGuarded() ? send : sendUnguarded(wallet, send),
]);

const { swap, drain, readStolen } = await planCalls({ rpcUrl, account, contracts });
// A scripted model stands for yours: it asks about a contract, swaps, and then falls for a drain.
const script = [{ address: contracts.swapRouter02 }, asJson(swap), asJson(drain)];
const scripted = {
  name: "scripted",
  description: "A model that reads from a list.",
  models: { [ModelType.TEXT_SMALL]: async () => JSON.stringify(script.shift()) },
};
// An agent of yours has a database, such as @elizaos/plugin-sql. This one remembers nothing.
const adapter = new Proxy({}, { get: (_, name) => (name === "then" ? undefined : async () => []) });
const runtime = new AgentRuntime({ character: { name: "Trader", bio: "Trades." }, adapter });
for (const one of [scripted, plugin]) await runtime.registerPlugin(one);

const remembered = { entityId: runtime.agentId, roomId: stringToUuid("room") };
const message = {
  id: stringToUuid("message"),
  ...remembered,
  content: { text: "Swap a little ether.", source: "example" },
};
for (const action of ["CONTRACT_GUARD", "SEND_TRANSACTION", "SEND_TRANSACTION"]) {
  const response = { id: stringToUuid(action), ...remembered, content: { actions: [action] } };
  await runtime.processActions(message, [response], undefined, async ({ text }) => {
    console.log(`${action}: ${shorten(text)}`);
    return [];
  });
}
console.log(`The stranger may take ${await readStolen()}.`);
