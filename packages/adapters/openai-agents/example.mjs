// An agent of the OpenAI Agents SDK that cannot sign a drain: node packages/adapters/openai-agents/example.mjs
import { createClient, createSendTool, listTools } from "@assay/client";
import { assayTools } from "@assay/openai-agents";
import { Agent, run, setTracingDisabled } from "@openai/agents-core";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents-core/testing";
import { createWalletClient, http } from "viem";
import { base } from "viem/chains";
import { asJson, isGuarded, planCalls, sendUnguarded, shorten } from "../../../examples/scene.mjs";
import { setup } from "../../../examples/setup.mjs";

setTracingDisabled(true);
const { baseUrl, rpcUrl, account, contracts } = setup("carol");
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
const model = new ScriptedModel([
  [functionCall("contract_guard", { address: contracts.swapRouter02 }, { callId: "1" })],
  [functionCall("send_transaction", asJson(swap), { callId: "2" })],
  [functionCall("send_transaction", asJson(drain), { callId: "3" })],
  [assistantMessage("Done.")],
]);

const result = await run(new Agent({ name: "Trader", model, tools }), "Swap a little ether.");
for (const { rawItem } of result.newItems.filter(({ type }) => type === "tool_call_output_item"))
  console.log(`${rawItem.name}: ${shorten(rawItem.output.text)}`);
console.log(`${result.finalOutput} The stranger may take ${await readStolen()}.`);
