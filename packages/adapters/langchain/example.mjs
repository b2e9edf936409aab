// A LangChain agent that cannot sign a drain: node packages/adapters/langchain/example.mjs
import { createClient, createSendTool, listTools } from "@assay/client";
import { assayTools } from "@assay/langchain";
import { AIMessage, createAgent, fakeModel, ToolMessage } from "langchain";
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
const tools = assayTools([
  ...listTools(assay, { only: ["contract.guard"] }),
  isGuarded() ? send : sendUnguarded(wallet, send),
]);

const { swap, drain, readStolen } = await planCalls({ rpcUrl, account, contracts });
// A scripted model stands for yours: it asks about a contract, swaps, and then falls for a drain.
const model = fakeModel()
  .respondWithTools([{ name: "contract_guard", args: { address: contracts.swapRouter02 }, id: "1" }])
  .respondWithTools([{ name: "send_transaction", args: asJson(swap), id: "2" }])
  .respondWithTools([{ name: "send_transaction", args: asJson(drain), id: "3" }])
  .respond(new AIMessage("Done."));

const { messages } = await createAgent({ model, tools }).invoke({
  messages: [{ role: "user", content: "Swap a little ether." }],
});
for (const { name, content } of messages.filter((one) => ToolMessage.isInstance(one)))
  console.log(`${name}: ${shorten(content)}`);
console.log(`${messages.at(-1).content} The stranger may take ${await readStolen()}.`);
