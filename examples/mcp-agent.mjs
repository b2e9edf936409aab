// An agent that has a swap checked over MCP before it signs: node examples/mcp-agent.mjs
// It asks with the official MCP client, pays with the official x402 client, and verifies the answer itself.
import { createClient, verifyResult } from "@assay/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { x402Client } from "@x402/core/client";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { createWalletClient, encodeFunctionData, erc20Abi, http, parseAbi, publicActions } from "viem";
import { base } from "viem/chains";
import { setup } from "./setup.mjs";

const { baseUrl, rpcUrl, account, contracts } = setup("dave");
const wallet = createWalletClient({ account, chain: base, transport: http(rpcUrl) }).extend(publicActions);
const payer = new x402Client().register("eip155:8453", new ExactEvmScheme(account));
// Keep this from a first visit you trust: a service that may name its own key can vouch for itself.
const { signingAddress: signer } = await createClient({ baseUrl }).describe();
const mcp = new Client({ name: "example-agent", version: "1.0.0" });
await mcp.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/api/mcp?x402=mcp`)));
const { tools } = await mcp.listTools();
console.log(`${tools.length} tools: ${tools.map(({ name }) => name).join(", ")}`);

const MAX_PRICE = 250_000n; // of the stablecoin, which has six decimals
async function callPaid(name, input) {
  const unpaid = await mcp.callTool({ name, arguments: input });
  const challenge = unpaid.structuredContent;
  const [offer] = challenge?.accepts ?? [];
  if (!offer) throw new Error(`${name}: ${unpaid.content[0].text}`);
  if (BigInt(offer.amount) > MAX_PRICE) throw new Error(`${name} costs ${offer.amount}: too much`);
  const payment = await payer.createPaymentPayload(challenge);
  const paid = await mcp.callTool({ name, arguments: input, _meta: { "x402/payment": payment } });
  if (paid.isError) throw new Error(`${name}: ${paid.content[0].text}`);
  console.log(`paid ${Number(offer.amount) / 1e6} USD for ${name}`);
  return paid.structuredContent;
}

const amountIn = 1_000_000n;
const { stablecoin, weth, swapRouter02 } = contracts;
const approval = {
  address: stablecoin,
  abi: erc20Abi,
  functionName: "approve",
  args: [swapRouter02, amountIn],
};
await wallet.waitForTransactionReceipt({ hash: await wallet.writeContract(approval) });

const routerAbi = parseAbi([
  "function exactInputSingle((address, address, uint24, address, uint256, uint256, uint160)) returns (uint256)",
]);
/** One dollar into ether, for at least `atLeast` wei. */
const swapFor = (atLeast) => ({
  to: swapRouter02,
  data: encodeFunctionData({
    abi: routerAbi,
    args: [[stablecoin, weth, 500, account.address, amountIn, atLeast, 0n]],
  }),
});
const ask = (swap) => callPaid("amm_swap_guard", { from: account.address, ...swap });

// Without a limit, the builder of the block can take the whole amount.
const careless = await ask(swapFor(0n));
console.log(`without a limit: ${careless.verdict}, ${careless.result.reasonCodes.join(", ")}`);

const { data: expected } = await wallet.call({ account, ...swapFor(0n) });
const swap = swapFor((BigInt(expected) * 995n) / 1000n);
const answer = await ask(swap);
// Throws unless this signer gave the answer to this question and it still holds at the head of the wallet's own node.
const question = { capabilityId: "amm.swap.guard", input: { from: account.address, ...swap } };
const headBlock = await wallet.getBlockNumber({ cacheTime: 0 });
await verifyResult(answer, { signer, question, headBlock });
console.log(`limited to 0.5 % less than now: ${answer.verdict}, verified`);
if (answer.verdict === "allow") {
  const { status } = await wallet.waitForTransactionReceipt({ hash: await wallet.sendTransaction(swap) });
  console.log(`swapped: ${status}`);
} else console.log(`not signed: ${answer.result.reasonCodes.join(", ")}`);
await mcp.close();
