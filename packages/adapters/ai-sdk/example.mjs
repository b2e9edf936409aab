// An agent of the Vercel AI SDK that cannot sign a drain: node packages/adapters/ai-sdk/example.mjs
import { assayTools } from "@assay/ai-sdk";
import { createClient, createSendTool, listTools } from "@assay/client";
import { generateText, stepCountIs } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { createWalletClient, http } from "viem";
import { base } from "viem/chains";
import { asJson, isGuarded, planCalls, sendUnguarded, shorten } from "../../../examples/scene.mjs";
import { setup } from "../../../examples/setup.mjs";

const { baseUrl, rpcUrl, account, contracts } = setup("alice");
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
const script = [
  ["contract_guard", { address: contracts.swapRouter02 }],
  ["send_transaction", asJson(swap)],
  ["send_transaction", asJson(drain)],
];
const step = (content, unified) => ({
  content: [content],
  finishReason: { unified, raw: unified },
  usage: { inputTokens: { total: 0 }, outputTokens: { total: 0 } },
  warnings: [],
});
const model = new MockLanguageModelV3({
  doGenerate: [
    ...script.map(([toolName, input], at) =>
      step(
        { type: "tool-call", toolCallId: `call-${at}`, toolName, input: JSON.stringify(input) },
        "tool-calls",
      ),
    ),
    step({ type: "text", text: "Done." }, "stop"),
  ],
});

const { steps, text } = await generateText({
  model,
  tools,
  prompt: "Swap a little ether.",
  stopWhen: stepCountIs(8),
});
for (const { toolName, output } of steps.flatMap(({ toolResults }) => toolResults))
  console.log(`${toolName}: ${shorten(output.text)}`);
console.log(`${text} The stranger may take ${await readStolen()}.`);
